"""Korean words and grammar as data."""
