"""The reranker: a small trainable network from eleven features of a candidate to what is added to its relevance.

Before training it adds nothing, so it changes no order. What it learns never replaces the relevance.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from celestial_engine.core.learning.network import Network
from celestial_engine.core.record.item import Category
from celestial_engine.core.retrieval.ranking import Evidence

FEATURES = (
    "similarity",
    "keyword_overlap",
    "category_match",
    "recency",
    "access_frequency",
    "content_length_ratio",
    "has_related",
    "resolution_available",
    "graph_connection_count",
    "graph_hop_distance",
    "has_negative_relation",
)
HIDDEN = 32

# The half-life of recency by category: moods pass, principles stay.
HALF_LIFE_DAYS = {
    Category.EMOTION: 7.0,
    Category.EXPERIENCE: 30.0,
    Category.TECHNICAL: 60.0,
    Category.FACT: 120.0,
    Category.PREFERENCE: 180.0,
    Category.CORE_PRINCIPLE: 3650.0,
}
_HALF_LIFE_OF_OTHERS = 60.0
_HALF_LIVES: dict[str | None, float] = {category.value: days for category, days in HALF_LIFE_DAYS.items()}
_MOST_RECALLS = 1000
_LONG_TEXT = 500
_MANY_CONNECTIONS = 10
_DAY = 86_400.0


def features(
    one: Evidence, asked_words: frozenset[str], words: frozenset[str], category: Category | None, now: float
) -> tuple[float, ...]:
    """Returns the eleven features, each about 0 to 1.

    The first is the cosine of the memory's vector and the question's. Without vectors it is the share of the
    question's words that the memory has, which is then the only similarity there is.
    """
    candidate = one.candidate
    half_life = _HALF_LIVES.get(candidate.category, _HALF_LIFE_OF_OTHERS)
    age_days = max(0.0, now - candidate.created_at) / _DAY
    vectors = one.lists.get("vectors")
    return (
        max(0.0, one.parts.get("words", 0.0) if vectors is None else vectors.score),
        len(asked_words & words) / (len(asked_words | words) or 1),
        float(category is not None and category.value == candidate.category),
        0.5 ** min(1000.0, age_days / half_life),
        min(1.0, math.log1p(candidate.recall_count) / math.log1p(_MOST_RECALLS)),
        min(1.0, len(candidate.content) / _LONG_TEXT),
        float(candidate.links > 0),
        candidate.resolutions / 3,
        0.0 if one.graph is None else min(1.0, one.graph.connections / _MANY_CONNECTIONS),
        0.0 if one.graph is None else 1.0 / (1 + one.graph.hops),
        float(one.graph is not None and one.graph.negative),
    )


@dataclass(frozen=True)
class Reranker:
    """The relevance plus a network, 11 features -> 32 ReLU units -> 1. Immutable: training returns a new one."""

    hidden: tuple[tuple[float, ...], ...]
    hidden_bias: tuple[float, ...]
    output: tuple[float, ...]
    output_bias: float

    @classmethod
    @lru_cache(maxsize=1)
    def starting(cls) -> Reranker:
        """The untrained reranker: its units have output weight 0, so it adds nothing."""
        # Each has different input weights, the same for every owner.
        scale = 1 / math.sqrt(len(FEATURES))
        units = tuple(
            tuple(scale * math.sin(7.0 * unit * (place + 1) + place) for place in range(len(FEATURES)))
            for unit in range(1, HIDDEN + 1)
        )
        return cls(units, (0.0,) * HIDDEN, (0.0,) * HIDDEN, 0.0)

    @classmethod
    def of(cls, learned: Network) -> Reranker:
        """Builds the reranker that adds the output of this 11-32-1 network."""
        hidden, output = learned.layers
        width = len(FEATURES) + 1
        rows = [hidden[start : start + width] for start in range(0, len(hidden), width)]
        return cls(tuple(tuple(row[1:]) for row in rows), tuple(row[0] for row in rows), tuple(output[1:]), output[0])

    def addition(self) -> Network:
        """Returns what it adds to the relevance, as a trainable network."""
        hidden = array("d")
        for bias, row in zip(self.hidden_bias, self.hidden, strict=True):
            hidden.append(bias)
            hidden.extend(row)
        output = array("d", (self.output_bias, *self.output))
        return Network((len(FEATURES), HIDDEN, 1), (hidden, output))

    def score(self, relevance: float, values: Sequence[float]) -> float:
        total = relevance + self.output_bias
        for row, bias, weight in zip(self.hidden, self.hidden_bias, self.output, strict=True):
            if weight:
                total += weight * max(0.0, bias + sum(map(float.__mul__, row, values)))
        return total
