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


def fuse(lists: Sequence[Sequence[Match]]) -> dict[str, float]:
    """Relevance from 0 to 1: each list scaled by its best hit, then averaged over the lists that ran."""
    fused: dict[str, float] = {}
    ran = [matches for matches in lists if matches]
    for matches in ran:
        best = max(match.score for match in matches)
        for match in matches:
            share = match.score / best if best > 0 else 0.0
            fused[match.item_id] = fused.get(match.item_id, 0.0) + max(0.0, share) / len(ran)
    return fused


def order(relevance: Mapping[str, float], orbit_scores: Mapping[str, float]) -> list[str]:
    """Best first: relevance leads, I(m) is the prior."""
    return sorted(
        orbit_scores,
        key=lambda item_id: relevance[item_id] + ORBIT_WEIGHT * orbit_scores[item_id],
        reverse=True,
    )
