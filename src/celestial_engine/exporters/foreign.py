"""Formats of other systems, with what each of them has a place for."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from datetime import datetime, timezone
from typing import Any

from celestial_engine.core.record.forgetting import Protection
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.engine import CelestialMemory
from celestial_engine.exporters.files import write_whole

_COLUMNS = (
    "id", "content", "created_at", "last_recalled_at", "recall_count", "importance", "category", "tags", "pinned",
    "session",
)  # fmt: skip
_KINDS = {Category.EXPERIENCE: "episodic", Category.EMOTION: "emotional"}


def write_mem0(path: str, items: list[CelestialItem], memory: CelestialMemory) -> int:
    found = [
        _without_none(
            {
                "id": item.id,
                "memory": item.content,
                "created_at": _moment(item.created_at),
                "updated_at": _moment(item.last_recalled_at),
                "user_id": memory.owner.user_id,
                "agent_id": memory.owner.agent_id,
                "run_id": item.time.session_id,
                "categories": list(item.tags) or None,
                "metadata": item.metadata or None,
            }
        )
        for item in items
    ]
    write_whole(path, json.dumps({"results": found}, ensure_ascii=False, indent=1) + "\n")
    return len(items)


def write_letta(path: str, items: list[CelestialItem], memory: CelestialMemory) -> int:
    passages = [
        _without_none(
            {
                "id": f"passage-{item.id}",
                "text": item.content,
                "created_at": _moment(item.created_at),
                "tags": list(item.tags) or None,
                "metadata": item.metadata or None,
            }
        )
        for item in items
    ]
    write_whole(path, json.dumps({"passages": passages}, ensure_ascii=False, indent=1) + "\n")
    return len(items)


def write_memorywire(path: str, items: list[CelestialItem], memory: CelestialMemory) -> int:
    write_whole(path, _lines(_wire(item, memory) for item in items))
    return len(items)


def write_jsonl(path: str, items: list[CelestialItem], memory: CelestialMemory) -> int:
    write_whole(path, _lines(_row(item) | ({"metadata": item.metadata} if item.metadata else {}) for item in items))
    return len(items)


def write_csv(path: str, items: list[CelestialItem], memory: CelestialMemory) -> int:
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, _COLUMNS)
    writer.writeheader()
    for item in items:
        row = _row(item)
        writer.writerow({**row, "tags": ", ".join(row.get("tags", ()))})
    write_whole(path, table.getvalue())
    return len(items)


def _row(item: CelestialItem) -> dict[str, Any]:
    return _without_none(
        {
            "id": item.id,
            "content": item.content,
            "created_at": _moment(item.created_at),
            "last_recalled_at": _moment(item.last_recalled_at),
            "recall_count": item.recall_count,
            "importance": item.arbitrary_importance,
            "category": None if item.category is None else item.category.value,
            "tags": list(item.tags) or None,
            "pinned": item.protection is Protection.PINNED,
            "session": item.time.session_id,
        }
    )


def _wire(item: CelestialItem, memory: CelestialMemory) -> dict[str, Any]:
    kind = "semantic" if item.category is None else _KINDS.get(item.category, "semantic")
    feeling = item.emotion.tags[0].value if item.emotion.tags else None
    record = {
        "id": item.id,
        "agent_id": memory.owner.agent_id[:256],
        "user_id": memory.owner.user_id[:256],
        "type": kind,
        "content": item.content,
        "metadata": {**item.metadata, **({"tags": list(item.tags)} if item.tags else {})} or None,
        "confidence": item.arbitrary_importance,
        "source": item.source.value,
        "created_at": round(item.created_at * 1000),
        "updated_at": round(item.last_recalled_at * 1000),
        "expires_at": None if item.expires_at is None else round(item.expires_at * 1000),
    }
    if kind == "emotional":
        record |= {"emotion": feeling, "valence": max(-1.0, min(1.0, item.emotion.sentiment_score))}
    return _without_none(record)


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat()


def _without_none(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _lines(records: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)
