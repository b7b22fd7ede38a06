"""How people and agents reach the engine."""
