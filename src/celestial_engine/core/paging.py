"""Pagination with cursors that stay valid while memories are added."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from celestial_engine.core.checks import check_id
from celestial_engine.errors import InvalidInputError, Reason

T = TypeVar("T")
_MOST_SECONDS = 1e15


class PagePosition(NamedTuple):
    """The last position of a page in a list that is newest first."""

    created_at: float
    item_id: str


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page; pass `cursor` to get the next one. It is None on the last page."""

    items: Sequence[T]
    cursor: str | None = None


def cursor_of(kind: str, *place: float | str) -> str:
    """Encodes a position as an opaque cursor."""
    text = json.dumps([kind, *place], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def position_at(cursor: str) -> PagePosition:
    created_at, item_id = _read("m", cursor, 2)
    if not isinstance(created_at, (int, float)) or not abs(created_at) < _MOST_SECONDS:
        raise _invalid_cursor()
    return PagePosition(float(created_at), check_id(item_id))


def number_at(kind: str, cursor: str) -> int:
    (number,) = _read(kind, cursor, 1)
    if not isinstance(number, int) or isinstance(number, bool) or not -1 <= number < 1 << 63:
        raise _invalid_cursor()
    return number


def _read(kind: str, cursor: str, length: int) -> list[object]:
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        parts = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError, AttributeError):
        raise _invalid_cursor() from None
    if not isinstance(parts, list) or len(parts) != length + 1 or parts[0] != kind:
        raise _invalid_cursor()
    return parts[1:]


def _invalid_cursor() -> InvalidInputError:
    return InvalidInputError("cursor", Reason.OF_ANOTHER_LIST)
