"""Detects the language of a text by its letters."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from celestial_engine.core.patterns import compiled

_READ_CHARACTERS = 2_000
_HANGUL = "가-힣ㄱ-ㆎ\u1100-\u11ff"
_LATIN = "A-Za-z\u00c0-\u024f"
_CLEARLY_KOREAN = 0.4  # share of Hangul among Hangul and Latin letters


class Language(str, Enum):
    KO = "ko"
    EN = "en"
    OTHER = "other"


@lru_cache(maxsize=4)  # callers ask for the same text several times in a row
def language_of(text: str) -> Language:
    """Returns the language. Korean with English nouns is Korean, English with a Korean word is English."""
    text = text[:_READ_CHARACTERS]
    if text.isascii():
        return Language.EN if compiled("[A-Za-z]").search(text) else Language.OTHER
    korean, english = compiled(f"[{_HANGUL}]+").findall(text), compiled(f"[{_LATIN}]+").findall(text)
    hangul, latin = sum(map(len, korean)), sum(map(len, english))
    if hangul + latin <= len(compiled(rf"[^\W\d_{_HANGUL}{_LATIN}]").findall(text)):
        return Language.OTHER
    # In between, count words: a Korean sentence attaches a particle to each English noun.
    if hangul and (hangul >= _CLEARLY_KOREAN * (hangul + latin) or 2 * len(korean) >= len(english)):
        return Language.KO
    return Language.EN
