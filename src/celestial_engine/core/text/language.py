"""Which language a text is in, by its letters."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from celestial_engine.core.patterns import compiled

_LOOKED_AT = 2_000
_HANGUL = "가-힣ㄱ-ㆎ\u1100-\u11ff"
_LATIN = "A-Za-z\u00c0-\u024f"
_CLEARLY_KOREAN = 0.4  # share of Hangul among its letters and the Latin ones


class Language(str, Enum):
    KO = "ko"
    EN = "en"
    OTHER = "other"


@lru_cache(maxsize=4)  # the same text is asked about several times in a row
def language_of(text: str) -> Language:
    """The language of a text. Korean with English nouns in it is Korean, English with a Korean word is English."""
    text = text[:_LOOKED_AT]
    if text.isascii():
        return Language.EN if compiled("[A-Za-z]").search(text) else Language.OTHER
    korean, english = compiled(f"[{_HANGUL}]+").findall(text), compiled(f"[{_LATIN}]+").findall(text)
    hangul, latin = sum(map(len, korean)), sum(map(len, english))
    if hangul + latin <= len(compiled(rf"[^\W\d_{_HANGUL}{_LATIN}]").findall(text)):
        return Language.OTHER
    # Between the two the words decide: a Korean sentence glues a particle to each English noun.
    if hangul and (hangul >= _CLEARLY_KOREAN * (hangul + latin) or 2 * len(korean) >= len(english)):
        return Language.KO
    return Language.EN
