"""Session group `search`: candidates for a query, and the keys that memories are compared by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.record.item_filter import ItemFilter
    from celestial_engine.core.record.labels import Attribute, Subject
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.core.retrieval.graph import Relation
    from celestial_engine.core.retrieval.ranking import Candidate, GraphMatch, Match, WordMatches
    from celestial_engine.core.sameness.statement_keys import StatementKeys
    from celestial_engine.core.sameness.succession import Statement


class Search(Protocol):
    """Searches the memories in orbit of one owner; `where` excludes memories before they are ranked.

    Read-only in every session. Consistency: the state at the start of the session, and its own writes. A memory is
    found by words, vector and relations in the session that stored it, and by none after it left orbit.
    """

    def by_words(self, owner: Owner, question: str, limit: int, where: ItemFilter | None = None) -> WordMatches:
        """The memories that share words with the query, best first, and the weights of those words."""
        ...

    def by_vector(
        self, owner: Owner, vector: Sequence[float], limit: int, where: ItemFilter | None = None
    ) -> list[Match]:
        """Memories by cosine, nearest first; none with a cosine of 0 or less, or a vector of another length."""
        ...

    def by_graph(
        self, owner: Owner, names: Sequence[str], hops: int, limit: int, where: ItemFilter | None = None
    ) -> list[GraphMatch]:
        """Memories that mention these entities, or entities up to `hops` relations away, best first."""
        ...

    def candidates(
        self, owner: Owner, item_ids: Sequence[str], reach: int = 0, where: ItemFilter | None = None
    ) -> list[Candidate]:
        """What ranking needs of these memories, and of those stored up to `reach` places before and after them.

        In the order of storing; memories that are missing or out of orbit are left out.
        """
        ...

    def cosines(self, owner: Owner, item_ids: Sequence[str], vector: Sequence[float]) -> list[Match]:
        """The cosine of each of these memories, in no order; one without a vector of this length is left out."""
        ...

    def vectors(self, owner: Owner, item_ids: Sequence[str]) -> dict[str, Sequence[float]]:
        """The vectors of these memories by id; one without a vector is left out."""
        ...

    def background_sample(self, owner: Owner, vector: Sequence[float], count: int) -> list[float]:
        """The cosines of up to `count` memories, evenly spread over time: how close any memory is to this vector."""
        ...

    def at_addresses(self, owner: Owner, addresses: Sequence[tuple[Subject, Attribute]], limit: int) -> list[str]:
        """For each address in turn, the ids of the newest memories in orbit that state this about this subject."""
        ...

    def statements(self, owner: Owner, item_ids: Sequence[str]) -> list[Statement]:
        """Those of these memories in orbit whose texts were read, with the labels that were read."""
        ...

    def statement_keys(self, owner: Owner) -> Iterable[tuple[str, StatementKeys]]:
        """The id and statement keys of every memory in orbit, in the order of storing.

        The rows are read one by one: iterate before the session ends.
        """
        ...

    def statement_keys_outdated(self) -> bool:
        """Whether any owner's statement keys are missing or made by earlier rules; `store.sweep()` renews them."""
        ...

    def relations(self, owner: Owner, item_id: str) -> list[Relation]:
        """The relations that a memory adds to the graph; none if it is missing or out of orbit."""
        ...

    def word_analyser(self) -> str | None:
        """The analyser that split the texts into words; None if the store has no word index."""
        ...
