"""Values as other systems write them: times, numbers, names. What makes no sense is as if it were not there."""

from __future__ import annotations

import math
from datetime import datetime, timezone, tzinfo
from typing import Any

from celestial_engine.core.checks import LAST_SECOND, MOST_COUNTED
from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.coordinate import TimeCoordinate
from celestial_engine.core.record.coordinate_checks import MOST_NAME
from celestial_engine.core.record.item import Category

_MOST_TAGS = 100
_MILLISECONDS_FROM = 1e11  # seconds reach that in the year 5138
# 2024-05-01, and as tables in Korea have it: 2024/05/01, 2024. 5. 1.
_DATE = r"(\d{4})(?:-|/|\. ?)(\d\d?)(?:-|/|\. ?)(\d\d?)\.?"
_ISO = _DATE + r"(?:[T ](\d\d?:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?"


def moment(value: object, zone: tzinfo | None = timezone.utc) -> float | None:
    """Seconds since 1970, of seconds, milliseconds or a date; one without a time zone is of `zone` (None: ours)."""
    if isinstance(value, str):
        value = value.strip()
        iso = compiled(_ISO).fullmatch(value)
        if iso is not None:
            return _dated(iso.groups(), zone)
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < LAST_SECOND * 1000:
        return None
    seconds = value / 1000 if abs(value) >= _MILLISECONDS_FROM else value
    return float(seconds)


def _dated(parts: tuple[Any, ...], zone: tzinfo | None) -> float | None:
    year, month, day, clock, fraction, offset = parts
    if offset in ("Z", "z"):
        offset = "+00:00"
    elif offset and ":" not in offset:
        offset = f"{offset[:3]}:{offset[3:] or '00'}"
    try:
        read = datetime.fromisoformat(f"{year}-{month:0>2}-{day:0>2}T{_padded(clock)}{offset or ''}")
        if read.tzinfo is None and zone is not None:
            read = read.replace(tzinfo=zone)
        return read.timestamp() + (float(f"0.{fraction}") if fraction else 0.0)
    except (ValueError, OverflowError, OSError):
        return None


def _padded(clock: str | None) -> str:
    """9:30 as 09:30; a day without a time begins with it."""
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
    except OverflowError:  # a whole number that no float holds
        return None


def share(value: object) -> float | None:
    """A number from 0 to 1; beyond that, the nearest."""
    read = number(value)
    return None if read is None else max(0.0, min(1.0, read))


def count(value: object) -> int:
    read = number(value)
    return 0 if read is None else int(max(0.0, min(read, MOST_COUNTED)))


def truth(value: object) -> bool:
    if isinstance(value, str):
        return value.strip().casefold() in ("true", "1", "yes", "y", "on")
    return value is True or value == 1


def names(value: object) -> tuple[str, ...]:
    """Tags or keywords: a list of texts, or one text with commas."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else ()
    told = (part.strip().removeprefix("#")[:MOST_NAME] for part in parts if isinstance(part, str))
    return tuple(dict.fromkeys(part for part in told if part))[:_MOST_TAGS]


def text(value: object) -> str | None:
    """A text that says something."""
    return value if isinstance(value, str) and value.strip() else None


def name(value: object) -> str | None:
    """A short text that names something; numbers do, too."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = str(value)
    return value.strip() if isinstance(value, str) and 0 < len(value.strip()) <= MOST_NAME else None


def category(value: object) -> Category | None:
    return next((known for known in Category if known.value == value), None)


def session(origin: str, value: object, sequence: object = None) -> TimeCoordinate:
    """The place in a conversation, named after where it took place."""
    told = name(value)
    if told is None:
        return TimeCoordinate()
    read = number(sequence)
    return TimeCoordinate(f"{origin}:{told}"[:MOST_NAME], None if read is None or read < 0 else int(read))


def mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
