"""The memory record and everything that is a field of it: coordinates, lifetime, state, owner, events."""
