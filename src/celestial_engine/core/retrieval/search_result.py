"""The result of a search: the memories found, why each has its rank, and which stages ran."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.retrieval.ranking import ListRank
from celestial_engine.errors import Reason


@dataclass(frozen=True)
class Hit:
    """A memory that was found, with the scores that explain its rank."""

    item: CelestialItem
    relevance: float
    lists: dict[str, ListRank] = field(default_factory=dict)
    parts: dict[str, float] = field(default_factory=dict)
    features: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Stage:
    """A step of the search: how many memories it scored, or why it was skipped."""

    name: str
    memories: int = 0
    skipped: Reason | None = None


@dataclass(frozen=True)
class SearchResult:
    """The hits, best first, and the stages that ran."""

    hits: list[Hit]
    stages: list[Stage]


def shown_form_of(item: CelestialItem) -> CelestialItem:
    """Returns the item as a search shows it; a faded memory shows its triples, else its gist."""
    if item.state is not State.FADED:
        return item
    facts = "; ".join(",".join(triple) for triple in item.resolution.triples)
    return replace(item, content=facts or item.resolution.gist or item.content)
