"""The few interfaces between the flow and the outside. A store that passes `testing.conformance` fits.

A store gives sessions: `with store.read() as session` sees one consistent state; `with store.write()
as session` is one transaction, all or nothing, and the only writer meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from celestial_engine.core.archive import ArchiveContents, ArchiveNote, PackedVersion
from celestial_engine.core.backup import BackupReport
from celestial_engine.core.chain import Entry, Fault, Head
from celestial_engine.core.events import Event
from celestial_engine.core.forgetting import Departure, Protection, State
from celestial_engine.core.graph import Relation
from celestial_engine.core.item import CelestialItem
from celestial_engine.core.item_filter import ItemFilter as ItemFilter
from celestial_engine.core.lifetimes import Tier
from celestial_engine.core.memory_function import Course
from celestial_engine.core.owner import Owner
from celestial_engine.core.ranking import GraphMatch, Match, Standing, WordMatches
from celestial_engine.core.retention import Holding
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
    ) -> list[Standing]:
        """These memories in orbit, and those stored just before and after them, up to `reach` away."""
        ...

    def ids_starting(self, owner: Owner, prefix: str, limit: int) -> list[str]: ...
    def newest(self, owner: Owner, chosen: ItemFilter, limit: int | None) -> list[CelestialItem]: ...
    def session_span(self, owner: Owner, session_id: str) -> SessionSpan | None: ...
    def session_ids(self, owner: Owner, chosen: ItemFilter) -> list[str]:
        """The sessions of the memories chosen, in the order of their names."""
        ...

    def page(self, owner: Owner, after: int, limit: int) -> list[tuple[int, CelestialItem]]:
        """All memories of an owner in the order of their keys, those out of orbit too: the next few."""
        ...

    def state_counts(self, owner: Owner) -> dict[State, int]: ...


class Ledger(Protocol):
    """What happened, in the order of writing; clocks may jump. Events are an owner's, the chain is everybody's."""

    def events(self, owner: Owner, item_id: str | None, limit: int, until: int | None = None) -> list[Event]:
        """Newest first, up to the number `until`."""
        ...

    def event(self, owner: Owner, number: int) -> Event | None: ...
    def events_since(self, owner: Owner, number: int, item_id: str | None = None) -> list[Event]:
        """What came after that number, oldest first."""
        ...

    def version(self, owner: Owner, number: int) -> CelestialItem | None:
        """The memory as it was before that event changed it, without its vector."""
        ...

    def versions_since(self, owner: Owner, number: int) -> list[tuple[int, CelestialItem]]:
        """Of each memory that was changed after that number, its first version since, and of which event."""
        ...

    def number_at(self, moment: float) -> int:
        """The last entry, of whomever, that was written no later than this; 0 for none."""
        ...

    def head(self) -> Head | None: ...
    def highest_number(self) -> int:
        """The highest number that was ever given, whether its entry is still there or not."""
        ...

    def entries(self, after: int, limit: int) -> list[Entry]:
        """The chain itself, just as it is stored: the next few entries."""
        ...

    def damaged_versions(self) -> list[Fault]:
        """Versions that are not what they were when they were sealed, or gone though their memory is not."""
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


class Shelves(Protocol):
    """What retention weighs, and where archived memories lie."""

    def holdings(self, owner: Owner) -> list[Holding]:
        """Every memory that is kept or archived; not those on the cliff."""
        ...

    def archive_notes(self, owner: Owner | None = None) -> list[ArchiveNote]:
        """The archive files, oldest first; None: of all owners."""
        ...

    def shelved_in(self, file: str) -> list[str]: ...
    def archive_of(self, owner: Owner, item_id: str) -> str | None: ...


class Reader(Items, Ledger, Search, Vectors, Orbits, Shelves, Protocol):
    pass


class Writer(Reader, Protocol):
    """One transaction."""

    def add(self, item: CelestialItem, course: Course) -> int:
        """A new memory; gives its key. Its vector and its words are stored with it."""
        ...

    def key_of(self, owner: Owner, item_id: str) -> int: ...
    def id_of(self, key: int) -> str: ...
    def rewrite(self, item: CelestialItem, course: Course) -> None:
        """Everything of an existing memory, words and vector included.

        What it was before becomes the version of the event that is recorded next about it.
        """
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
        """Text, words, vector and versions, gone."""
        ...

    def begin_archive(self, file: str, owner: Owner, session_id: str | None, now: float) -> None:
        """A file that is about to be written: whatever happens then, it is known."""
        ...

    def shelve(self, owner: Owner, item_ids: Sequence[str], file: str) -> None:
        """These memories lie in that file from now on, which is whole; who leaves it again marks it as changed."""
        ...

    def drop_archive(self, file: str) -> None:
        """A file that is no more; nobody lies in it."""
        ...

    def take_versions(self, owner: Owner, item_id: str) -> list[PackedVersion]:
        """What the ledger keeps of a memory's past leaves the store, for the archive."""
        ...

    def put_versions(self, owner: Owner, item_id: str, versions: Sequence[PackedVersion]) -> None: ...

    def record(self, event: Event) -> int:
        """Writes the event as the next entry of the chain; gives its number."""
        ...

    def adopt_embedder(self, name: str) -> None:
        """From now on vectors are of this model; those of another are gone."""
        ...

    def set_vectors(self, vectors: Iterable[tuple[int, str, list[float]]]) -> None:
        """Key, text and vector for memories that have none; those changed or gone meanwhile are passed over."""
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


class Archives(Protocol):
    """The files of archived sessions: written once, never changed."""

    @property
    def path(self) -> str: ...
    def write(self, name: str, lines: bytes) -> None:
        """On the disk when it returns."""
        ...

    def read(self, name: str) -> ArchiveContents:
        """What can be read; what cannot is told, not raised."""
        ...

    def remove(self, name: str) -> None: ...
    def names(self) -> list[str]: ...
    def size(self, name: str) -> int: ...


class MirrorLine(NamedTuple):
    """A line of the ledger's files; one that cannot be read has no number."""

    place: str
    text: str
    number: int | None = None
    hash: str | None = None


class LedgerMirror(Protocol):
    """The ledger once more, outside the store, in files that are only ever appended to."""

    @property
    def path(self) -> str: ...
    def file_of(self, at: float) -> str:
        """Where the entries of that moment's day are written."""
        ...

    def follow(self, read: Callable[[], AbstractContextManager[Ledger]], fresh: Sequence[Entry] = ()) -> bool:
        """Appends what the ledger has and the mirror has not; False if that must wait. Never raises OSError."""
        ...

    def lines(self) -> Iterator[MirrorLine]: ...
    def write(self, entries: Sequence[Entry]) -> None: ...
    def set_aside(self, at: float) -> str | None:
        """Keeps the files elsewhere and begins anew, where an older database was put back; gives where they are."""
        ...

    def compress(self, year: int) -> list[str]:
        """Packs the files of the years before this one; gives their names."""
        ...


class ItemStore(Protocol):
    """Where memories live."""

    @property
    def path(self) -> str: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def mirror(self) -> LedgerMirror | None: ...
    @property
    def archives(self) -> Archives: ...
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

    def back_up(
        self, target: str, *, replace: bool = False, progress: Callable[[int, int], None] | None = None
    ) -> BackupReport:
        """A checked copy of everything at `target`, while others go on; there completely or not at all."""
        ...

    def close(self) -> None: ...
