"""Beliefs: what the self holds to be true of itself, how surely, and what holds it up."""

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
DOUBTFUL_BELOW = 0.3  # then the user is asked whether it still holds
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
    lost: tuple[str, ...] = ()  # supports that are gone and may come back

    @property
    def part(self) -> dict[str, Any]:
        """What only an approval changes."""
        return {"statement": self.statement, "supports": list(self.supports), "island": self.island}

    def with_part(self, part: dict[str, Any]) -> Belief:
        supports = tuple(part["supports"])
        lost = tuple(item_id for item_id in self.lost if item_id not in supports)
        return replace(self, statement=part["statement"], supports=supports, island=part["island"], lost=lost)

    def without_memory(self, item_id: str) -> Belief:
        """A memory that is gone for good; it counts as lost once."""
        shaken = supported(self, [one for one in self.supports if one != item_id])
        return replace(shaken, lost=tuple(one for one in shaken.lost if one != item_id))


def surer(confidence: float, by: float) -> float:
    return round(min(1.0, max(0.0, confidence + by)), 4)


def supported(belief: Belief, living: Collection[str]) -> Belief:
    """The belief on those of its supports that are still there; each that is gone makes it less sure."""
    held = tuple(item_id for item_id in belief.supports if item_id in living)
    back = tuple(item_id for item_id in belief.lost if item_id in living)
    gone = tuple(item_id for item_id in belief.supports if item_id not in living)
    away = tuple(item_id for item_id in belief.lost if item_id not in living)
    confidence = belief.confidence
    for _ in gone:
        confidence = surer(confidence, LOST_SUPPORT)
    for _ in back:
        confidence = surer(confidence, -LOST_SUPPORT)
    return replace(belief, supports=(*held, *back), lost=(*away, *gone), confidence=confidence)


def repeats(text: str, statement: str) -> bool:
    """Whether a memory only says the belief once more: what leans on itself holds nothing up."""
    said, told = plain(text), plain(statement)
    return bool(told) and told in said and len(said) <= len(told) + 12


def plain(text: str) -> str:
    """A statement without what may differ though it says the same."""
    return compiled(r"[\W_]+").sub("", unicodedata.normalize("NFKC", text)).casefold()


def same_statement(statement: str, beliefs: Iterable[Belief]) -> Belief | None:
    wanted = plain(statement)
    return next((belief for belief in beliefs if plain(belief.statement) == wanted), None)
