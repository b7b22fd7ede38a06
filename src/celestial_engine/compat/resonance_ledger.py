"""ResonanceLedger: the audit log of a host program, in an open engine or in its own folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from celestial_engine.config.engine_settings import Settings, StorageSettings
from celestial_engine.core.record.events import Event
from celestial_engine.engine import CelestialMemory
from celestial_engine.ports import Clock

DATABASE = "ledger.db"


class ResonanceLedger:
    """Append-only and hash-chained; the entries are also lines of `ledger-YYYYMMDD.jsonl`.

    >>> from tempfile import TemporaryDirectory
    >>> folder = TemporaryDirectory()
    >>> with ResonanceLedger(folder.name) as ledger:
    ...     event = ledger.log_event("sess_1", "persona_response", "thesis")
    ...     ledger.memory.ledger.verify().ok, ledger.current_file.exists()
    (True, True)
    >>> folder.cleanup()
    """

    def __init__(self, base_path: CelestialMemory | str | os.PathLike[str], *, clock: Clock | None = None) -> None:
        """`base_path`: a folder, created if missing, or an open engine, which the caller closes."""
        self._owns_memory = not isinstance(base_path, CelestialMemory)
        if isinstance(base_path, CelestialMemory):
            self.memory = base_path
        else:
            folder = os.path.expanduser(os.fspath(base_path))
            self.memory = CelestialMemory(
                os.path.join(folder, DATABASE),
                rebalance_interval=None,
                clock=clock,
                embedder="none",
                settings=Settings(storage=StorageSettings(ledger_path=folder)),
            )

    @property
    def base_path(self) -> Path | None:
        """The folder of the daily files; None if there are none."""
        file = self.current_file
        return None if file is None else file.parent

    @property
    def current_file(self) -> Path | None:
        """Today's file, in UTC."""
        file = self.memory.ledger.file()
        return None if file is None else Path(file)

    def log_event(
        self,
        session_id: str,
        event_type: str,
        persona_id: str | None = None,
        memory_id: str | None = None,
        bqi_coordinate: dict[str, Any] | None = None,
        evaluation: dict[str, Any] | None = None,
        plan_adjustment: dict[str, Any] | None = None,
    ) -> Event:
        """Write one event; it is on disk when this returns."""
        return self.memory.ledger.log(
            session_id, event_type, persona_id, memory_id, bqi_coordinate, evaluation, plan_adjustment
        )

    def close(self) -> None:
        if self._owns_memory:
            self.memory.close()

    def __enter__(self) -> ResonanceLedger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
