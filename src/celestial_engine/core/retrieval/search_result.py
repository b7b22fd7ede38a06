"""The result of a search: the memories found, why each has its rank, and which stages ran."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.retrieval.ranking import ListRank
from celestial_engine.errors import Reason

OUTDATED_FROM = 0.3  # a later memory comes first from less on; leaving out what is still true costs more


@dataclass(frozen=True)
class Hit:
    """A memory that was found, with the scores that explain its rank.

    `probability` says how likely it answers the question, from `judged`; `is_known` whether that reaches the floor.
    `outdated` says how likely a later memory that was found, too, ended what it says: `outdated_by`.
    """

    item: CelestialItem
    relevance: float
    lists: dict[str, ListRank] = field(default_factory=dict)
    parts: dict[str, float] = field(default_factory=dict)
    features: dict[str, float] = field(default_factory=dict)
    probability: float = 1.0
    judged: dict[str, float] = field(default_factory=dict)
    is_known: bool = True
    outdated: float = 0.0
    outdated_by: str | None = None

    @property
    def is_valid(self) -> bool:
        """Whether what it says is still taken to be true: a prompt quotes it, and a recall reinforces it."""
        return self.item.validity.superseded_by is None and self.outdated < OUTDATED_FROM


@dataclass(frozen=True)
class Stage:
    """A step of the search: how many memories it scored, or why it was skipped; `note` says what it lacked."""

    name: str
    memories: int = 0
    skipped: Reason | None = None
    note: Reason | None = None


@dataclass(frozen=True)
class SearchResult:
    """The hits, best first, and the stages that ran.

    `floor` is the standard one: hits below it are returned only to a caller who asked for a lower floor.
    """

    hits: list[Hit]
    stages: list[Stage]
    floor: float = 0.0

    @property
    def known(self) -> list[Hit]:
        """The hits that reach the standard floor: only these are reinforced."""
        return [hit for hit in self.hits if hit.is_known]


def shown_form_of(item: CelestialItem) -> CelestialItem:
    """Returns the item as a search shows it; a faded memory shows its triples, else its gist."""
    if item.state is not State.FADED:
        return item
    facts = "; ".join(",".join(triple) for triple in item.resolution.triples)
    return replace(item, content=facts or item.resolution.gist or item.content)
