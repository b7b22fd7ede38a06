"""Bad input, refused at the door."""

from __future__ import annotations

import json
import math
from typing import Any

from celestial_engine.errors import (
    ContentTooLargeError,
    EmptyContentError,
    InvalidImportanceError,
    InvalidLimitError,
    InvalidMetadataError,
    InvalidTextError,
)

MOST_CONTENT_BYTES = 1 << 20
MOST_METADATA_BYTES = 1 << 18
MOST_RESULTS = 1_000_000


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
    if not math.isfinite(value) or not 0.0 <= value <= 1.0:
        raise InvalidImportanceError(value=value)
    return float(value)


def check_metadata(metadata: object) -> dict[str, Any]:
    """A JSON object; a copy, so that the caller's later changes do not reach the stored memory."""
    if metadata is None:
        return {}
    if not isinstance(metadata, dict):
        raise InvalidMetadataError(reason=f"it is {type(metadata).__name__}, not dict")
    if not all(isinstance(key, str) for key in metadata):
        raise InvalidMetadataError(reason="its keys are not all strings")
    try:
        text = json.dumps(metadata, ensure_ascii=False, allow_nan=False)
        size = len(text.encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidMetadataError(reason=str(error) or type(error).__name__) from None
    if size > MOST_METADATA_BYTES:
        raise InvalidMetadataError(reason=f"it has {size} bytes, more than {MOST_METADATA_BYTES}")
    copied: dict[str, Any] = json.loads(text)
    return copied


def check_limit(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_RESULTS:
        raise InvalidLimitError(value=value)
    return value
