"""Which state of a memory somebody has seen, and whether two requests ask for the same."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from celestial_engine.core.codec import encode
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.errors import InvalidInputError, Reason, VersionError

KEY_HOLDS_SECONDS = 86_400.0  # so long a repeated request is the same request
_MOST_KEY = 200
_DIGITS = 16
# What people and nights change. Recalls, drift and vectors come and go without anybody's doing.
_TOLD = (
    "content", "metadata", "arbitrary_importance", "tags", "tier", "state", "protection", "user_rating", "links",
    "validity", "category", "document", "time", "space", "agent", "emotion",
)  # fmt: skip
# What a request says of a memory, as far as it does not depend on when or by whom it is judged.
_ASKED = (
    "content", "metadata", "tags", "tier", "protection", "source", "document", "space", "agent",
)  # fmt: skip


@dataclass(frozen=True)
class UsedKey:
    """A key that a request came with before: what it asked for, and the memory that came of it."""

    digest: str
    item_id: str


def version_of(item: CelestialItem) -> str:
    """Another one whenever somebody changed what the memory says; the same however often it is recalled."""
    return _digest({name: getattr(item, name) for name in _TOLD})[:_DIGITS]


def check_version(item: CelestialItem, expected: str | None) -> None:
    """Refuses a change that was meant for another state of the memory; None takes any."""
    if expected is not None and version_of(item) != expected:
        raise VersionError(item_id=item.id)


def request_digest(item: CelestialItem) -> str:
    """What was asked for when this memory was to be stored; secrets are redacted by then."""
    asked: dict[str, Any] = {name: getattr(item, name) for name in _ASKED}
    given = item.arbitrary_importance if item.importance_source == "given" else None
    return _digest({**asked, "importance": given, "session": item.time.session_id, "links": item.links})


def check_key(key: object) -> str | None:
    """A key that a caller made up, to be sure that a request is carried out once."""
    if key is None:
        return None
    if not isinstance(key, str) or not 1 <= len(key) <= _MOST_KEY or not key.isprintable():
        raise InvalidInputError("idempotency_key", Reason.NOT_PRINTABLE, least=1, most=_MOST_KEY)
    return key


def _digest(values: dict[str, Any]) -> str:
    encoded = {name: encode(value, sparse=True) for name, value in values.items()}
    text = json.dumps(encoded, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
