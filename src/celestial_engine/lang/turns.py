"""The languages for features of conversation turns. To add one, add its file and list it here."""

from celestial_engine.lang.en import turns as en_turns
from celestial_engine.lang.ko import turns as ko_turns

LANGUAGES = (en_turns, ko_turns)
