"""Korean sentences."""
