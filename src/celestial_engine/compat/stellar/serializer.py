"""Read and write stellar-memory's JSON export format."""

from __future__ import annotations

import base64
import json
import struct
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from celestial_engine.compat.stellar.models import EmotionVector, MemoryItem, MemorySnapshot
from celestial_engine.errors import Expected, InvalidItemError, Reason

VERSION = "0.3.0"
_PLAIN_FIELDS = (
    "id", "content", "created_at", "last_recalled_at", "recall_count", "arbitrary_importance", "zone", "metadata",
    "total_score",
)  # fmt: skip


class MemorySerializer:
    """Converts items to JSON and back."""

    def __init__(self, embedder_dim: int = 384) -> None:
        self._dimension = embedder_dim

    def export_json(self, items: Sequence[MemoryItem], include_embeddings: bool = True) -> str:
        records = [_to_record(item, include_embeddings) for item in items]
        document = {"version": VERSION, "exported_at": time.time(), "count": len(records), "items": records}
        return json.dumps(document, ensure_ascii=False, indent=2)

    def import_json(self, json_str: str) -> list[MemoryItem]:
        """Parse all items; raises InvalidItemError with the position of the first unreadable one."""
        try:
            records = json.loads(json_str)["items"]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise InvalidItemError(Reason.NOT_JSON, cause=str(error)) from error
        if not isinstance(records, list):
            raise InvalidItemError("items", Reason.WRONG_TYPE, expected=Expected.LIST, got=type(records).__name__)
        return [_read(record, position) for position, record in enumerate(records)]

    def snapshot(self, items: Sequence[MemoryItem]) -> MemorySnapshot:
        zones = dict(Counter(item.zone for item in items))
        return MemorySnapshot(time.time(), len(items), zones, [_to_record(item, True) for item in items], VERSION)


def _to_record(item: MemoryItem, with_embedding: bool) -> dict[str, Any]:
    record = {name: getattr(item, name) for name in _PLAIN_FIELDS}
    if item.emotion is not None:  # stellar-memory ignores unknown fields
        record["emotion"] = item.emotion.to_dict()
    if item.content_type != "text":
        record["content_type"] = item.content_type
    if with_embedding and item.embedding is not None:
        packed = struct.pack(f"<{len(item.embedding)}f", *item.embedding)
        record["embedding_b64"] = base64.b64encode(packed).decode("ascii")
    return record


def _read(record: Any, position: int) -> MemoryItem:
    try:
        item = MemoryItem(**{name: record[name] for name in _PLAIN_FIELDS if name in record})
        if not isinstance(item.content, str):
            raise TypeError(f"its content is {type(item.content).__name__}, not text")
        if "embedding_b64" in record:
            blob = base64.b64decode(record["embedding_b64"], validate=True)
            item.embedding = list(struct.unpack(f"<{len(blob) // 4}f", blob))
        if record.get("emotion") is not None:
            item.emotion = EmotionVector.from_dict(record["emotion"])
        item.content_type = record.get("content_type", "text")
    except (TypeError, KeyError, ValueError, AttributeError, struct.error) as error:
        raise InvalidItemError(Reason.ITEM_OF_EXPORT, number=position, cause=str(error)) from error
    return item
