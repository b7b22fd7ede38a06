"""Rebalancer: rebalances a ZoneManager on call or periodically in the background."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from celestial_engine.compat.zone_manager import ZoneManager
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.memory_function import CelestialMemoryFunction
from celestial_engine.engine.schedule.jobs import Schedule

if TYPE_CHECKING:
    from celestial_engine.flow.night.rebalance import RebalanceResult


class Rebalancer:
    """Rebalances once per interval across all processes on a database. CelestialMemory has its own schedule."""

    def __init__(
        self,
        memory_fn: CelestialMemoryFunction,
        zone_mgr: ZoneManager,
        interval_seconds: float = 300,
        auto_forget_seconds: float | None = 86_400 * 90,
    ) -> None:
        forget = None if auto_forget_seconds is None else timedelta(seconds=auto_forget_seconds)
        zone_mgr.adopt(Law(memory_fn, forget))
        self._schedule = Schedule(zone_mgr.store, zone_mgr.law, zone_mgr.clock, interval_seconds)

    def rebalance(self, current_time: float | None = None) -> RebalanceResult:
        """Rebalance now, even if another process has just done it."""
        return self._schedule.rebalance(current_time)

    def run_if_due(self) -> RebalanceResult | None:
        """Rebalance if the interval has passed since any process's last run and no process is rebalancing."""
        return self._schedule.rebalance_if_due()

    def start(self) -> None:
        self._schedule.start()

    def stop(self) -> None:
        self._schedule.stop()
