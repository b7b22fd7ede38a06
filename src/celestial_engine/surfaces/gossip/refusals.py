"""What the door has turned away: counted in memory, and written in one go, so that a flood costs no writes."""

from __future__ import annotations

import threading
from collections import Counter

from celestial_engine.core.federation.messages import Rejection
from celestial_engine.engine import CelestialMemory


class Refusals:
    """Counts by reason. From any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[Rejection] = Counter()

    def add(self, reason: Rejection) -> None:
        with self._lock:
            self._counts[reason] += 1

    def write_to(self, memory: CelestialMemory) -> None:
        """Adds the counts to what `gossip status` shows, and starts again at zero."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        memory.federation.count_refused(counts)
