"""Shared topics and contradictions among memories, found by the engine's rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import combinations

from celestial_engine.compat.stellar.config import MetacognitionConfig, ReasoningConfig
from celestial_engine.compat.stellar.models import Contradiction, MemoryItem, ReasoningResult
from celestial_engine.compat.stellar.parts.metacognition import ConfidenceScorer
from celestial_engine.core.sameness.compare import Sameness, compare
from celestial_engine.core.text.keywords import keywords_of

_MAX_SHARED = 5
_SHOWN_CHARACTERS = 80  # characters of a text


class MemoryReasoner:
    """Rule-based. To reason with a language model, pass it `engine.compose(question)`."""

    def __init__(self, config: ReasoningConfig) -> None:
        self._config = config
        self._scorer = ConfidenceScorer(MetacognitionConfig())

    def reason(
        self, query: str, memories: Sequence[MemoryItem], graph_neighbors: Iterable[MemoryItem] = ()
    ) -> ReasoningResult:
        """Uses the memories, then their graph neighbors, without duplicates, up to `max_sources`."""
        sources = list({item.id: item for item in (*memories, *graph_neighbors)}.values())[: self._config.max_sources]
        if not sources:
            return ReasoningResult(query, insights=[f"Nothing is known about {query!r}"])
        contradictions = (
            ContradictionDetector(self._config).detect(sources) if self._config.contradiction_check else []
        )
        return ReasoningResult(
            query,
            sources,
            shared_by(sources) or [sources[0].content[:_SHOWN_CHARACTERS]],
            [asdict(contradiction) for contradiction in contradictions],
            self._scorer.score(sources, query).confidence,
            [f"[{item.id}] {item.content[:_SHOWN_CHARACTERS]}" for item in sources],
        )


class ContradictionDetector:
    """Finds pairs that cannot both be true, with the rules the engine uses to supersede a statement."""

    def __init__(self, config: ReasoningConfig) -> None:
        self._config = config

    def detect(self, memories: Iterable[MemoryItem]) -> list[Contradiction]:
        in_order = sorted(memories, key=lambda item: item.created_at)
        return [
            Contradiction(
                older.id,
                newer.id,
                f"{older.content[:_SHOWN_CHARACTERS]!r} against {newer.content[:_SHOWN_CHARACTERS]!r}",
                1.0,
            )
            for older, newer in combinations(in_order, 2)
            if compare(older.content, newer.content) is Sameness.CONFLICT
        ]


def shared_by(memories: Sequence[MemoryItem]) -> list[str]:
    """Keywords that occur in more than one memory, most common first."""
    counted = Counter(word for item in memories for word in set(_words(item.content)))
    shared = sorted(
        ((count, word) for word, count in counted.items() if count > 1), key=lambda pair: (-pair[0], pair[1])
    )
    return [f"{count} memories mention {word!r}" for count, word in shared[:_MAX_SHARED]]


def _words(text: str) -> set[str]:
    return {word for name in keywords_of(text, most=32) for word in (name, *name.split())}
