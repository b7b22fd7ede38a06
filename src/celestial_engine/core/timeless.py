"""A text without the times in it: what is left is what may happen again."""

from __future__ import annotations

import re
import unicodedata

from celestial_engine.core.language import Language, language_of
from celestial_engine.lang import en_distilling, en_time, ko_distilling, ko_time

_ISO = r"(?<![0-9])(?:19|20)[0-9]{2}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?:[T ][0-9:.]+Z?)?"


def without_times(text: str) -> str:
    """The text without dates, weekdays and hours: "2월 15일 삐돌이가 카페에 갔다" -> "삐돌이가 카페에 갔다"."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    if language_of(plain) is Language.KO:
        patterns = [pattern for _, pattern in ko_time.PATTERNS]
        for pattern in (_ISO, *patterns, *ko_distilling.MOMENTS):
            plain = re.sub(rf"(?:{pattern}){ko_distilling.AFTER_MOMENTS}", " ", plain)
    else:
        patterns = [pattern for _, pattern in en_time.PATTERNS]
        for pattern in (_ISO, *patterns, *en_distilling.MOMENTS):
            whole = rf"{en_distilling.BEFORE_MOMENTS}(?:{pattern}){en_distilling.AFTER_MOMENTS}"
            plain = re.sub(whole, " ", plain, flags=re.IGNORECASE)
    plain = re.sub(r"\s+([,.!?])", r"\1", " ".join(plain.split()))
    return re.sub(r"^[\s,.:;~-]+|[\s,:;-]+$", "", plain)
