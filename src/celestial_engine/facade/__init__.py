"""The operations of CelestialMemory, a file a kind; the engine is all of them together."""
