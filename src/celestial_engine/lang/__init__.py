"""Patterns and word lists, one file a language: data, not code. A third language is one more file here."""

from celestial_engine.lang import en, ko

LANGUAGES = (en, ko)
