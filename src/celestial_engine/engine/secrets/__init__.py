"""Secrets that older versions stored."""
