"""Which memories answer a question best: the candidate lists, brought to one scale and added up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# How much of the order the orbit may decide: enough to break near ties, not enough to win on its own.
ORBIT_WEIGHT = 0.1


@dataclass(frozen=True)
class Match:
    """A memory found by one list, with that list's own score (higher is better)."""

    item_id: str
    score: float


def fuse(words: Sequence[Match], vectors: Sequence[Match]) -> dict[str, float]:
    """Relevance from 0 to 1: the lists brought to one scale, and averaged where both found something.

    A word score of 0 means something: no word in common. A cosine of 0 does not: the cosines of a model are
    crowded, so the last of its list is the zero of its scale.
    """
    lists = [(words, 0.0), (vectors, min((match.score for match in vectors), default=0.0))]
    ran = [(matches, zero) for matches, zero in lists if matches]
    fused: dict[str, float] = {}
    for matches, zero in ran:
        span = max(match.score for match in matches) - zero
        for match in matches:
            share = (match.score - zero) / span if span > 0 else 1.0
            fused[match.item_id] = fused.get(match.item_id, 0.0) + share / len(ran)
    return fused


def order(relevance: Mapping[str, float], orbit_scores: Mapping[str, float]) -> list[str]:
    """Best first: relevance leads, I(m) is the prior."""
    return sorted(
        orbit_scores,
        key=lambda item_id: relevance[item_id] + ORBIT_WEIGHT * orbit_scores[item_id],
        reverse=True,
    )
