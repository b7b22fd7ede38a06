"""Validates coordinates: types, ranges of numbers, text that cannot be stored."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any, TypeVar

from celestial_engine.core.checks import check_metadata
from celestial_engine.core.codec import decode, encode
from celestial_engine.core.record.coordinate import (
    MOST_DIGEST,
    AgentCoordinate,
    Coordinate,
    Document,
    EmotionCoordinate,
    Links,
    SpaceCoordinate,
    TimeCoordinate,
)
from celestial_engine.errors import InvalidItemError, InvalidMetadataError, Reason

MOST_NAME = 200  # characters of a session, a persona, a project ...
MOST_ENTRIES = 10_000  # files, keywords, tags, links of one memory
_MOST_NUMBER = 1 << 53  # the largest integer that every JSON parser reads exactly

F = TypeVar("F")

_KINDS: dict[str, Any] = {
    "time": TimeCoordinate,
    "space": SpaceCoordinate,
    "agent": AgentCoordinate,
    "emotion": EmotionCoordinate,
    "document": Document,
    "links": Links,
}
_RANGES = {
    "sequence": (0, math.inf),
    "relative_time_minutes": (0, math.inf),
    "depth_index": (0, math.inf),
    "token_count": (0, math.inf),
    "intensity": (0, 1),
    "affect_amplitude": (0, 1),
    "confidence": (0, 1),
    "sentiment_score": (-1, 1),
    "importance": (0, 1),
    "user_rating": (1, 5),
}
_NAMES = frozenset(
    "memory_id session_id project domain persona_id persona_name role backend parent parent_memory_id island".split()
)


def check_coordinate(coordinate: Coordinate) -> Coordinate:
    """Returns the coordinate if it is valid; otherwise raises InvalidItemError that names the field."""
    for name, kind in _KINDS.items():
        value = getattr(coordinate, name)
        if value is not None and value != kind():
            check_facet(kind, value, name)
    return coordinate


def check_facet(kind: type[F], value: object, name: str) -> F:
    """Returns the facet if its types, ranges and texts are valid; InvalidItemError names the bad field."""
    if not isinstance(value, kind):
        raise InvalidItemError(name, Reason.WRONG_TYPE, expected=kind.__name__, got=type(value).__name__)
    facet = decode(kind, encode(value), name)
    for part in fields(facet):  # type: ignore[arg-type]
        check_field(f"{name}.{part.name}", part.name, getattr(facet, part.name))
    return facet


def check_field(where: str, name: str, value: object) -> None:
    """Checks the range or text of one field; its type is checked before."""
    if isinstance(value, str):
        _check_string(where, name, value)
    elif isinstance(value, (list, tuple)):
        if len(value) > MOST_ENTRIES:
            raise InvalidItemError(where, Reason.TOO_MANY, most=MOST_ENTRIES, got=len(value))
        for entry in value:
            check_field(where, name, entry)
    elif isinstance(value, dict):
        try:
            check_metadata(value)
        except InvalidMetadataError as error:
            raise InvalidItemError(*(found.at(where) for found in error.problems)) from None
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        low, high = _RANGES.get(name, (-math.inf, math.inf))
        if not (abs(value) <= _MOST_NUMBER and low <= value <= high):  # also rejects NaN
            raise InvalidItemError(where, Reason.OUT_OF_RANGE, low=low, high=high, got=value)


def _check_string(where: str, name: str, value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidItemError(where, Reason.LONE_SURROGATE, position=error.start) from None
    if name in _NAMES and not 0 < len(value.strip()) <= len(value) <= MOST_NAME:
        raise InvalidItemError(where, Reason.WRONG_LENGTH, least=1, most=MOST_NAME, got=len(value.strip()))
    if name == "prompt_digest" and len(value) > MOST_DIGEST:
        raise InvalidItemError(where, Reason.TOO_LONG, most=MOST_DIGEST)
