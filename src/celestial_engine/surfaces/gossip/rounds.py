"""Rounds in the background: one thread that exchanges parameters when a round is due."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError

logger = logging.getLogger(__name__)

_LONGEST_WAIT = 5.0


def rounds(memory: CelestialMemory) -> AbstractContextManager[object]:
    """Exchanges parameters with peers while its block lasts, if the owner takes part."""
    return Rounds(memory) if memory.federation.enabled() else nullcontext()


class Rounds:
    """Runs rounds while its block lasts. Of several processes on one database one runs each round.

    `before_each` is called before every look at whether a round is due.
    """

    def __init__(self, memory: CelestialMemory, before_each: Callable[[], None] = lambda: None) -> None:
        self._memory, self._before_each = memory, before_each
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gossip-rounds", daemon=True)
        self._holder = uuid.uuid4().hex

    def __enter__(self) -> Rounds:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        federation = self._memory.federation
        pause = min(_LONGEST_WAIT, federation.config().gossip_interval / 4)
        while not self._stop.wait(pause):
            try:
                self._before_each()
                federation.round_if_due(self._holder)
            except CelestialError as error:  # noqa: PERF203 - a round that failed must not end the others
                logger.warning("a round of learning together failed: %s", error)
