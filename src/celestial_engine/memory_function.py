"""The memory function, under the name of the original design: `celestial_engine.memory_function`."""

from celestial_engine.core.orbit.memory_function import (
    CelestialMemoryFunction,
    Course,
    Crossing,
    MemoryFunctionConfig,
    ScoreBreakdown,
)

__all__ = ["CelestialMemoryFunction", "Course", "Crossing", "MemoryFunctionConfig", "ScoreBreakdown"]
