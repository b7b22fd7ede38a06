"""The background thread of `start()`: reorbits at an interval."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from celestial_engine.core.checks import check_positive

logger = logging.getLogger(__name__)


class Scheduler:
    """Calls a function once per interval in a thread, until stopped."""

    def __init__(self, work: Callable[[], object], interval_seconds: float) -> None:
        check_positive(reorbit_interval=interval_seconds)
        self._work = work
        self._interval = interval_seconds
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        if self.running:
            return
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(self._stopping,), name="stellar-reorbit", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._thread = None

    def _run(self, stopping: threading.Event) -> None:
        while not stopping.wait(self._interval):
            self._run_once()

    def _run_once(self) -> None:
        try:
            self._work()
        except Exception:
            logger.exception("the reorbit failed; the next one tries again")
