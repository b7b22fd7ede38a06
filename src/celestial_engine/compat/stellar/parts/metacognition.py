"""Confidence in what is stored about a topic, and in recall results."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence

from celestial_engine.compat.stellar.config import MetacognitionConfig
from celestial_engine.compat.stellar.memory_function import MemoryFunction
from celestial_engine.compat.stellar.models import ConfidentRecall, IntrospectionResult, MemoryItem
from celestial_engine.core.text.keywords import keywords_of
from celestial_engine.ports import Clock

_ENOUGH = 10  # more memories than this do not raise the confidence
_ZONES = 5


class Introspector:
    """Summarizes the memories found for a topic."""

    def __init__(
        self, config: MetacognitionConfig, function: MemoryFunction | None = None, clock: Clock = time.time
    ) -> None:
        self._config = config
        self._function = function or MemoryFunction()
        self._clock = clock

    def introspect(
        self, topic: str, memories: Sequence[MemoryItem], graph_neighbors: Iterable[str] = ()
    ) -> IntrospectionResult:
        """`graph_neighbors` are related topics; those that no memory covers are reported as gaps."""
        if not memories:
            return IntrospectionResult(topic, gaps=[topic])
        coverage = coverage_of(memories)
        now = self._clock()
        freshness = _mean([self._function.calculate(item, now).freshness_score for item in memories])
        covered_words = {word.casefold() for name in coverage for word in (name, *name.split())}
        config = self._config
        confidence = (
            config.confidence_alpha * _enough(memories)
            + config.confidence_beta * freshness
            + config.confidence_gamma * closeness(memories)
        )
        return IntrospectionResult(
            topic,
            within(confidence),
            coverage,
            [name for name in graph_neighbors if name.casefold() not in covered_words],
            len(memories),
            freshness,
            dict(Counter(item.zone for item in memories)),
        )


class ConfidenceScorer:
    """Rates recall results by their number, scores and zones."""

    def __init__(self, config: MetacognitionConfig) -> None:
        self._config = config

    def score(self, memories: Sequence[MemoryItem], query: str) -> ConfidentRecall:
        if not memories:
            return ConfidentRecall(warning=f"Nothing is known about {query!r}")
        config = self._config
        confidence = within(
            config.confidence_alpha * _enough(memories)
            + config.confidence_beta * _mean([within(item.total_score) for item in memories])
            + config.confidence_gamma * closeness(memories)
        )
        is_low = confidence < config.low_confidence_threshold
        return ConfidentRecall(list(memories), confidence, f"Little is known about {query!r}" if is_low else None)


def coverage_of(memories: Iterable[MemoryItem]) -> list[str]:
    """Topics of the memories: their tags and the keywords of their content."""
    tags = [str(tag) for item in memories for tag in item.metadata.get("tags", ())]
    return list(dict.fromkeys([*tags, *(word for item in memories for word in keywords_of(item.content))]))


def closeness(memories: Sequence[MemoryItem]) -> float:
    """1 if all memories are in the core zone, lower the further out they are."""
    return _mean([within(1.0 - item.zone / _ZONES) for item in memories])


def within(value: float) -> float:
    return max(0.0, min(1.0, value))


def _enough(memories: Sequence[MemoryItem]) -> float:
    return min(1.0, len(memories) / _ENOUGH)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
