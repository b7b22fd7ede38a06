"""What a store can be asked. Everything is asked for by owner first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from celestial_engine.ports.imagining import Patterns
from celestial_engine.ports.learning import Lessons
from celestial_engine.ports.ledger import Ledger
from celestial_engine.ports.lives import Lives
from celestial_engine.ports.nights import Nights
from celestial_engine.ports.pictures import Pictures
from celestial_engine.ports.selfhood import SelfReading

if TYPE_CHECKING:
    from celestial_engine.core.keeping.archive import ArchiveNote
    from celestial_engine.core.keeping.retention import RetentionRow
    from celestial_engine.core.orbit.zones import Body
    from celestial_engine.core.paging import PagePosition
    from celestial_engine.core.record.forgetting import Departure, Protection, State
    from celestial_engine.core.record.item import Category, CelestialItem
    from celestial_engine.core.record.item_filter import ItemFilter
    from celestial_engine.core.record.lifetimes import Tier
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.core.record.versions import UsedKey
    from celestial_engine.core.retrieval.graph import Relation
    from celestial_engine.core.retrieval.ranking import Candidate, GraphMatch, Match, WordMatches
    from celestial_engine.core.sameness.statement_keys import StatementKeys


class SessionSpan(NamedTuple):
    """Where a session stands: when it began, and the place of the memory that was stored last."""

    started_at: float
    last_sequence: int


class Due(NamedTuple):
    """A memory whose moment has come: the numbers its next course depends on, and nothing heavy."""

    key: int
    owner: Owner
    item_id: str
    state: State
    zone: int
    tier: Tier
    protection: Protection
    recall_count: int
    last_recalled_at: float
    arbitrary_importance: float
    context_score: float
    departure: Departure | None


class Items(Protocol):
    """Memories as records. Everything is asked for by owner first."""

    def get(self, owner: Owner, item_id: str) -> CelestialItem | None: ...
    def get_many(self, owner: Owner, item_ids: Sequence[str]) -> list[CelestialItem]: ...
    def standings(
        self, owner: Owner, item_ids: Sequence[str], reach: int = 0, where: ItemFilter | None = None
    ) -> list[Candidate]:
        """These memories in orbit, and those stored just before and after them, up to `reach` away."""
        ...

    def ids_starting(self, owner: Owner, prefix: str, limit: int) -> list[str]: ...
    def newest(
        self, owner: Owner, chosen: ItemFilter, limit: int | None, before: PagePosition | None = None
    ) -> list[CelestialItem]:
        """By the moment of storing, the newest first; with `before` only those that come after that place."""
        ...

    def session_span(self, owner: Owner, session_id: str) -> SessionSpan | None: ...
    def session_ids(self, owner: Owner, chosen: ItemFilter) -> list[str]:
        """The sessions of the memories chosen, in the order of their names."""
        ...

    def page(self, owner: Owner, after: int, limit: int) -> list[tuple[int, CelestialItem]]:
        """All memories of an owner in the order of their keys, those out of orbit too: the next few."""
        ...

    def state_counts(self, owner: Owner) -> dict[State, int]: ...
    def category_counts(self, owner: Owner) -> dict[Category, int]:
        """Those in orbit."""
        ...

    def used_key(self, owner: Owner, key: str, since: float) -> UsedKey | None:
        """What a request with this key asked for, if one came since then."""
        ...


class Search(Protocol):
    """Candidates among the memories in orbit, best first; `where` leaves out all others before they are ranked."""

    def by_words(self, owner: Owner, question: str, limit: int, where: ItemFilter | None = None) -> WordMatches: ...
    def by_vector(
        self, owner: Owner, vector: Sequence[float], limit: int, where: ItemFilter | None = None
    ) -> list[Match]: ...
    def by_graph(
        self, owner: Owner, names: Sequence[str], hops: int, limit: int, where: ItemFilter | None = None
    ) -> list[GraphMatch]:
        """Memories that tell of these entities, or of what lies up to so many relations from them."""
        ...

    def sayings(self, owner: Owner) -> Iterable[tuple[str, StatementKeys]]:
        """What the memories in orbit say, by their ids, in the order of storing."""
        ...

    def unread(self) -> bool:
        """Whether anybody's text was not read yet, or by other rules than today's: then `sweep` reads it."""
        ...

    def relations(self, owner: Owner, item_id: str) -> list[Relation]:
        """What a memory in orbit adds to the graph."""
        ...

    def compared(self, owner: Owner, item_ids: Sequence[str], vector: Sequence[float]) -> list[Match]:
        """These memories against a vector; those that have none are left out."""
        ...

    def background_sample(self, owner: Owner, vector: Sequence[float], count: int) -> list[float]:
        """The cosines of memories picked evenly over time: how close any memory is to this vector."""
        ...


class Vectors(Protocol):
    """Which model made the vectors, and who has none yet. Of all owners: a store has one model."""

    def embedder_in_force(self) -> str | None: ...
    def vector_dimension(self) -> int | None: ...
    def without_vector(self, after: int, limit: int) -> list[tuple[int, str]]:
        """Memories in orbit that have no vector: key and text, by key."""
        ...

    def count_without_vector(self, after: int) -> int: ...


class Orbits(Protocol):
    """Who sits where: what rebalancing and placing read."""

    def zone_counts(self, owner: Owner, zones: Sequence[int]) -> dict[int, int]: ...
    def orbiting(self, owner: Owner | None = None) -> int:
        """How many memories are in orbit; without an owner, of all."""
        ...

    def lowest(self, owner: Owner, zone: int) -> list[Body]:
        """The lowest line of each piece in this zone."""
        ...

    def occupants(self, owner: Owner, zones: Sequence[int]) -> list[Body]: ...
    def waiting(self, owner: Owner, zone: int, piece: int, at_least: float, limit: int) -> list[Body]:
        """The highest lines of one piece in this zone."""
        ...

    def due(self, now: float, limit: int) -> list[Due]: ...
    def law_in_force(self) -> str | None:
        """The law, as text, that the stored courses were made by."""
        ...

    def unsettled(self, now: float, limit: int) -> list[Owner]:
        """Owners whose bounded zones may need new seats by now."""
        ...


class Shelves(Protocol):
    """What retention weighs, and where archived memories lie."""

    def holdings(self, owner: Owner) -> list[RetentionRow]:
        """Every memory that is kept or archived; not those on the cliff."""
        ...

    def archive_notes(self, owner: Owner | None = None) -> list[ArchiveNote]:
        """The archive files, oldest first; None: of all owners."""
        ...

    def shelved_in(self, file: str) -> list[str]: ...
    def archive_of(self, owner: Owner, item_id: str) -> str | None: ...


class Reader(
    Items, Ledger, Search, Vectors, Orbits, Shelves, Nights, Lives, Lessons, Patterns, SelfReading, Pictures, Protocol
):
    pass
