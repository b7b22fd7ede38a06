"""StellarMemory's analysis calls: graph statistics, introspection, reasoning, feedback."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import replace

from celestial_engine.compat.stellar.config import StellarConfig
from celestial_engine.compat.stellar.memory_function import MemoryFunction
from celestial_engine.compat.stellar.memory_graph import StoredGraph
from celestial_engine.compat.stellar.models import (
    ConfidentRecall,
    Contradiction,
    IntrospectionResult,
    MemoryItem,
    ReasoningResult,
)
from celestial_engine.compat.stellar.parts.graph_analyzer import CentralityResult, GraphAnalyzer, GraphStats
from celestial_engine.compat.stellar.parts.metacognition import ConfidenceScorer, Introspector, coverage_of
from celestial_engine.compat.stellar.parts.reasoning import ContradictionDetector, MemoryReasoner
from celestial_engine.compat.stellar.translation import find_item
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.engine import CelestialMemory
from celestial_engine.ports import Clock

_MAX_SEARCHED = 50
_MAX_COMPARED = 300  # pairwise comparison: more would take seconds


class Insight(ABC):
    """Base class with the calls that only read memories and edges; results are not stored."""

    config: StellarConfig
    engine: CelestialMemory
    _clock: Clock
    _graph: StoredGraph
    _analyzer: GraphAnalyzer | None
    _last_recall_ids: list[str]  # of the last recall; 3.0 programs pass it to provide_feedback

    @abstractmethod
    def recall(self, query: str, limit: int = 5) -> list[MemoryItem]: ...
    @abstractmethod
    def related(self, memory_id: str, depth: int = 2) -> list[MemoryItem]: ...
    @abstractmethod
    def all_items(self) -> list[MemoryItem]: ...
    @abstractmethod
    def _theirs(self, item: CelestialItem, user_id: str | None) -> MemoryItem: ...

    # --- graph

    @property
    def analyzer(self) -> GraphAnalyzer:
        if self._analyzer is None:
            raise RuntimeError("Graph analytics not enabled: set graph_analytics.enabled in the configuration")
        return self._analyzer

    graph_analyzer = analyzer

    def graph_stats(self) -> GraphStats:
        return self.analyzer.stats()

    def graph_communities(self) -> list[list[str]]:
        return self.analyzer.communities()

    def graph_centrality(self, top_k: int = 10) -> list[CentralityResult]:
        return self.analyzer.centrality(top_k)

    def graph_path(self, source_id: str, target_id: str) -> list[str] | None:
        return self.analyzer.path(source_id, target_id)

    # --- introspection and reasoning

    def introspect(self, topic: str, depth: int = 1) -> IntrospectionResult:
        """Summarize what is stored about a topic. Topics of linked memories that are not covered are gaps."""
        memories = self._search(topic)
        function = MemoryFunction(self.config.memory_function, self.config.zones)
        introspector = Introspector(self.config.metacognition, function, self._clock)
        return introspector.introspect(topic, memories, coverage_of(self._linked(memories, depth)))

    def recall_with_confidence(self, query: str, top_k: int = 5) -> ConfidentRecall:
        """Recall, with a confidence for the results."""
        return ConfidenceScorer(self.config.metacognition).score(self.recall(query, limit=top_k), query)

    def reason(self, query: str, max_sources: int | None = None) -> ReasoningResult:
        """Combine recalled and linked memories. Rule-based; no language model is called."""
        config = self.config.reasoning
        config = replace(config, max_sources=max_sources or config.max_sources)
        memories = self.recall(query, limit=config.max_sources)
        return MemoryReasoner(config).reason(query, memories, self._linked(memories, 1))

    def detect_contradictions(self, scope: str | None = None) -> list[Contradiction]:
        """Search the memories matching `scope`, or the newest ones. Includes superseded statements."""
        items = self.all_items()[-_MAX_COMPARED:] if scope is None else self._search(scope)
        return ContradictionDetector(self.config.reasoning).detect(items)

    def _search(self, query: str) -> list[MemoryItem]:
        """Like recall, but without reinforcing the results: analysis must not change scores."""
        return (
            [self._theirs(item, None) for item in self.engine.search(query, _MAX_SEARCHED, floor=0.0)]
            if query.strip()
            else []
        )

    def _linked(self, memories: list[MemoryItem], depth: int) -> list[MemoryItem]:
        known_ids = {item.id for item in memories}
        linked = {neighbour.id: neighbour for item in memories for neighbour in self.related(item.id, depth)}
        return [item for item_id, item in linked.items() if item_id not in known_ids]

    # --- feedback

    def provide_feedback(self, query: str, used_ids: Iterable[str]) -> None:
        """Record that these memories influenced an answer. Unknown ids are ignored."""
        for item_id in used_ids:
            item = find_item(self.engine, item_id)
            if item is not None and item.state.in_orbit:
                self.engine.policy.influenced(item_id)

    def auto_tune(self) -> dict[str, float] | None:
        """Always None: the engine learns ranking and policy (`engine.feedback`), not weights."""
        return None
