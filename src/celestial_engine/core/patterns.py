"""Regular expressions compiled on first use, because most are rarely needed."""

from __future__ import annotations

import re
from functools import cache


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compiles and caches a pattern. The cache is unbounded: patterns come from code, never from input."""
    return re.compile(pattern, flags)


def has_either(text: str, english: str, korean: str) -> bool:
    """Whether a text has a match of one of two patterns, whatever the case. ASCII has none of a Korean pattern."""
    if compiled(english, re.IGNORECASE).search(text):
        return True
    return not text.isascii() and compiled(korean, re.IGNORECASE).search(text) is not None
