"""Cross-encoders: models that read a question and a text together, and the order that follows from their scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from celestial_engine.core.retrieval.ranking import Evidence, best_first

PART = "cross_encoder"  # of the relevance, and the name of the stage


class CrossEncoder(Protocol):
    """A model that reads a question and a text together. Slower than vectors, so it reads only the best hits."""

    @property
    def name(self) -> str: ...
    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Returns how well each text answers; higher is better, on the model's own scale."""
        ...


def ordered_by_both(ranked: Sequence[Evidence], scores: Sequence[float]) -> list[Evidence]:
    """Orders by ranking and scores, half and half; each takes the relevance of its new rank.

    The model alone would lose what the ranking knows: who spoke, when, and what stands around a line.
    """
    own = _spread([evidence.relevance for evidence in ranked])
    both = [one + other for one, other in zip(own, _spread(scores), strict=True)]
    order = sorted(range(len(ranked)), key=lambda place: -both[place])
    return [
        evidence if evidence is taken else evidence.with_parts({PART: taken.relevance - evidence.relevance})
        for evidence, taken in zip((ranked[place] for place in order), best_first(ranked), strict=True)
    ]


def _spread(values: Sequence[float]) -> list[float]:
    """Returns values on a scale from 0 to 1; all 0 if they are the same."""
    low = min(values, default=0.0)
    width = max(values, default=0.0) - low
    return [(value - low) / width if width > 0 else 0.0 for value in values]
