"""Which language a text is in, by its letters."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

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
        return Language.EN if re.search("[A-Za-z]", text) else Language.OTHER
    korean, english = re.findall(f"[{_HANGUL}]+", text), re.findall(f"[{_LATIN}]+", text)
    hangul, latin = sum(map(len, korean)), sum(map(len, english))
    if hangul + latin <= len(re.findall(rf"[^\W\d_{_HANGUL}{_LATIN}]", text)):
        return Language.OTHER
    # Between the two the words decide: a Korean sentence glues a particle to each English noun.
    if hangul and (hangul >= _CLEARLY_KOREAN * (hangul + latin) or 2 * len(korean) >= len(english)):
        return Language.KO
    return Language.EN
