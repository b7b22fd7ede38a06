"""Parse values as other systems write them: times, numbers, names. Unreadable values count as missing."""

from __future__ import annotations

import math
from datetime import datetime, timezone, tzinfo
from typing import Any

from celestial_engine.core.checks import LAST_SECOND, MOST_COUNTED
from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.coordinate import TimeCoordinate
from celestial_engine.core.record.coordinate_checks import MOST_NAME
from celestial_engine.core.record.item import Category

_MAX_TAGS = 100
_MILLISECONDS_FROM = 1e11  # as seconds this is the year 5138
# 2024-05-01, and the Korean spellings 2024/05/01 and 2024. 5. 1.
_DATE = r"(\d{4})(?:-|/|\. ?)(\d\d?)(?:-|/|\. ?)(\d\d?)\.?"
_ISO = _DATE + r"(?:[T ](\d\d?:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?"


def parse_time(value: object, zone: tzinfo | None = timezone.utc) -> float | None:
    """Unix time from seconds, milliseconds or a date; `zone` applies to dates without one (None: local time)."""
    if isinstance(value, str):
        value = value.strip()
        iso = compiled(_ISO).fullmatch(value)
        if iso is not None:
            return _timestamp(iso.groups(), zone)
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < LAST_SECOND * 1000:
        return None
    seconds = value / 1000 if abs(value) >= _MILLISECONDS_FROM else value
    return float(seconds)


def _timestamp(parts: tuple[Any, ...], zone: tzinfo | None) -> float | None:
    year, month, day, clock, fraction, offset = parts
    if offset in ("Z", "z"):
        offset = "+00:00"
    elif offset and ":" not in offset:
        offset = f"{offset[:3]}:{offset[3:] or '00'}"
    try:
        parsed = datetime.fromisoformat(f"{year}-{month:0>2}-{day:0>2}T{_padded(clock)}{offset or ''}")
        if parsed.tzinfo is None and zone is not None:
            parsed = parsed.replace(tzinfo=zone)
        return parsed.timestamp() + (float(f"0.{fraction}") if fraction else 0.0)
    except (ValueError, OverflowError, OSError):
        return None


def _padded(clock: str | None) -> str:
    """Pad 9:30 to 09:30; without a time, the start of the day."""
    return "00:00" if clock is None else clock if clock[2] == ":" else f"0{clock}"


def number(value: object) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < math.inf:
        return None
    try:
        return float(value)
    except OverflowError:  # an integer too large for a float
        return None


def parse_fraction(value: object) -> float | None:
    """A number, clamped to 0..1."""
    parsed = number(value)
    return None if parsed is None else max(0.0, min(1.0, parsed))


def count(value: object) -> int:
    parsed = number(value)
    return 0 if parsed is None else int(max(0.0, min(parsed, MOST_COUNTED)))


def parse_bool(value: object) -> bool:
    if isinstance(value, str):
        return value.strip().casefold() in ("true", "1", "yes", "y", "on")
    return value is True or value == 1


def names(value: object) -> tuple[str, ...]:
    """Tags or keywords from a list of texts or a comma-separated text."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else ()
    stripped = (part.strip().removeprefix("#")[:MOST_NAME] for part in parts if isinstance(part, str))
    return tuple(dict.fromkeys(part for part in stripped if part))[:_MAX_TAGS]


def text(value: object) -> str | None:
    """The text, or None if it is blank."""
    return value if isinstance(value, str) and value.strip() else None


def name(value: object) -> str | None:
    """A short name, without surrounding space; numbers are converted to text."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = str(value)
    return value.strip() if isinstance(value, str) and 0 < len(value.strip()) <= MOST_NAME else None


def category(value: object) -> Category | None:
    return next((known for known in Category if known.value == value), None)


def session(origin: str, value: object, sequence: object = None) -> TimeCoordinate:
    """The position in a conversation, with a session id prefixed by the source system."""
    session_id = name(value)
    if session_id is None:
        return TimeCoordinate()
    position = number(sequence)
    return TimeCoordinate(
        f"{origin}:{session_id}"[:MOST_NAME], None if position is None or position < 0 else int(position)
    )


def mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
