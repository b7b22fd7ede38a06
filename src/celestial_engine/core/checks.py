"""Bad input, refused at the door."""

from __future__ import annotations

import json
from collections.abc import Iterable
from enum import Enum
from typing import Any, TypeVar

from celestial_engine.errors import (
    ConfigError,
    ContentTooLargeError,
    EmptyContentError,
    InvalidImportanceError,
    InvalidInputError,
    InvalidLimitError,
    InvalidMetadataError,
    InvalidTextError,
)

E = TypeVar("E", bound=Enum)

MOST_CONTENT_BYTES = 1 << 20
MOST_METADATA_BYTES = 1 << 18
MOST_METADATA_DEPTH = 64
LAST_SECOND = 1e11
MOST_RESULTS = 1_000_000
MOST_COUNTED = 1_000_000_000  # recalls and the like of one memory
MOST_TAGS = 10_000
MOST_TOKENS = 10_000_000


def check_text(text: object, field: str = "content") -> str:
    """Text that can be stored: not empty, valid UTF-8, at most 1 MiB."""
    if not isinstance(text, str):
        raise InvalidTextError(field=field, reason=f"it is {type(text).__name__}, not str")
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        reason = f"character {error.start} is half of a pair (a lone surrogate)"
        raise InvalidTextError(field=field, reason=reason) from None
    if not text.strip():
        raise EmptyContentError(field=field)
    if size > MOST_CONTENT_BYTES:
        raise ContentTooLargeError(field=field, size=size, most=MOST_CONTENT_BYTES)
    return text


def check_importance(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InvalidImportanceError(value=value)
    if not 0.0 <= value <= 1.0:  # false for NaN; safe for whole numbers that no float holds
        raise InvalidImportanceError(value=value)
    return float(value)


def check_metadata(metadata: object) -> dict[str, Any]:
    """A JSON object; a copy, so that the caller's later changes do not reach the stored memory."""
    if metadata is None:
        return {}
    if not isinstance(metadata, dict):
        raise InvalidMetadataError(reason=f"it is {type(metadata).__name__}, not dict")
    try:
        _check_nested(metadata)
        text = json.dumps(metadata, ensure_ascii=False, allow_nan=False)
        size = len(text.encode())
    except InvalidMetadataError:
        raise
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidMetadataError(reason=str(error) or type(error).__name__) from None
    if size > MOST_METADATA_BYTES:
        raise InvalidMetadataError(reason=f"it has {size} bytes, more than {MOST_METADATA_BYTES}")
    copied: dict[str, Any] = json.loads(text)
    return copied


def _check_nested(value: object, depth: int = 0) -> None:
    if depth > MOST_METADATA_DEPTH:
        raise InvalidMetadataError(reason=f"it is nested more than {MOST_METADATA_DEPTH} levels deep")
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise InvalidMetadataError(reason="its keys are not all strings")
        for inner in value.values():
            _check_nested(inner, depth + 1)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            _check_nested(inner, depth + 1)


def check_id(value: object) -> str:
    """Anything that could be an id. Unknown ones are somebody else's question."""
    if not isinstance(value, str):
        raise InvalidTextError(field="id", reason=f"it is {type(value).__name__}, not str")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidTextError(field="id", reason="it holds half of a pair (a lone surrogate)") from None
    return value


def check_ids(ids: object, field: str) -> tuple[str, ...]:
    if isinstance(ids, str) or not isinstance(ids, Iterable):
        raise InvalidInputError(field=field, reason="they must be a list of ids")
    return tuple(dict.fromkeys(check_id(item_id) for item_id in ids))


def check_tags(tags: object) -> tuple[str, ...]:
    if isinstance(tags, str) or not isinstance(tags, Iterable):
        raise InvalidInputError(field="tags", reason="they must be a list of texts")
    given = tuple(dict.fromkeys(check_text(tag, "tag") for tag in tags))
    if len(given) > MOST_TAGS:
        raise InvalidInputError(field="tags", reason=f"there are {len(given)}, more than {MOST_TAGS}")
    return given


def check_choice(kind: type[E], value: object, field: str) -> E:
    """A member of a closed choice, or its name."""
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(str(member.value) for member in kind)
        raise InvalidInputError(field=field, reason=f"it is {value!r}, not one of {known}") from None


def check_time(now: object) -> float:
    """What a clock says: seconds since 1970, within a few thousand years."""
    if isinstance(now, bool) or not isinstance(now, (int, float)) or not abs(now) < LAST_SECOND:
        raise ConfigError(reason=f"the clock gave {now!r}, not seconds since 1970")
    return float(now)


def check_limit(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_RESULTS:
        raise InvalidLimitError(value=value)
    return value


def check_budget(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_TOKENS:
        raise InvalidInputError(field="budget", reason=f"it must be 0 to {MOST_TOKENS} tokens, not {value!r}")
    return value


def check_positive(**values: float | None) -> None:
    # 10,000 years in days or seconds is for ever; beyond that, clocks overflow.
    bad = [f"{name} must be more than 0 and at most 3650000, or None, not {value!r}" for name, value in values.items()
           if value is not None and not 0 < value <= 3_650_000]  # fmt: skip
    if bad:
        raise ConfigError(reason="; ".join(bad))
