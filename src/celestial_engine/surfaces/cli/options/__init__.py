"""Options of single commands."""
