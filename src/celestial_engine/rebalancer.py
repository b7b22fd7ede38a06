"""Rebalancer: runs the rebalance by hand or every few minutes, once for all processes on a database."""

from __future__ import annotations

import logging
import os
import threading
import time
import uuid
import weakref
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.memory_function import CelestialMemoryFunction
from celestial_engine.zone_manager import ZoneManager

if TYPE_CHECKING:
    from celestial_engine.flow.night.rebalance import RebalanceResult

logger = logging.getLogger(__name__)

JOB = "rebalance"
_LEASE_SECONDS = 600.0


class Rebalancer:
    """The periodic rebalance. A lease in the database lets one of many processes do it; a run that was
    missed, because nobody was there, is caught up at the next start."""

    def __init__(
        self,
        memory_fn: CelestialMemoryFunction,
        zone_mgr: ZoneManager,
        interval_seconds: float = 300,
        auto_forget_seconds: float | None = 86_400 * 90,
        afterwards: Callable[[float], None] | None = None,
        beforehand: Callable[[], object] | None = None,
    ) -> None:
        """`afterwards` is called with the time after each periodic rebalance; `beforehand`, in the background
        alone, before each but the first: who opens a memory for a moment does not wait for a night's work."""
        forget = None if auto_forget_seconds is None else timedelta(seconds=auto_forget_seconds)
        zone_mgr.adopt(Law(memory_fn, forget))
        self._zone_mgr = zone_mgr
        self._interval = interval_seconds
        self._afterwards = afterwards
        self.beforehand = beforehand
        self._holder = f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._wake = threading.Event()
        self.stopping = self._wake.is_set
        self._thread: threading.Thread | None = None

    def rebalance(self, current_time: float | None = None, *, most: int | None = None) -> RebalanceResult:
        """Now, whoever else may have done it."""
        from celestial_engine.flow.night.rebalance import rebalance

        now = self._zone_mgr.clock() if current_time is None else current_time
        result = rebalance(self._zone_mgr.store, self._zone_mgr.law, now, most=most)
        with self._zone_mgr.store.read() as session:
            return replace(result, total_items=session.orbits.count())

    def run_if_due(self, *, most: int | None = None) -> RebalanceResult | None:
        """Only if the interval has passed since anybody's last run, and nobody is at it."""
        store, now = self._zone_mgr.store, self._zone_mgr.clock()
        if not store.jobs.claim(JOB, self._holder, now, self._interval, _LEASE_SECONDS):
            return None
        done_at: float | None = None
        try:
            result = self.rebalance(now, most=most)
            done_at = now  # as of when it looked, not of when it was done
        finally:
            store.jobs.finish(JOB, self._holder, done_at)
        if self._afterwards is not None:
            self._afterwards(now)
        return result

    def start(self) -> None:
        """Begins to run in the background: at once if a run was missed, then at every interval."""
        if self._thread is None:
            self._wake.clear()
            self._thread = threading.Thread(
                target=_run,
                args=(weakref.ref(self), self._wake, self._interval),
                name="rebalancer",
                daemon=True,
            )
            self._thread.start()

    def stop(self) -> None:
        """Ends the background runs and waits for one that is under way."""
        self._wake.set()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def tick(self, *, settled_in: bool = False) -> None:
        try:
            if settled_in and self.beforehand is not None:
                self.beforehand()
            started = time.perf_counter()
            result = self.run_if_due()
            if result is not None and (result.moved or result.forgotten):
                logger.info(
                    "rebalance: moved=%d evicted=%d forgotten=%d (%.1f ms)",
                    result.moved, result.evicted, result.forgotten, (time.perf_counter() - started) * 1000,
                )  # fmt: skip
        except Exception as error:  # noqa: BLE001 - the caller's clock may raise anything; the thread must live on
            # The next tick tries again; what is due stays due.
            logger.error("rebalance failed: %s", error)


def _run(reference: weakref.ref[Rebalancer], wake: threading.Event, interval: float) -> None:
    """Holds no strong reference while it waits, so that a forgotten engine can be collected."""
    settled_in = False
    while True:
        rebalancer = reference()
        if rebalancer is None:
            return
        rebalancer.tick(settled_in=settled_in)
        del rebalancer
        settled_in = True
        if wake.wait(interval):
            return
