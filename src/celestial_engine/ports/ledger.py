"""What happened, and the same once more in files outside the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.ledger.chain import Entry, Fault, Head
    from celestial_engine.core.record.events import Event, EventType
    from celestial_engine.core.record.item import CelestialItem
    from celestial_engine.core.record.owner import Owner


class Ledger(Protocol):
    """What happened, in the order of writing; clocks may jump. Events are an owner's, the chain is everybody's."""

    def events(self, owner: Owner, item_id: str | None, limit: int, until: int | None = None) -> list[Event]:
        """Newest first, up to the number `until`."""
        ...

    def event(self, owner: Owner, number: int) -> Event | None: ...
    def events_since(
        self, owner: Owner, number: int, item_id: str | None = None, limit: int | None = None
    ) -> list[Event]:
        """What came after that number, oldest first; with a limit the first few."""
        ...

    def latest(self, owner: Owner, kinds: Sequence[EventType], limit: int) -> list[Event]:
        """The newest events of these types, newest first."""
        ...

    def event_counts(self, owner: Owner, after: int) -> dict[EventType, int]:
        """How many events of each type came after that number."""
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
