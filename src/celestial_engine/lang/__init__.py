"""Patterns and word lists, one file a language: data, not code. A third language is one more file here."""

from celestial_engine.lang.en import words as en
from celestial_engine.lang.ko import words as ko

LANGUAGES = (en, ko)
