"""What a language model may be asked, and how its answers are read."""
