"""English sentences."""
