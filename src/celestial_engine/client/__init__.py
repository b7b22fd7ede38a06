"""A memory on a server, with the verbs of the engine: `CelestialMemory("http://127.0.0.1:8484", token=...)`."""

from celestial_engine.client.memory import RemoteMemory as RemoteMemory
