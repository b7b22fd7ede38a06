"""Regular expressions compiled on first use, because most are rarely needed."""

from __future__ import annotations

import re
from functools import cache


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compiles and caches a pattern. The cache is unbounded: patterns come from code, never from input."""
    return re.compile(pattern, flags)
