"""Mapping of a LangGraph store item to a memory: searchable text as content, value and key in the metadata.

The namespace is stored as session and as project. Sessions can be listed without reading memories, and memories of
one project never supersede or merge with those of another. Indexed tags make items findable by filter: one tag for
the item itself, and one for each prefix of its namespace.
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
_MAX_TEXT = 200_000  # characters; as UTF-8 below the limit of a memory


@dataclass(frozen=True)
class StoreRecord:
    """An item of the store, as kept in a memory's metadata. Times are seconds since the Unix epoch, `ttl` minutes."""

    namespace: Namespace
    name: str  # the item's key; the secret guard would redact "key: 1f3a..."
    value: dict[str, Any]
    created_at: float
    updated_at: float
    indexed: bool = True
    ttl: float | None = None
    expires_at: float | None = None

    @classmethod
    def read(cls, item: CelestialItem) -> StoreRecord | None:
        """Read the record of a memory; None if the memory was not put by the store."""
        fields: Any = item.metadata.get(_METADATA)
        try:
            return cls(**{**fields, "namespace": tuple(fields["namespace"])})
        except (TypeError, KeyError):
            return None

    def metadata(self) -> dict[str, Any]:
        """The metadata to store; raises InvalidMetadataError if it is not JSON."""
        return check_metadata({_METADATA: {**vars(self), "namespace": list(self.namespace)}})

    def expired(self, now: float) -> bool:
        return self.expires_at is not None and self.expires_at <= now

    def refreshed(self, now: float) -> StoreRecord:
        """A copy with its expiry counted from now."""
        return self if self.ttl is None else replace(self, expires_at=now + self.ttl * 60.0)

    @property
    def place(self) -> tuple[Namespace, str]:
        return self.namespace, self.name


def session_of(namespace: Namespace) -> str:
    return _SESSION + json.dumps(namespace)  # escaped to ASCII: lookalike labels stay distinct


def namespace_of(session_id: str) -> Namespace | None:
    """The inverse of `session_of`; None for any other session."""
    if not session_id.startswith(_SESSION):
        return None
    try:
        labels = json.loads(session_id[len(_SESSION) :])
    except ValueError:
        return None
    return tuple(labels) if isinstance(labels, list) and all(isinstance(label, str) for label in labels) else None


def tags_of(record: StoreRecord) -> tuple[str, ...]:
    prefixes = (record.namespace[:length] for length in range(len(record.namespace) + 1))
    ttl_tag = () if record.ttl is None else (_TTL_TAG,)
    return (_item_tag(record.namespace, record.name), *map(_prefix_tag, prefixes), *ttl_tag)


def item_filter(namespace: Namespace, name: str) -> ItemFilter:
    return ItemFilter(tags=(_item_tag(namespace, name),))


def namespace_filter(prefix: Namespace) -> ItemFilter:
    return ItemFilter(tags=(_prefix_tag(prefix),))


TTL_FILTER = ItemFilter(tags=(_TTL_TAG,))


def _item_tag(namespace: Namespace, name: str) -> str:
    return f"langgraph-item-{_digest([namespace, name])}"


def _prefix_tag(prefix: Namespace) -> str:
    return f"langgraph-under-{_digest(prefix)}"


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:32]  # hex digests are lower case: tags ignore case


def text_of(record: StoreRecord, texts: Sequence[str] | None) -> str:
    """The searchable text of an item: the chosen fields, else all fields, else its name."""
    if not record.indexed:
        parts: list[str] = []
    elif texts is None:
        leaves = list(_leaves(record.value))
        parts = [leaves[0][1]] if len(leaves) == 1 else [f"{name}: {text}" for name, text in leaves]
    else:
        parts = list(texts)
    text = "\n".join(part for part in parts if part.strip())
    return text[:_MAX_TEXT] if text.strip() else f"{record.namespace[-1]}: {record.name}"


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield (field name, text) for every leaf value."""
    if isinstance(value, Mapping):
        for field, inner in value.items():
            yield from _leaves(inner, field)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _leaves(inner, name)
    elif value is not None and str(value).strip():
        yield name, value if isinstance(value, str) else json.dumps(value)
