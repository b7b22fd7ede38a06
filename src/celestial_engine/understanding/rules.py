"""Safe rules for texts the model was not trained for: what is told is kept, what asks is answered."""

from __future__ import annotations

import re

from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.labels import Act, Lifetime
from celestial_engine.core.record.reading import ReadBy, Reading
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.lang.en import questions as en_questions
from celestial_engine.lang.en.words import STOP_WORDS
from celestial_engine.lang.ko import questions as ko_questions
from celestial_engine.lang.others import COMMON_WORDS

_READ_CHARACTERS = 2_000
_TELLING_WORDS = 2  # so many common words of other languages, and more than English ones
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_ASKS = re.compile(r"[?？؟;՞]\s*$")
_TELLS_LITTLE = 8  # characters
_LONGEST_QUESTION = 60  # characters that `surely_asks` reads


def is_foreign(text: str) -> bool:
    """Whether a text is in another language than English and Korean, or in none."""
    head = text[:_READ_CHARACTERS]
    language = language_of(head)
    if language is not Language.EN:
        return language is Language.OTHER
    words = {word.casefold() for word in _WORD.findall(head.replace("’", "'"))}
    other = {word for word in words - STOP_WORDS if word in COMMON_WORDS or not word.isascii()}
    return len(other) >= max(_TELLING_WORDS, 1 + len(words & STOP_WORDS))


def surely_asks(text: str) -> bool:
    """Whether a short text is a question by its form, with or without a question mark."""
    head = text.strip()
    if len(head) > _LONGEST_QUESTION:
        return False
    asking = ko_questions if language_of(head) is Language.KO else en_questions
    return compiled(asking.SURELY_ASKS, re.IGNORECASE).fullmatch(head) is not None


def read_by_rules(text: str) -> Reading:
    """Returns a cautious reading: it would rather keep a trifle than lose a fact."""
    head = text[:_READ_CHARACTERS].strip()
    letters = sum(char.isalpha() or not (char.isascii() or char.isspace()) for char in head)  # with vowel signs
    if _ASKS.search(head):
        return Reading(Act.QUESTION, 0.9, keep=0.1, needs_memory=0.6, read_by=ReadBy.RULES)
    if letters < _TELLS_LITTLE and not _is_dense(head):
        return Reading(Act.REACTION, 0.6, keep=0.05, read_by=ReadBy.RULES)
    return Reading(Act.STATEMENT, 0.5, keep=0.6, lifetime=Lifetime.SEASON, read_by=ReadBy.RULES)


def _is_dense(text: str) -> bool:
    """Whether a few characters may already say something, as in Chinese and Japanese."""
    return sum("\u3040" <= char <= "\u9fff" for char in text) >= _TELLS_LITTLE // 2
