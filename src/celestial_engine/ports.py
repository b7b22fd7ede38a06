"""The few interfaces between the flow and the outside. A store that passes `testing.conformance` fits.

A store gives sessions: `with store.read() as session` sees one consistent state; `with store.write()
as session` is one transaction, all or nothing, and the only writer meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from celestial_engine.core.events import Event
from celestial_engine.core.forgetting import Departure, Protection, State
from celestial_engine.core.graph import Relation
from celestial_engine.core.item import CelestialItem
from celestial_engine.core.lifetimes import Tier
from celestial_engine.core.memory_function import Course
from celestial_engine.core.owner import Owner
from celestial_engine.core.ranking import GraphMatch, Match, Standing, WordMatches
from celestial_engine.core.zones import Body, Move

Clock = Callable[[], float]
EmbedFunction = Callable[[str], Sequence[float]]


class Embedder(Protocol):
    """A model that turns texts into vectors. `name` says which: vectors of two models are never compared.

    One that knows few languages may name them in an attribute `languages`, such as ("en",).
    """

    @property
    def name(self) -> str: ...
    def passages(self, texts: Sequence[str]) -> Sequence[Sequence[float]]: ...
    def query(self, text: str) -> Sequence[float]: ...
    def closeness(self, cosine: float) -> float:
        """Where a cosine lies between unrelated (0) and the same (1): every model has a scale of its own."""
        ...


@dataclass(frozen=True)
class ItemFilter:
    """Which memories to list; None means any."""

    states: tuple[State, ...] = (State.ACTIVE, State.FADED)
    zone: int | None = None
    tier: Tier | None = None


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
    def standings(self, owner: Owner, item_ids: Sequence[str], reach: int = 0) -> list[Standing]:
        """These memories in orbit, and those stored just before and after them, up to `reach` away."""
        ...

    def ids_starting(self, owner: Owner, prefix: str, limit: int) -> list[str]: ...
    def newest(self, owner: Owner, chosen: ItemFilter, limit: int | None) -> list[CelestialItem]: ...
    def page(self, owner: Owner, after: int, limit: int) -> list[tuple[int, CelestialItem]]:
        """All memories of an owner in the order of their keys, those out of orbit too: the next few."""
        ...

    def state_counts(self, owner: Owner) -> dict[State, int]: ...
    def events(self, owner: Owner, item_id: str | None, limit: int) -> list[Event]: ...


class Search(Protocol):
    """Candidates among the memories in orbit, best first."""

    def by_words(self, owner: Owner, question: str, limit: int) -> WordMatches: ...
    def by_vector(self, owner: Owner, vector: Sequence[float], limit: int) -> list[Match]: ...
    def by_graph(self, owner: Owner, names: Sequence[str], hops: int, limit: int) -> list[GraphMatch]:
        """Memories that tell of these entities, or of what lies up to so many relations from them."""
        ...

    def relations(self, owner: Owner, item_id: str) -> list[Relation]:
        """What a memory in orbit adds to the graph."""
        ...

    def compared(self, owner: Owner, item_ids: Sequence[str], vector: Sequence[float]) -> list[Match]:
        """These memories against a vector; those that have none are left out."""
        ...

    def strangers(self, owner: Owner, vector: Sequence[float], count: int) -> list[float]:
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
    def orbiting(self) -> int:
        """How many memories are in orbit, of all owners."""
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


class Reader(Items, Search, Vectors, Orbits, Protocol):
    pass


class Writer(Reader, Protocol):
    """One transaction."""

    def add(self, item: CelestialItem, course: Course) -> int:
        """A new memory; gives its key. Its vector and its words are stored with it."""
        ...

    def key_of(self, owner: Owner, item_id: str) -> int: ...
    def id_of(self, key: int) -> str: ...
    def rewrite(self, item: CelestialItem, course: Course) -> None:
        """Everything of an existing memory, words and vector included."""
        ...

    def reinforce(self, key: int, now: float, context: float, zone: int, course: Course) -> None:
        """One more recall, counted in the store so that no other process's count is lost."""
        ...

    def set_courses(self, courses: Iterable[tuple[int, int, Course]]) -> None:
        """Many at once: key, zone, course."""
        ...

    def move(self, moves: Iterable[Move]) -> None: ...
    def settle_again(self, owner: Owner, at: float | None) -> None:
        """When this owner's bounded zones next need new seats (None: not before something changes)."""
        ...

    def purge(self, owner: Owner, item_id: str) -> None:
        """Text, words and vector, gone."""
        ...

    def record(self, event: Event) -> None: ...
    def adopt_embedder(self, name: str) -> None:
        """From now on vectors are of this model; those of another are gone."""
        ...

    def set_vectors(self, vectors: Iterable[tuple[int, list[float]]]) -> None:
        """Vectors for memories that have none; those that left orbit meanwhile are passed over."""
        ...

    def adopt_law(self, law: str) -> None:
        """Another law: every memory in orbit is due for a new course."""
        ...


class Jobs(Protocol):
    """Work that one process does for all: a lease, and when it was last done."""

    def claim(self, name: str, holder: str, now: float, every: float, lease: float) -> bool:
        """True if the job is due and nobody else holds it; then it is ours until the lease ends."""
        ...

    def finish(self, name: str, holder: str, done_at: float | None) -> None:
        """Gives the lease back; with None it was not done, and is still due."""
        ...


class ItemStore(Protocol):
    """Where memories live."""

    @property
    def path(self) -> str: ...
    @property
    def jobs(self) -> Jobs: ...
    def read(self) -> AbstractContextManager[Reader]: ...
    def write(self, *, durable: bool = True) -> AbstractContextManager[Writer]:
        """`durable=False`: may be lost in a power cut (never in a crash), for what can be learnt again."""
        ...

    def check(self) -> list[str]:
        """What is wrong with the stored data; empty when all is well."""
        ...

    def repair(self) -> None:
        """Makes anew what can be derived from the records."""
        ...

    def reindex_words(self, progress: Callable[[int, int], None] | None = None) -> int:
        """The words of every memory anew, all at once or not at all; gives of how many."""
        ...

    def close(self) -> None: ...
