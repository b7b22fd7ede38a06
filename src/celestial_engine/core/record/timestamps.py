"""Timestamps as text: ISO 8601 in UTC, with a Z."""

from __future__ import annotations

import re
from datetime import datetime

from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.events import moment_of

_FRACTION = re.compile(r"\.(\d+)")


def seconds_of(text: str) -> float:
    """The inverse of `timestamp`. Any offset is accepted; a timestamp without one is ambiguous: ValueError."""
    padded = _FRACTION.sub(lambda match: f".{match.group(1)[:6]:0<6}", text.strip())
    moment = datetime.fromisoformat(compiled("[Zz]$").sub("+00:00", padded))
    if moment.tzinfo is None:
        raise ValueError("it has no time zone (a Z, or an offset such as +09:00)")
    return moment.timestamp()


def new_session_id(now: float) -> str:
    """Returns an id such as sess_20251012_090000."""
    return f"sess_{_compact(now)}"


def new_memory_id(now: float, suffix: str) -> str:
    """Returns an id such as mem_20251012_093022_a4f3."""
    return f"mem_{_compact(now)}_{suffix}"


def _compact(seconds: float) -> str:
    return moment_of(seconds).strftime("%Y%m%d_%H%M%S")
