"""Topics of islands: what repeated keywords are called."""

from __future__ import annotations

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.self.reflection import suggestions
from celestial_engine.core.text.keywords import keywords_of


def islands_of(*texts: str) -> list[str]:
    items = [CelestialItem(text, text, 0.0, 0.0, tier=Tier.M0, keywords=keywords_of(text)) for text in texts]
    return [suggestion.name for suggestion in suggestions(items)]


def test_a_topic_is_named_by_the_phrase_that_all_its_memories_share():
    """Keywords are single words, but an island of board games is not an island of boards."""
    assert islands_of("Anna brought board games to Lisbon", "Tom sells old board games") == ["Island of board games"]


def test_a_topic_without_a_common_phrase_is_named_by_its_keyword():
    """Coffee shops and coffee beans have coffee in common."""
    assert islands_of("Anna opened a coffee shop", "Tom roasts coffee beans") == ["Island of coffee"]
