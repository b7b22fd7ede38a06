"""The languages in which turns of a conversation are read. One more is one more file, and its name here."""

from celestial_engine.lang.en import turns as en_turns
from celestial_engine.lang.ko import turns as ko_turns

LANGUAGES = (en_turns, ko_turns)
