"""Retention limits, archives, backups and imported records."""
