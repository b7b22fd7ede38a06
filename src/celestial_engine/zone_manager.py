"""Placement by hand, under the name of the original design: `celestial_engine.zone_manager`."""

from celestial_engine.compat.zone_manager import ZoneManager

__all__ = ["ZoneManager"]
