"""Removes times from a text; what is left may happen again."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.lang.en import distillation as en_distilling
from celestial_engine.lang.en import time as en_time
from celestial_engine.lang.ko import distillation as ko_distilling
from celestial_engine.lang.ko import time as ko_time

_ISO = r"(?<![0-9])(?:19|20)[0-9]{2}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?:[T ][0-9:.]+Z?)?"


@lru_cache(maxsize=2)
def _time_patterns(korean: bool) -> tuple[re.Pattern[str], ...]:
    if korean:
        patterns = (_ISO, *(pattern for _, pattern in ko_time.PATTERNS), *ko_distilling.MOMENTS)
        return tuple(re.compile(rf"(?:{pattern}){ko_distilling.AFTER_MOMENTS}") for pattern in patterns)
    patterns = (_ISO, *(pattern for _, pattern in en_time.PATTERNS), *en_distilling.MOMENTS)
    before, after = en_distilling.BEFORE_MOMENTS, en_distilling.AFTER_MOMENTS
    return tuple(re.compile(rf"{before}(?:{pattern}){after}", re.IGNORECASE) for pattern in patterns)


def without_times(text: str) -> str:
    """Removes dates, weekdays and hours: "2월 15일 삐돌이가 카페에 갔다" -> "삐돌이가 카페에 갔다"."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    for pattern in _time_patterns(language_of(plain) is Language.KO):
        plain = pattern.sub(" ", plain)
    plain = compiled(r"\s+([,.!?])").sub(r"\1", " ".join(plain.split()))
    return compiled(r"^[\s,.:;~-]+|[\s,:;-]+$").sub("", plain)
