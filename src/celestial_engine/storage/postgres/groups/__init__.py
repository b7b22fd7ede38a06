"""The groups of a session, where PostgreSQL's SQL differs from SQLite's."""
