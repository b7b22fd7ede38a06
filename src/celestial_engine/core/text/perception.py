"""Perception of a text: its category, keywords, gist and triples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from celestial_engine.core.record.coordinate import EmotionCoordinate, Resolution
from celestial_engine.core.record.item import Category, CelestialItem, Given
from celestial_engine.core.text.keywords import keywords_of
from celestial_engine.core.text.turns import read_turn

MOST_GIST = 100


@dataclass(frozen=True)
class Perception:
    """The category, keywords, gist and triples of a text."""

    category: Category | None
    keywords: tuple[str, ...]
    resolution: Resolution
    fallback_from: str | None = None


def described(item: CelestialItem, perceived: Perception) -> CelestialItem:
    """Returns a memory with what was read from its text; a category or keywords that a caller gave stay."""
    return replace(
        item,
        category=item.category if Given.CATEGORY in item.given else perceived.category,
        keywords=item.keywords if Given.KEYWORDS in item.given else perceived.keywords,
        resolution=perceived.resolution,
    )


class Feeler(Protocol):
    """Detects the emotion of a text."""

    def feel(self, text: str) -> EmotionCoordinate: ...


class Perceiver(Protocol):
    """Extracts the perception of a text."""

    def perceive(self, text: str) -> Perception: ...


class RulePerceiver:
    """Patterns and word lists, without a model."""

    def perceive(self, text: str) -> Perception:
        from celestial_engine.core.text.gist import gist_of
        from celestial_engine.core.text.triples import triples_of

        turn = read_turn(text)
        return Perception(
            None,  # read with the rest of its meaning
            keywords_of(turn.text),
            Resolution(gist_of(text, MOST_GIST), triples_of(turn.text, turn.speaker)),
        )
