"""Hermes Agent: a memory provider."""
