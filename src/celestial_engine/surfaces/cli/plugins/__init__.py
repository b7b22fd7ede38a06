"""This memory in other programs: what is written into their settings, and how it is taken out again."""
