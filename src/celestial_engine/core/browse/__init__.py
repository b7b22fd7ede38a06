"""Browsing a whole memory: a table of it, and the people and things it tells of."""
