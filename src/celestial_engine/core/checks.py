"""Validates input of the public API; each check returns the value or raises."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sized
from enum import Enum
from typing import Any, TypeVar

from celestial_engine.errors import (
    ConfigError,
    ContentTooLargeError,
    EmptyContentError,
    Expected,
    InvalidImportanceError,
    InvalidInputError,
    InvalidLimitError,
    InvalidMetadataError,
    InvalidTextError,
    Reason,
    problem,
)

E = TypeVar("E", bound=Enum)

MOST_CONTENT_BYTES = 1 << 20
MOST_METADATA_BYTES = 1 << 18
MOST_METADATA_DEPTH = 64
LAST_SECOND = 1e11
MOST_RESULTS = 1_000_000
MOST_COUNTED = 1_000_000_000  # recalls and the like of one memory
MOST_TAGS = 10_000
MOST_TAG_CHARACTERS = 10_000  # names of other systems are kept as tags, and some are long
MOST_KEYWORDS = 32
MOST_KEYWORD_CHARACTERS = 80
MOST_TOKENS = 10_000_000


def check_text(text: object, field: str = "content") -> str:
    """Returns text that can be stored: not empty, valid UTF-8, at most 1 MiB."""
    if not isinstance(text, str):
        raise InvalidTextError(field, Reason.WRONG_TYPE, expected=Expected.TEXT, got=type(text).__name__)
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise InvalidTextError(field, Reason.LONE_SURROGATE, position=error.start) from None
    if not text.strip():
        raise EmptyContentError(field)
    if size > MOST_CONTENT_BYTES:
        raise ContentTooLargeError(field, size=size, most=MOST_CONTENT_BYTES)
    return text


def check_importance(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InvalidImportanceError(value=value)
    if not 0.0 <= value <= 1.0:  # also rejects NaN, and integers too large for a float
        raise InvalidImportanceError(value=value)
    return float(value)


def check_metadata(metadata: object) -> dict[str, Any]:
    """Returns a copy of a JSON object, so that later changes by the caller do not affect the memory."""
    if metadata is None:
        return {}
    if not isinstance(metadata, dict):
        raise InvalidMetadataError(Reason.WRONG_TYPE, expected=Expected.OBJECT, got=type(metadata).__name__)
    try:
        _check_nested(metadata)
        text = json.dumps(metadata, ensure_ascii=False, allow_nan=False)
        size = len(text.encode())
    except InvalidMetadataError:
        raise
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidMetadataError(Reason.NOT_SERIALIZABLE, cause=str(error) or type(error).__name__) from None
    if size > MOST_METADATA_BYTES:
        raise InvalidMetadataError(Reason.TOO_LARGE, most=MOST_METADATA_BYTES, got=size)
    copied: dict[str, Any] = json.loads(text)
    return copied


def _check_nested(value: object, depth: int = 0) -> None:
    if depth > MOST_METADATA_DEPTH:
        raise InvalidMetadataError(Reason.TOO_DEEP, most=MOST_METADATA_DEPTH)
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise InvalidMetadataError(Reason.KEYS_NOT_TEXT)
        for inner in value.values():
            _check_nested(inner, depth + 1)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            _check_nested(inner, depth + 1)


def check_id(value: object) -> str:
    """Returns a well-formed id; whether it exists is checked elsewhere."""
    if not isinstance(value, str):
        raise InvalidTextError("id", Reason.WRONG_TYPE, expected=Expected.TEXT, got=type(value).__name__)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidTextError("id", Reason.LONE_SURROGATE, position=error.start) from None
    return value


def check_ids(ids: object, field: str) -> tuple[str, ...]:
    if isinstance(ids, str) or not isinstance(ids, Iterable):
        raise InvalidInputError(field, Reason.WRONG_TYPE, expected=Expected.LIST_OF_IDS, got=type(ids).__name__)
    return tuple(dict.fromkeys(check_id(item_id) for item_id in ids))


def check_tags(tags: object) -> tuple[str, ...]:
    if isinstance(tags, str) or not isinstance(tags, Iterable):
        raise InvalidInputError("tags", Reason.WRONG_TYPE, expected=Expected.LIST_OF_TEXTS, got=type(tags).__name__)
    unique = tuple(dict.fromkeys(check_text(tag, "tag") for tag in tags))
    longest = max(map(len, unique), default=0)
    if longest > MOST_TAG_CHARACTERS:
        raise InvalidInputError("tag", Reason.WRONG_LENGTH, least=1, most=MOST_TAG_CHARACTERS, got=longest)
    if len(unique) > MOST_TAGS:
        raise InvalidInputError("tags", Reason.TOO_MANY, most=MOST_TAGS, got=len(unique))
    return unique


def check_keywords(keywords: object) -> tuple[str, ...]:
    """Returns keywords without surrounding blanks: at most 32, each once, of 1 to 80 characters."""
    if isinstance(keywords, str) or not isinstance(keywords, Iterable):
        raise InvalidInputError(
            "keywords", Reason.WRONG_TYPE, expected=Expected.LIST_OF_TEXTS, got=type(keywords).__name__
        )
    checked: dict[str, None] = {}
    for count, keyword in enumerate(keywords, start=1):
        if count > MOST_KEYWORDS:
            more = len(keywords) if isinstance(keywords, Sized) else count
            raise InvalidInputError("keywords", Reason.TOO_MANY, most=MOST_KEYWORDS, got=more)
        word = _check_keyword(keyword)
        if word in checked:
            raise InvalidInputError("keywords", Reason.REPEATED, got=word)
        checked[word] = None
    return tuple(checked)


def _check_keyword(keyword: object) -> str:
    if not isinstance(keyword, str):
        raise InvalidTextError("keyword", Reason.WRONG_TYPE, expected=Expected.TEXT, got=type(keyword).__name__)
    word = keyword.strip()
    if not 1 <= len(word) <= MOST_KEYWORD_CHARACTERS:
        raise InvalidInputError("keyword", Reason.WRONG_LENGTH, least=1, most=MOST_KEYWORD_CHARACTERS, got=len(word))
    if any(unicodedata.category(sign) in ("Cc", "Zl", "Zp") for sign in word):
        raise InvalidInputError("keyword", Reason.CONTROL_CHARACTERS)
    return check_text(word, "keyword")


def check_choice(kind: type[E], value: object, field: str) -> E:
    """Returns the enum member for a member or its value."""
    try:
        return kind(value)
    except ValueError:
        raise InvalidInputError(
            field, Reason.UNKNOWN_CHOICE, got=value, choices=tuple(str(member.value) for member in kind)
        ) from None


def check_time(now: object) -> float:
    """Returns a clock's time: seconds since 1970, within a few thousand years."""
    if isinstance(now, bool) or not isinstance(now, (int, float)) or not abs(now) < LAST_SECOND:
        raise ConfigError("clock", Reason.BAD_CLOCK, got=now)
    return float(now)


def check_limit(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_RESULTS:
        raise InvalidLimitError(value=value)
    return value


def check_floor(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise InvalidInputError("floor", Reason.OUT_OF_RANGE, low=0, high=1, got=value)
    return float(value)


def check_budget(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_TOKENS:
        raise InvalidInputError("budget", Reason.WHOLE_OUT_OF_RANGE, low=0, high=MOST_TOKENS, got=value)
    return value


def check_positive(**values: float | None) -> None:
    # Larger values overflow dates; 3,650,000 days are 10,000 years.
    bad = [
        problem(name, Reason.NOT_A_LIMIT, low=0, high=3_650_000, got=value)
        for name, value in values.items()
        if value is not None and not 0 < value <= 3_650_000
    ]
    if bad:
        raise ConfigError(*bad)
