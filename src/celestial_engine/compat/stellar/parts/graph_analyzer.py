"""Graph statistics: size, degree centrality, connected components, shortest paths, DOT and GraphML export."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from celestial_engine.compat.stellar.config import GraphAnalyticsConfig
from celestial_engine.compat.stellar.memory_graph import Graph
from celestial_engine.compat.stellar.models import MemoryItem

_LABEL_CHARACTERS = 40


@dataclass
class GraphStats:
    total_nodes: int = 0
    total_edges: int = 0
    avg_degree: float = 0.0
    density: float = 0.0
    connected_components: int = 0


@dataclass
class CentralityResult:
    item_id: str = ""
    degree: int = 0
    score: float = 0.0


class GraphAnalyzer:
    """Reads the current edges on every call; nothing is cached."""

    def __init__(self, graph: Graph, config: GraphAnalyticsConfig) -> None:
        self._graph = graph
        self._config = config

    def stats(self) -> GraphStats:
        nodes, edges = len(self._neighbours()), self._graph.count_edges()
        if not nodes:
            return GraphStats()
        pairs = nodes * (nodes - 1)
        density = edges / pairs if pairs else 0.0
        return GraphStats(nodes, edges, 2 * edges / nodes, density, len(self._components()))

    def centrality(self, top_k: int = 10) -> list[CentralityResult]:
        """Ids by degree (both directions), highest first; scores are relative to the highest degree."""
        degrees = Counter(end for edge in self._graph.get_all_edges() for end in (edge.source_id, edge.target_id))
        ranked = sorted(degrees.items(), key=lambda entry: (-entry[1], entry[0]))
        return [CentralityResult(entry, degree, degree / ranked[0][1]) for entry, degree in ranked[:top_k]]

    def communities(self) -> list[list[str]]:
        """Connected components of at least `community_min_size` ids, largest first."""
        large = [component for component in self._components() if len(component) >= self._config.community_min_size]
        return sorted(large, key=len, reverse=True)

    def path(self, source_id: str, target_id: str) -> list[str] | None:
        """Shortest path, following edges in both directions; None if there is none."""
        neighbours = self._neighbours()
        came_from: dict[str, str | None] = {source_id: None}
        waiting = deque([source_id])
        while waiting and target_id not in came_from:
            node = waiting.popleft()
            for neighbour in sorted(neighbours.get(node, set()) - came_from.keys()):
                came_from[neighbour] = node
                waiting.append(neighbour)
        if target_id not in came_from:
            return None
        path: list[str] = []
        step: str | None = target_id
        while step is not None:
            path.append(step)
            step = came_from[step]
        return path[::-1]

    def export_dot(self, memory_getter: Callable[[str], MemoryItem | None] | None = None) -> str:
        """Graphviz source. With `memory_getter`, nodes are labelled with their content."""

        def label(node: str) -> str:
            item = memory_getter(node) if memory_getter else None
            return _quote(node if item is None else item.content[:_LABEL_CHARACTERS])

        nodes = [f"  {_quote(node)} [label={label(node)}];" for node in sorted(self._neighbours())]
        edges = [
            f"  {_quote(edge.source_id)} -> {_quote(edge.target_id)} [label={_quote(edge.edge_type)}];"
            for edge in self._graph.get_all_edges()
        ]
        return "\n".join(["digraph StellarMemory {", "  rankdir=LR;", *nodes, *edges, "}"])

    def export_graphml(self) -> str:
        nodes = [f"    <node id={quoteattr(node)}/>" for node in sorted(self._neighbours())]
        edges = [
            f"    <edge source={quoteattr(edge.source_id)} target={quoteattr(edge.target_id)}/>"
            for edge in self._graph.get_all_edges()
        ]
        head = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        return "\n".join([head, '  <graph edgedefault="directed">', *nodes, *edges, "  </graph>", "</graphml>"])

    def _neighbours(self) -> dict[str, set[str]]:
        """Adjacent ids of every id, ignoring direction."""
        neighbours: dict[str, set[str]] = {}
        for edge in self._graph.get_all_edges():
            neighbours.setdefault(edge.source_id, set()).add(edge.target_id)
            neighbours.setdefault(edge.target_id, set()).add(edge.source_id)
        return neighbours

    def _components(self) -> list[list[str]]:
        neighbours = self._neighbours()
        left = set(neighbours)
        components = []
        while left:
            reached, frontier = set[str](), {min(left)}
            while frontier:
                reached |= frontier
                frontier = {neighbour for node in frontier for neighbour in neighbours[node]} - reached
            components.append(sorted(reached))
            left -= reached
        return components


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
