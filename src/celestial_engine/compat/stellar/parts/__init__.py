"""stellar-memory's standalone components, implemented on top of the engine."""
