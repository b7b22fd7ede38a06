"""Storage: SQLite by default, plain dictionaries for tests."""
