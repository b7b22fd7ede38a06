"""How an item of a LangGraph store lies in a memory: its text to be found by, its value and name in the metadata.

Its namespace is its session and its project: sessions are listed without reading memories, and what is said in one
project never ends or swallows what is said in another. Two kinds of tag lead to it by the index of filters: one for
the item itself, one for each beginning of its namespace.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from celestial_engine.adapters.langgraph.matching import Namespace
from celestial_engine.core.checks import check_metadata
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter

_METADATA = "langgraph"
_SESSION = "langgraph:"
_TTL_TAG = "langgraph-ttl"
_MOST_TEXT = 200_000  # characters, in UTF-8 below what a memory takes


@dataclass(frozen=True)
class Record:
    """An item of the store, as its metadata tells it. Times are seconds since the Unix epoch, `ttl` minutes."""

    namespace: Namespace
    name: str  # the item's key; "key: 1f3a..." would be taken for a secret
    value: dict[str, Any]
    created_at: float
    updated_at: float
    indexed: bool = True
    ttl: float | None = None
    expires_at: float | None = None

    @classmethod
    def read(cls, item: CelestialItem) -> Record | None:
        """What was put, or None for a memory that nobody put."""
        told: Any = item.metadata.get(_METADATA)
        try:
            return cls(**{**told, "namespace": tuple(told["namespace"])})
        except (TypeError, KeyError):
            return None

    def metadata(self) -> dict[str, Any]:
        """As it is kept; what JSON cannot hold raises InvalidMetadataError."""
        return check_metadata({_METADATA: {**vars(self), "namespace": list(self.namespace)}})

    def expired(self, now: float) -> bool:
        return self.expires_at is not None and self.expires_at <= now

    def refreshed(self, now: float) -> Record:
        """Its time set anew."""
        return self if self.ttl is None else replace(self, expires_at=now + self.ttl * 60.0)

    @property
    def place(self) -> tuple[Namespace, str]:
        return self.namespace, self.name


def session_of(namespace: Namespace) -> str:
    return _SESSION + json.dumps(namespace)  # in ASCII: what looks alike stays apart


def namespace_of(session_id: str) -> Namespace | None:
    """The inverse of `session_of`; None for any other session."""
    if not session_id.startswith(_SESSION):
        return None
    try:
        labels = json.loads(session_id[len(_SESSION) :])
    except ValueError:
        return None
    return tuple(labels) if isinstance(labels, list) and all(isinstance(label, str) for label in labels) else None


def tags_of(record: Record) -> tuple[str, ...]:
    beginnings = (record.namespace[:length] for length in range(len(record.namespace) + 1))
    limited = () if record.ttl is None else (_TTL_TAG,)
    return (_item_tag(record.namespace, record.name), *map(_beginning_tag, beginnings), *limited)


def one(namespace: Namespace, name: str) -> ItemFilter:
    return ItemFilter(tags=(_item_tag(namespace, name),))


def below(prefix: Namespace) -> ItemFilter:
    return ItemFilter(tags=(_beginning_tag(prefix),))


LIMITED = ItemFilter(tags=(_TTL_TAG,))


def _item_tag(namespace: Namespace, name: str) -> str:
    return f"langgraph-item-{_digest([namespace, name])}"


def _beginning_tag(prefix: Namespace) -> str:
    return f"langgraph-under-{_digest(prefix)}"


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:32]  # tags ignore capitals, digests have none


def text_of(record: Record, texts: Sequence[str] | None) -> str:
    """What an item is found by: the texts of the fields chosen, else of all of them, else its name."""
    if not record.indexed:
        found: list[str] = []
    elif texts is None:
        leaves = list(_leaves(record.value))
        found = [leaves[0][1]] if len(leaves) == 1 else [f"{name}: {text}" for name, text in leaves]
    else:
        found = list(texts)
    text = "\n".join(part for part in found if part.strip())
    return text[:_MOST_TEXT] if text.strip() else f"{record.namespace[-1]}: {record.name}"


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text and number, with the name of the field that it stands in."""
    if isinstance(value, Mapping):
        for field, inner in value.items():
            yield from _leaves(inner, field)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _leaves(inner, name)
    elif value is not None and str(value).strip():
        yield name, value if isinstance(value, str) else json.dumps(value)
