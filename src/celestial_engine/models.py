"""The records, under the name of the original design: `celestial_engine.models`."""

from celestial_engine.core.orbit.memory_function import ScoreBreakdown
from celestial_engine.core.orbit.zones import ZoneConfig
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.flow.night.rebalance import RebalanceResult

__all__ = ["CelestialItem", "RebalanceResult", "ScoreBreakdown", "ZoneConfig"]
