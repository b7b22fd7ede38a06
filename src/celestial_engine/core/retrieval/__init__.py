"""Ranking what a search found, and composing it into a prompt."""
