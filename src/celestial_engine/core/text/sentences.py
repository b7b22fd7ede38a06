"""Splits English and Korean text into sentences, also in chats without full stops."""

from __future__ import annotations

import re
from itertools import pairwise

from celestial_engine.core.patterns import compiled

# A laugh (ㅋㅋ) ends a sentence too.
_MAY_END = r"[.!?…。][\"'”’)]*\s+|(?:ㅋㅋ|ㅎㅎ|ㅠㅠ)\s+|\n"
_TITLES = ("Mr", "Ms", "Mrs", "Dr", "St", "Prof", "vs", "e.g", "i.e")


def sentences_of(text: str) -> list[str]:
    """Returns the sentences of a text, without surrounding whitespace."""
    cuts = [0, *(end.end() for end in compiled(_MAY_END).finditer(text) if _ends(text, end)), len(text)]
    parts = [text[start:end].strip() for start, end in pairwise(cuts)]
    return [part for part in parts if part]


def _ends(text: str, end: re.Match[str]) -> bool:
    """Whether a sentence ends here: not after a title, nor after a number (2023. 5. 8.) in most cases."""
    before = text[max(0, end.start() - 5) : end.start()]
    if text[end.start()] != ".":
        return True
    if before[-1:].isdigit():
        begins = text[end.end() : end.end() + 1]
        return before[-4:].isdigit() and (begins.isupper() or "가" <= begins <= "힣")
    return not before.split(" ")[-1].endswith(_TITLES)
