"""stellar-memory's event log: one JSON object per line. The engine's ledger is the tamper-evident record."""

from __future__ import annotations

import json
import os
import threading
import time
from collections import deque
from typing import Any

from celestial_engine.compat.stellar.config import EventLoggerConfig, StellarConfig
from celestial_engine.compat.stellar.event_bus import EventBus

_DEFAULT = EventLoggerConfig()
_MEGABYTE = 1_048_576


class EventLogger:
    """Appends to a file; when it exceeds the maximum size it is renamed to `.1`, replacing the previous one."""

    def __init__(self, log_path: str = "stellar_events.jsonl", max_size_mb: float = 10.0) -> None:
        self._path = log_path
        self._max_bytes = max_size_mb * _MEGABYTE
        self._lock = threading.Lock()

    def attach(self, bus: EventBus) -> None:
        """Log the events of a bus. Memories are logged by id, never by content."""
        bus.on("on_store", lambda item: self._log("store", item_id=item.id))
        bus.on("on_recall", lambda results, query: self._log("recall", query=query, result_count=len(results)))
        bus.on("on_forget", lambda item_id: self._log("forget", item_id=item_id))
        bus.on("on_auto_forget", lambda item_id: self._log("auto_forget", item_id=item_id))
        bus.on("on_reorbit", lambda result: self._log("reorbit", moved=result.moved, evicted=result.evicted))

    def read_logs(self, limit: int = 100) -> list[dict[str, Any]]:
        """The last `limit` entries, oldest first. Incomplete lines are skipped."""
        try:
            with open(self._path, encoding="utf-8") as lines:
                newest = deque(lines, maxlen=max(0, limit))
        except FileNotFoundError:
            return []
        return [entry for line in newest if (entry := _parse(line)) is not None]

    def _log(self, event: str, **details: Any) -> None:
        line = json.dumps({"timestamp": time.time(), "event": event, **details}, ensure_ascii=False)
        with self._lock:
            if os.path.exists(self._path) and os.path.getsize(self._path) >= self._max_bytes:
                os.replace(self._path, f"{self._path}.1")
            with open(self._path, "a", encoding="utf-8") as log:
                log.write(f"{line}\n")


def _parse(line: str) -> dict[str, Any] | None:
    """None for a line that a crash cut off."""
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None


def event_logger_for(config: StellarConfig, bus: EventBus) -> EventLogger | None:
    """Create the configured log. The default path is ignored: it would write to any working directory."""
    settings = config.event_logger
    if not settings.enabled or settings.log_path == _DEFAULT.log_path:
        return None
    logger = EventLogger(settings.log_path, settings.max_size_mb)
    logger.attach(bus)
    return logger
