"""Job leases on dictionaries, for a single process."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from celestial_engine.core.night.leases import may_claim
from celestial_engine.ports import JobState


class DictJobs:
    def __init__(self) -> None:
        self._last: dict[str, float] = {}
        self._held: dict[str, tuple[str, float]] = {}
        self._lock = threading.Lock()

    def now(self, clock: float) -> float:
        return clock

    def claim(self, name: str, holder: str, now: float, every: float, lease: float) -> bool:
        with self._lock:
            _, until = self._held.get(name, ("", None))
            if not may_claim(self._last.get(name), until, now, every, lease):
                return False
            self._held[name] = (holder, now + lease)
            return True

    def finish(self, name: str, holder: str, done_at: float | None) -> None:
        with self._lock:
            if self._held.get(name, ("", 0.0))[0] == holder:
                del self._held[name]
                if done_at is not None:
                    self._last[name] = done_at

    def extend(self, name: str, holder: str, now: float, lease: float) -> bool:
        with self._lock:
            ours = self._held.get(name, ("", 0.0))[0] == holder
            if ours:
                self._held[name] = (holder, now + lease)
            return ours

    def note(self, runs: Mapping[str, float]) -> None:
        with self._lock:
            self._last.update(runs)

    def states(self, prefix: str) -> dict[str, JobState]:
        with self._lock:
            names = sorted(name for name in {*self._last, *self._held} if name.startswith(prefix))
            return {name: JobState(self._last.get(name), *self._held.get(name, (None, None))) for name in names}
