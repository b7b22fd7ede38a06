"""Finds emoji, emoticons and laughing or crying letters (ㅋㅋ, ㅠㅠ) in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from celestial_engine.core.emotion.words import EmotionHit, Sense, senses
from celestial_engine.lang import emotion_signs

_PICTURES = "\U0001f300"  # where the emoji proper begin
_LONGEST_SHOWN = 4  # ㅋㅋㅋㅋㅋㅋㅋㅋ is shortened to ㅋㅋㅋㅋ


class _Signs(NamedTuple):
    beginning: re.Pattern[str]
    pictures: re.Pattern[str]
    emoticon: re.Pattern[str]
    emoji: dict[str, Sense]
    senses: tuple[tuple[Sense, bool], ...]  # of each group of `emoticon`, and whether it is soft


@lru_cache(maxsize=1)
def _signs() -> _Signs:
    emoji = senses(emotion_signs.EMOJI, {})
    tables = ((emotion_signs.EMOTICONS, False), (emotion_signs.SOFT, True))
    patterns = [(key, pattern, soft) for table, soft in tables for key, pattern in table.items()]
    return _Signs(
        re.compile(f"[{''.join(sign for sign in emoji if sign < _PICTURES)}{emotion_signs.BEGINNINGS}]"),
        re.compile(f"[{_PICTURES}-\U0001faff]"),
        re.compile("|".join(f"({pattern})" for _, pattern, _ in patterns)),
        emoji,
        tuple((senses({key: "sign"}, {})["sign"], soft) for key, _, soft in patterns),
    )


def signs_in(text: str) -> Iterator[EmotionHit]:
    """Yields emoticons and symbols, then emoji."""
    beginning, pictures, emoticon, emoji, table = _signs()
    end = 0
    for match in beginning.finditer(text):  # one character class is faster than thirty patterns
        start = match.start()
        if start < end:
            continue
        if found := emoticon.match(text, start):
            sense, soft = table[(found.lastindex or 1) - 1]
            end = found.end()
            yield EmotionHit(start, found.group()[:_LONGEST_SHOWN], sense, 1.0, soft)
        elif match.group() in emoji:
            yield EmotionHit(start, match.group(), emoji[match.group()], 1.0)
    for match in pictures.finditer(text):
        if match.group() in emoji:
            yield EmotionHit(match.start(), match.group(), emoji[match.group()], 1.0)
