"""A graph of arbitrary ids that is saved to a file. StellarMemory stores its edges in its database instead."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

from celestial_engine.compat.stellar.memory_graph import MemoryGraph, with_edge
from celestial_engine.compat.stellar.models import MemoryEdge
from celestial_engine.errors import InvalidItemError, Reason


class PersistentMemoryGraph(MemoryGraph):
    """Saved as JSON next to `db_path`, rewritten on every change. Not safe for concurrent processes."""

    def __init__(self, db_path: str, max_edges_per_item: int = 20) -> None:
        super().__init__(max_edges_per_item)
        self._path = Path(f"{db_path}.edges.json")
        for edge in self._read():
            self._edges[edge.source_id] = with_edge(self.get_edges(edge.source_id), edge, max_edges_per_item)

    def add_edge(
        self, source_id: str, target_id: str, edge_type: str = "related_to", weight: float = 1.0
    ) -> MemoryEdge:
        edge = super().add_edge(source_id, target_id, edge_type, weight)
        self._save()
        return edge

    def remove_item(self, item_id: str) -> None:
        super().remove_item(item_id)
        self._save()

    def _read(self) -> list[MemoryEdge]:
        if not self._path.exists():
            return []
        try:
            return [MemoryEdge(**edge) for edge in json.loads(self._path.read_text(encoding="utf-8"))]
        except (ValueError, TypeError) as error:
            raise InvalidItemError(Reason.UNREADABLE_FILE, path=self._path, cause=str(error)) from error

    def _save(self) -> None:
        beside = self._path.with_name(f"{self._path.name}.new")
        beside.write_text(json.dumps([asdict(edge) for edge in self.get_all_edges()]), encoding="utf-8")
        os.replace(beside, self._path)
