"""The suite that every store must pass."""
