"""The zones, under the name of the original design: `celestial_engine.zones`."""

from celestial_engine.core.orbit.zones import DEFAULT_ZONES, ZoneConfig

__all__ = ["DEFAULT_ZONES", "ZoneConfig"]
