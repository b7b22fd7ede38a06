"""Edges between memories: in a dictionary, or stored in the memories' metadata."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, fields

from celestial_engine.compat.stellar.models import MemoryEdge
from celestial_engine.compat.stellar.translation import active_items, find_item, notes_of, with_notes
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.versions import version_of
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import NotFoundError, VersionError
from celestial_engine.ports import Clock

_MAX_TRIES = 5
_EDGE_FIELDS = {field.name for field in fields(MemoryEdge)}


class Graph(ABC):
    """Base class: traversal of the edges."""

    @abstractmethod
    def get_edges(self, item_id: str) -> list[MemoryEdge]:
        """The outgoing edges of an item."""

    @abstractmethod
    def get_all_edges(self) -> list[MemoryEdge]:
        """All edges of the graph."""

    def count_edges(self) -> int:
        return len(self.get_all_edges())

    def get_related_ids(self, item_id: str, depth: int = 1) -> set[str]:
        """The ids reachable within `depth` edges."""
        reached = frontier = {item_id}
        for _ in range(depth):
            frontier = {edge.target_id for source in frontier for edge in self.get_edges(source)} - reached
            if not frontier:
                break
            reached = reached | frontier
        return reached - {item_id}


class MemoryGraph(Graph):
    """Edges held in process memory."""

    def __init__(self, max_edges_per_item: int = 20) -> None:
        self._max_edges = max_edges_per_item
        self._edges: dict[str, list[MemoryEdge]] = {}

    def add_edge(
        self, source_id: str, target_id: str, edge_type: str = "related_to", weight: float = 1.0
    ) -> MemoryEdge:
        edge = MemoryEdge(source_id, target_id, edge_type, weight, time.time())
        self._edges[source_id] = with_edge(self.get_edges(source_id), edge, self._max_edges)
        return edge

    def get_edges(self, item_id: str) -> list[MemoryEdge]:
        return list(self._edges.get(item_id, ()))

    def get_all_edges(self) -> list[MemoryEdge]:
        return [edge for edges in self._edges.values() for edge in edges]

    def remove_item(self, item_id: str) -> None:
        self._edges.pop(item_id, None)
        for source, edges in self._edges.items():
            self._edges[source] = [edge for edge in edges if edge.target_id != item_id]


class StoredGraph(Graph):
    """Edges stored in the metadata of their source memory: they are persistent, and forgotten together with it.

    An edge whose target is forgotten is hidden until the target is restored.
    """

    def __init__(self, engine: CelestialMemory, clock: Clock, max_edges_per_item: int = 20) -> None:
        self._engine = engine
        self._clock = clock
        self._max_edges = max_edges_per_item

    def add_edge(
        self, source_id: str, target_id: str, edge_type: str = "related_to", weight: float = 1.0
    ) -> MemoryEdge:
        """Add an edge between two existing memories; raises NotFoundError if one is missing."""
        if find_item(self._engine, target_id) is None:
            raise NotFoundError(item_id=target_id)
        edge = MemoryEdge(source_id, target_id, edge_type, weight, self._clock())
        for attempt in range(1, _MAX_TRIES + 1):
            source = find_item(self._engine, source_id)
            if source is None:
                raise NotFoundError(item_id=source_id)
            edges = with_edge(edges_in(source), edge, self._max_edges)
            try:
                self._save_edges(source, edges)
                break
            except VersionError:  # changed concurrently: try again
                if attempt == _MAX_TRIES:
                    raise
        return edge

    def get_edges(self, item_id: str) -> list[MemoryEdge]:
        item = find_item(self._engine, item_id)
        return [] if item is None else [edge for edge in edges_in(item) if find_item(self._engine, edge.target_id)]

    def remove_item(self, item_id: str) -> None:
        """Remove every edge from and to an item."""
        for item in self._linked():
            edges = edges_in(item)
            remaining = [edge for edge in edges if item_id not in (edge.source_id, edge.target_id)]
            if remaining != edges:
                self._save_edges(item, remaining)

    def get_all_edges(self) -> list[MemoryEdge]:
        items = {item.id: item for item in active_items(self._engine)}
        return [edge for item in items.values() for edge in edges_in(item) if edge.target_id in items]

    def _linked(self) -> list[CelestialItem]:
        return [item for item in active_items(self._engine) if edges_in(item)]

    def _save_edges(self, item: CelestialItem, edges: Sequence[MemoryEdge]) -> None:
        metadata = with_notes(item.metadata, {**notes_of(item), "edges": [asdict(edge) for edge in edges]})
        self._engine.update(item.id, metadata=metadata, if_version=version_of(item))


def edges_in(item: CelestialItem) -> list[MemoryEdge]:
    """The edges in an item's metadata; invalid ones are ignored, because metadata is untrusted."""
    edges = notes_of(item).get("edges", [])
    records = (
        [edge for edge in edges if isinstance(edge, dict) and edge.keys() == _EDGE_FIELDS]
        if isinstance(edges, list)
        else []
    )
    return [MemoryEdge(**edge) for edge in records if edge["source_id"] == item.id]


def with_edge(edges: Sequence[MemoryEdge], edge: MemoryEdge, most: int) -> list[MemoryEdge]:
    """Add an edge; beyond `most` edges the one with the lowest weight is dropped."""
    kept = list(edges)
    while kept and len(kept) >= most:
        kept.remove(min(kept, key=lambda candidate: candidate.weight))
    return [*kept, edge]
