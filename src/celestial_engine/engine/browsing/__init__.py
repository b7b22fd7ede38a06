"""Looking at many memories at once."""
