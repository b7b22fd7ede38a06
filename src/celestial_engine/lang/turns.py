"""The languages in which turns of a conversation are read. One more is one more file, and its name here."""

from celestial_engine.lang import en_turns, ko_turns

LANGUAGES = (en_turns, ko_turns)
