"""The database as a file: backup, restore and integrity checks."""
