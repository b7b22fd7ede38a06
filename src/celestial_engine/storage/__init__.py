"""Where memories live: SQLite by default, plain dictionaries for tests."""
