"""Patterns that are compiled when they are first used: most are for texts that seldom come."""

from __future__ import annotations

import re
from functools import cache


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """For the patterns of the code and of the languages, which are few: none is ever let go."""
    return re.compile(pattern, flags)
