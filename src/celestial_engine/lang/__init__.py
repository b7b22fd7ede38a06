"""Patterns and word lists as data, one folder per language."""

from celestial_engine.lang.en import words as en
from celestial_engine.lang.ko import words as ko

LANGUAGES = (en, ko)
