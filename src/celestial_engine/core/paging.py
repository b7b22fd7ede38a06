"""Pages: a few at a time, and a cursor that says where the next few begin, whatever is stored meanwhile."""

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
    """Where a page ended among memories that are listed newest first."""

    created_at: float
    item_id: str


@dataclass(frozen=True)
class Page(Generic[T]):
    """Some of many; `cursor` asks for the next ones, and is None after the last."""

    items: Sequence[T]
    cursor: str | None = None


def cursor_of(kind: str, *place: float | str) -> str:
    """An opaque text: nobody should read it, anybody may keep it."""
    text = json.dumps([kind, *place], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def position_at(cursor: str) -> PagePosition:
    created_at, item_id = _read("m", cursor, 2)
    if not isinstance(created_at, (int, float)) or not abs(created_at) < _MOST_SECONDS:
        raise _refused()
    return PagePosition(float(created_at), check_id(item_id))


def number_at(kind: str, cursor: str) -> int:
    (number,) = _read(kind, cursor, 1)
    if not isinstance(number, int) or isinstance(number, bool) or not -1 <= number < 1 << 63:
        raise _refused()
    return number


def _read(kind: str, cursor: str, length: int) -> list[object]:
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        found = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError, AttributeError):
        raise _refused() from None
    if not isinstance(found, list) or len(found) != length + 1 or found[0] != kind:
        raise _refused()
    return found[1:]


def _refused() -> InvalidInputError:
    return InvalidInputError("cursor", Reason.OF_ANOTHER_LIST)
