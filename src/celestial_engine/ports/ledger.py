"""Session group `ledger`: events as hash chains, anchors over them, and their copy in files outside the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.ledger.anchors import Anchor
    from celestial_engine.core.ledger.chain import CarriedSeal, Entry, Fault, Head, Written
    from celestial_engine.core.record.events import Event, EventType
    from celestial_engine.core.record.item import CelestialItem
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.ports.sessions import Reader


class Ledger(Protocol):
    """Events in the order of writing (clocks may jump). Each owner has a hash chain, and numbers count along it.

    Entries from before each owner had a chain form one sealed chain, whose head is where every owner's chain begins.
    Consistency: the state at the start of the session; entries are never changed or deleted.
    """

    def events(self, owner: Owner, item_id: str | None, limit: int, until: int | None = None) -> list[Event]:
        """Newest first; with `item_id` only about that memory, with `until` only up to that number, inclusive.

        Of an entry about several memories, `item_id` gets the part about that one (`core/record/recall_event.py`).
        """
        ...

    def event(self, owner: Owner, number: int) -> Event | None:
        """One event; None if the owner has none with this number."""
        ...

    def events_since(
        self, owner: Owner, number: int, item_id: str | None = None, limit: int | None = None
    ) -> list[Event]:
        """Events with a higher number, oldest first; at most `limit`."""
        ...

    def latest(self, owner: Owner, kinds: Sequence[EventType], limit: int) -> list[Event]:
        """The newest events of these types, newest first; an entry about several memories counts as one recall."""
        ...

    def event_counts(self, owner: Owner, after: int) -> dict[EventType, int]:
        """How many events of each type have a number above `after`; a type without events has no entry."""
        ...

    def ids_with_event(self, owner: Owner, item_ids: Iterable[str], kind: EventType, detail: str = "") -> set[str]:
        """Which of these memories have an event of this type; with `detail`, one with a detail of that name."""
        ...

    def version(self, owner: Owner, number: int) -> CelestialItem | None:
        """The memory as it was before that event changed it, without its vector; None if nothing is kept."""
        ...

    def versions_since(self, owner: Owner, number: int) -> list[tuple[int, CelestialItem]]:
        """Of each memory changed after `number`, the number of its first such event and its version, in no order."""
        ...

    def number_at(self, owner: Owner, moment: float) -> int:
        """The number of the owner's last entry that was written at `moment` or earlier; 0 for none."""
        ...

    def head(self, owner: Owner) -> Head | None:
        """The number and hash of the owner's newest entry, as noted when it was written.

        The head of the sealed chain if the owner has no entry since; None if there is no entry at all.
        """
        ...

    def sealed_head(self) -> Head:
        """Where every owner's chain begins who was not moved here: the head of the sealed chain, or `START`."""
        ...

    def carried(self, owner: Owner) -> CarriedSeal | None:
        """Where the chain of an owner begins who was moved here from another store; None for any other."""
        ...

    def sealed_entries(self, after: int, limit: int) -> list[Entry]:
        """The next entries of the sealed chain, of all owners, exactly as stored, oldest first."""
        ...

    def entries(self, owner: Owner, after: int, limit: int) -> list[Entry]:
        """The owner's next entries with a higher number, exactly as stored, oldest first."""
        ...

    def entry_count(self, owner: Owner, until: int) -> int:
        """How many entries the owner has up to that number, inclusive."""
        ...

    def total(self) -> int:
        """How many entries all owners have together."""
        ...

    def chains(self) -> Iterator[tuple[Owner | None, Head | None]]:
        """Every owner with the head of their own chain.

        None for entries whose owner is not known any more, with the number of the first of them.
        """
        ...

    def written(self, after: int, limit: int) -> list[Written]:
        """The next entries of all owners in the order of writing, exactly as stored.

        Positions rise, maybe with gaps. An entry is never returned before one with a lower position can be.
        """
        ...

    def last_written(self) -> Head | None:
        """The position and hash of the entry that was written last; None if the ledger is empty."""
        ...

    def anchors(self, after: int, limit: int) -> list[Anchor]:
        """The next anchors with a higher number, exactly as stored, oldest first."""
        ...

    def newest_anchor(self) -> Head | None:
        """The number and hash of the newest anchor."""
        ...

    def damaged_versions(self, owner: Owner | None = None) -> list[Fault]:
        """Versions that differ from their seal, or are missing though their memory is kept; of one owner or all."""
        ...


class LedgerWriter(Ledger, Protocol):
    """Reads and writes; reads see what this session wrote. No other session appends until it ends."""

    def record(self, event: Event) -> int:
        """Appends the event to its owner's chain, with the kept version of its memory if there is one.

        Returns its number. Numbers are never reused, even if an entry was removed by force.
        """
        ...

    def anchor(self, at: float, only: Owner | None = None) -> Anchor | None:
        """Appends an anchor over the heads that changed since the last one; None if none did.

        With `only`, over the head of that owner alone, changed or not; None if there is no entry. Needs a session of
        all owners.
        """
        ...


class MirrorLine(NamedTuple):
    """A line of the ledger's files; one that cannot be read has no position."""

    place: str
    text: str
    position: int | None = None
    number: int = 0
    hash: str | None = None
    user_id: str | None = None
    agent_id: str | None = None


class LedgerMirror(Protocol):
    """A copy of the ledger outside the store, in append-only files."""

    @property
    def path(self) -> str: ...
    def file_of(self, at: float) -> str:
        """The file for the entries of that moment's day."""
        ...

    def follow(
        self,
        read: Callable[[], AbstractContextManager[Reader]],
        fresh: Sequence[Written] = (),
        before: Head | None = None,
    ) -> bool:
        """Appends the entries that the mirror lacks; False if that must wait. Never raises OSError.

        `fresh` are the entries just written, and `before` is the position and hash of the entry before them: if the
        mirror ends there, nothing has to be read.
        """
        ...

    def lines(self) -> Iterator[MirrorLine]: ...
    def write(self, entries: Sequence[Written]) -> None: ...
    def set_aside(self, at: float) -> str | None:
        """Moves the files aside and starts new ones, after an older database was restored; returns their path."""
        ...

    def compress(self, month: str) -> list[str]:
        """Compresses the files of the months before this one (YYYYMM); returns their names."""
        ...
