"""Beliefs: statements of the self about itself, with a confidence and supporting memories."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from celestial_engine.core.patterns import compiled

STARTS_AT = 0.5
APPROVED = 0.2
REJECTED = -0.3
LOST_SUPPORT = -0.15
DOUBTFUL_BELOW = 0.3  # then the user is asked whether it is still true
MOST_STATEMENT = 200


@dataclass(frozen=True)
class Belief:
    """A statement of the self, such as "나는 실수해도 괜찮은 존재다"."""

    id: str
    statement: str
    confidence: float
    supports: tuple[str, ...]  # memories
    formed_at: float
    island: str | None = None
    lost: tuple[str, ...] = ()  # supports that were removed and may be restored

    @property
    def part(self) -> dict[str, Any]:
        """The fields that only an approval changes."""
        return {"statement": self.statement, "supports": list(self.supports), "island": self.island}

    def with_part(self, part: dict[str, Any]) -> Belief:
        supports = tuple(part["supports"])
        lost = tuple(item_id for item_id in self.lost if item_id not in supports)
        return replace(self, statement=part["statement"], supports=supports, island=part["island"], lost=lost)

    def without_memory(self, item_id: str) -> Belief:
        """Removes a purged memory; its loss lowers the confidence once."""
        weakened = with_living_supports(self, [support for support in self.supports if support != item_id])
        return replace(weakened, lost=tuple(support for support in weakened.lost if support != item_id))


def adjusted_confidence(confidence: float, by: float) -> float:
    return round(min(1.0, max(0.0, confidence + by)), 4)


def with_living_supports(belief: Belief, living: Collection[str]) -> Belief:
    """Updates the supports to those that still exist; a lost one lowers the confidence, a restored one raises it."""
    living_supports = tuple(item_id for item_id in belief.supports if item_id in living)
    restored = tuple(item_id for item_id in belief.lost if item_id in living)
    newly_lost = tuple(item_id for item_id in belief.supports if item_id not in living)
    still_lost = tuple(item_id for item_id in belief.lost if item_id not in living)
    confidence = belief.confidence
    for _ in newly_lost:
        confidence = adjusted_confidence(confidence, LOST_SUPPORT)
    for _ in restored:
        confidence = adjusted_confidence(confidence, -LOST_SUPPORT)
    return replace(
        belief, supports=(*living_supports, *restored), lost=(*still_lost, *newly_lost), confidence=confidence
    )


def repeats(text: str, statement: str) -> bool:
    """Whether a memory only repeats the belief; such a memory is no support."""
    plain_text, plain_statement = plain(text), plain(statement)
    return bool(plain_statement) and plain_statement in plain_text and len(plain_text) <= len(plain_statement) + 12


def plain(text: str) -> str:
    """Normalises a statement for comparison: letters and digits only, case-insensitive."""
    return compiled(r"[\W_]+").sub("", unicodedata.normalize("NFKC", text)).casefold()


def same_statement(statement: str, beliefs: Iterable[Belief]) -> Belief | None:
    key = plain(statement)
    return next((belief for belief in beliefs if plain(belief.statement) == key), None)
