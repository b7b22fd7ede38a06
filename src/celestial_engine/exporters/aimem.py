"""The AIMEM bundle: one JSON document with chunks, and edges between them."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote

from celestial_engine.core.keeping.aimem import (
    FORMAT,
    PRODUCER,
    VERSION,
    checksum,
    content_hash,
    known_tags,
    urn_of,
)
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.engine import CelestialMemory
from celestial_engine.exporters.files import write_whole

_KINDS = {Category.PREFERENCE: "preference", Category.EXPERIENCE: "episodic", Category.EMOTION: "episodic"}


def write(path: str, items: list[CelestialItem], memory: CelestialMemory) -> int:
    owner = memory.owner
    there = {item.id for item in items}
    bundle: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "producer": PRODUCER,
        "tenant_id": f"urn:celestial:{quote(owner.user_id, safe='')}:{quote(owner.agent_id, safe='')}",
        "exported_at": _moment(datetime.now(timezone.utc)),
        "scope": "FULL",
        "chunks": [_chunk(item) for item in items],
        "edges": [edge for item in items for edge in _edges(item, there)],
        "entities": [],
        "chunk_entities": [],
    }
    bundle["checksum"] = checksum(bundle)
    write_whole(path, json.dumps(bundle, ensure_ascii=False, indent=1) + "\n")
    return len(items)


def _chunk(item: CelestialItem) -> dict[str, Any]:
    return {
        "id": urn_of(item.id),
        "content": item.content,
        "content_hash": content_hash(item.content),
        "memory_type": "fact" if item.category is None else _KINDS.get(item.category, "fact"),
        "zone": "critical" if item.protection is Protection.CORE else "standard",
        "is_pinned": item.protection is not Protection.NONE,
        "created_at": _moment(datetime.fromtimestamp(item.created_at, timezone.utc)),
        "tags": known_tags(item.tags),
    }


def _edges(item: CelestialItem, there: set[str]) -> list[dict[str, Any]]:
    ends = [("x-parent", item.links.parent), *(("semantic", other) for other in item.links.related)]
    created = _moment(datetime.fromtimestamp(item.created_at, timezone.utc))
    return [
        {
            "source_id": urn_of(item.id),
            "target_id": urn_of(other),
            "edge_type": kind,
            "weight": 1,
            "created_at": created,
        }
        for kind, other in ends
        if other in there
    ]


def _moment(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
