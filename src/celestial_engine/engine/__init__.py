"""The engine: CelestialMemory and its areas, which are attributes: `memory.ledger.verify()`."""

from celestial_engine.engine.memory import CelestialMemory as CelestialMemory
