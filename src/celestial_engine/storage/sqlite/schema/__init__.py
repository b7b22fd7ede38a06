"""The tables, as an ordered list of migrations."""
