"""Session group `ledger`: events as a hash chain, and their copy in files outside the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.ledger.chain import Entry, Fault, Head
    from celestial_engine.core.record.events import Event, EventType
    from celestial_engine.core.record.item import CelestialItem
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.ports.sessions import Reader


class Ledger(Protocol):
    """Events in the order of writing (clocks may jump); numbers rise with every entry of any owner.

    Events are read by owner; the hash chain covers the entries of all owners. Consistency: the state at the start of
    the session; entries are never changed or deleted.
    """

    def events(self, owner: Owner, item_id: str | None, limit: int, until: int | None = None) -> list[Event]:
        """Newest first; with `item_id` only about that memory, with `until` only up to that number, inclusive."""
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
        """The newest events of these types, newest first."""
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

    def number_at(self, moment: float) -> int:
        """The number of the last entry of any owner that was written at `moment` or earlier; 0 for none."""
        ...

    def head(self) -> Head | None:
        """The newest entry's number and hash; None if the ledger is empty."""
        ...

    def highest_number(self) -> int:
        """The highest number ever assigned, even if its entry was removed by force; 0 for none."""
        ...

    def entries(self, after: int, limit: int) -> list[Entry]:
        """The next entries of the chain with a higher number, exactly as stored, oldest first."""
        ...

    def damaged_versions(self) -> list[Fault]:
        """Versions that differ from their seal, or are missing though their memory is kept, by number."""
        ...


class LedgerWriter(Ledger, Protocol):
    """Reads and writes; reads see what this session wrote. No other session appends until it ends."""

    def record(self, event: Event) -> int:
        """Appends the event to the chain, with the kept version of its memory if there is one; returns its number.

        Numbers are never reused, even if an entry was removed by force.
        """
        ...


class MirrorLine(NamedTuple):
    """A line of the ledger's files; one that cannot be read has no number."""

    place: str
    text: str
    number: int | None = None
    hash: str | None = None


class LedgerMirror(Protocol):
    """A copy of the ledger outside the store, in append-only files."""

    @property
    def path(self) -> str: ...
    def file_of(self, at: float) -> str:
        """The file for the entries of that moment's day."""
        ...

    def follow(self, read: Callable[[], AbstractContextManager[Reader]], fresh: Sequence[Entry] = ()) -> bool:
        """Appends the entries that the mirror lacks; False if that must wait. Never raises OSError."""
        ...

    def lines(self) -> Iterator[MirrorLine]: ...
    def write(self, entries: Sequence[Entry]) -> None: ...
    def set_aside(self, at: float) -> str | None:
        """Moves the files aside and starts new ones, after an older database was restored; returns their path."""
        ...

    def compress(self, year: int) -> list[str]:
        """Compresses the files of the years before this one; returns their names."""
        ...
