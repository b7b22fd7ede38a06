"""Logs of the server: one JSON object per line on standard error, never with what was asked or stored."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import Any

LEVELS = ("debug", "info", "warning", "error")
_FACTS = "facts"  # the attribute of a record that holds further fields

access_logger = logging.getLogger("celestial_engine.access")


@contextmanager
def json_logs(level: str, *, access: bool) -> Iterator[None]:
    """Write all log records from `level` on; requests are logged whatever the level, if `access`."""
    root, handler = logging.getLogger(), logging.StreamHandler()
    handler.setFormatter(JsonFormatter())
    before = root.level, access_logger.level
    root.addHandler(handler)
    root.setLevel(level.upper())
    access_logger.setLevel(logging.INFO if access else logging.CRITICAL)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(before[0])
        access_logger.setLevel(before[1])


class JsonFormatter(logging.Formatter):
    """`time`, `level`, `logger`, `message`, the facts of the record, and `error` with a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, timezone.utc)
        line: dict[str, Any] = {
            "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, _FACTS, {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        # Lone surrogates, which a file name may hold, cannot be written as UTF-8: escape whatever is not ASCII.
        return json.dumps(line, default=str)


def log_request(facts: Mapping[str, Any]) -> None:
    """One line of the access log."""
    access_logger.info("request", extra={_FACTS: facts})
