"""Versions for optimistic locking, and digests that recognise repeated requests (idempotency keys)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from celestial_engine.core.codec import encode
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.errors import InvalidInputError, Reason, VersionError

KEY_HOLDS_SECONDS = 86_400.0  # how long an idempotency key is valid
_MOST_KEY = 200
_DIGITS = 16
# Fields that users and sleep change. Recalls, orbit and vectors change on their own and do not count.
_VERSIONED_FIELDS = (
    "content", "metadata", "arbitrary_importance", "tags", "tier", "state", "protection", "user_rating", "links",
    "validity", "category", "keywords", "document", "time", "space", "agent", "emotion",
)  # fmt: skip
# Fields of a store request that do not depend on when or by which evaluator it is processed.
_REQUEST_FIELDS = (
    "content", "metadata", "tags", "tier", "protection", "source", "document", "space", "agent",
)  # fmt: skip


@dataclass(frozen=True)
class UsedKey:
    """An idempotency key that was used before: the digest of its request, and the memory it created."""

    digest: str
    item_id: str


def version_of(item: CelestialItem) -> str:
    """Returns a version that changes when the memory is edited, and not when it is recalled."""
    return _digest({name: getattr(item, name) for name in _VERSIONED_FIELDS})[:_DIGITS]


def check_version(item: CelestialItem, expected: str | None) -> None:
    """Raises VersionError if the memory has another version than expected; None accepts any."""
    if expected is not None and version_of(item) != expected:
        raise VersionError(item_id=item.id)


def request_digest(item: CelestialItem) -> str:
    """Returns a digest of the request that stores this memory; secrets are already redacted."""
    request: dict[str, Any] = {name: getattr(item, name) for name in _REQUEST_FIELDS}
    importance = item.arbitrary_importance if item.importance_source == "given" else None
    given_fields = {name.value: getattr(item, name.value) for name in item.given}
    session, links = item.time.session_id, item.links
    return _digest({**request, **given_fields, "importance": importance, "session": session, "links": links})


def check_key(key: object) -> str | None:
    """Returns a valid idempotency key (or None); otherwise raises InvalidInputError."""
    if key is None:
        return None
    if not isinstance(key, str) or not 1 <= len(key) <= _MOST_KEY or not key.isprintable():
        raise InvalidInputError("idempotency_key", Reason.NOT_PRINTABLE, least=1, most=_MOST_KEY)
    return key


def _digest(values: dict[str, Any]) -> str:
    encoded = {name: encode(value, sparse=True) for name, value in values.items()}
    text = json.dumps(encoded, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
