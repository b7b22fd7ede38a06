"""Words of conversation turns, of every language. To add a language, add its file and list it here."""

from celestial_engine.lang.en import turns as en_turns
from celestial_engine.lang.ko import turns as ko_turns

__all__ = ["EMPTY_WORDS", "LANGUAGES", "en_turns", "ko_turns"]

LANGUAGES = (en_turns, ko_turns)
EMPTY_WORDS = en_turns.EMPTY_WORDS | ko_turns.EMPTY_WORDS
