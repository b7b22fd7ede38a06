"""Microsoft Agent Framework."""
