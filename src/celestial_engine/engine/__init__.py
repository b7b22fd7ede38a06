"""The engine: CelestialMemory, made of parts. Its areas are attributes: `memory.ledger.verify()`."""

from celestial_engine.engine.memory import CelestialMemory as CelestialMemory
