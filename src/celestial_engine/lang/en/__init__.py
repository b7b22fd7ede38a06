"""English words and grammar as data."""
