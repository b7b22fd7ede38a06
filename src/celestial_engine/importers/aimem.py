"""The AIMEM bundle. Its checksum is checked first, then the hash of each chunk; its vectors are not taken over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from celestial_engine.core.keeping.aimem import VERSION, checksum, content_hash, is_bundle
from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.core.record.item import Category
from celestial_engine.errors import ImportSourceError, Reason
from celestial_engine.importers import values
from celestial_engine.importers.reading import UnusableEntry, document

NAME = "aimem"
_CATEGORIES = {"preference": Category.PREFERENCE, "episodic": Category.EXPERIENCE, "fact": Category.FACT}
_TAGGED = {"decision", "identity", "pitfall", "procedure", "goal"}  # kinds that have no category here
is_document = is_bundle


def read(path: str) -> Iterator[ImportedRecord | UnusableEntry]:
    bundle = values.mapping(document(path))
    if str(bundle.get("version")) != VERSION:
        raise ImportSourceError(path, Reason.BUNDLE_NEWER, got=bundle.get("version"), known=VERSION)
    try:
        fits = is_bundle(bundle) and bundle.get("checksum") == checksum(bundle)
    except (ValueError, RecursionError):
        fits = False
    if not fits:
        raise ImportSourceError(path, Reason.BUNDLE_DAMAGED)
    parents, related = _edges(bundle)
    chunks = bundle.get("chunks")
    for position, chunk in enumerate(chunks if isinstance(chunks, list) else [], 1):
        yield _record(values.mapping(chunk), f"element {position}", parents, related)


def _record(
    chunk: dict[str, Any], where: str, parents: dict[str, str], related: dict[str, tuple[str, ...]]
) -> ImportedRecord | UnusableEntry:
    identity, content = values.name(chunk.get("id")), values.text(chunk.get("content"))
    if content is None:
        return UnusableEntry(where, "no_text")
    if identity is None:
        return UnusableEntry(where, "no_id")
    if chunk.get("content_hash") not in (None, content_hash(str(chunk["content"]))):
        return UnusableEntry(where, "other_hash")
    kind = str(chunk.get("memory_type"))
    tags = values.names(chunk.get("tags"))
    return ImportedRecord(
        NAME,
        identity,
        content,
        where,
        values.parse_time(chunk.get("created_at")),
        category=_CATEGORIES.get(kind),
        tags=(*tags, kind) if kind in _TAGGED and kind not in tags else tags,
        protection=Protection.PINNED if chunk.get("is_pinned") is True else Protection.NONE,
        parent=parents.get(identity),
        related=related.get(identity, ()),
    )


def _edges(bundle: dict[str, Any]) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Whose parent is which chunk, and which others are related; edges that lead nowhere are left out later."""
    parents: dict[str, str] = {}
    related: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    edges = bundle.get("edges")
    for edge in map(values.mapping, edges if isinstance(edges, list) else []):
        source, target = values.name(edge.get("source_id")), values.name(edge.get("target_id"))
        if source is None or target is None or source == target:
            continue
        if edge.get("edge_type") == "x-parent":
            parents[source] = target
        else:
            related[source] = (*related[source], target)
    return parents, related
