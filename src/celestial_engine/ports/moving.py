"""Move an owner to another store: their rows as they are, without what a store derives from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

from celestial_engine.core.ledger.chain import CarriedSeal, Entry, Head
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports.sessions import Reader, Writer
from celestial_engine.ports.store import ItemStore

Row = tuple[Any, ...]


class MemoryRow(NamedTuple):
    """A memory: its key among those of its owner, and its columns, text and vector."""

    key: int
    values: Row


class VersionRow(NamedTuple):
    """A memory as it was before the event of that number."""

    number: int
    item_id: str
    salt: bytes
    memory: str


class OwnerRows(Protocol):
    """Reads the rows of one owner after the other. Equal rows are equal in every store."""

    def memories(self, owner: Owner, after: int, limit: int) -> list[MemoryRow]:
        """The next memories by key."""
        ...

    def versions(self, owner: Owner, after: int, limit: int) -> list[VersionRow]:
        """The next versions by number."""
        ...

    def lists(self, owner: Owner) -> dict[str, list[Row]]:
        """The tables that are small, each with its rows in order."""
        ...

    def last_memory(self, owner: Owner) -> int:
        """The highest key; 0 if there is none."""
        ...

    def last_entry(self, owner: Owner) -> Head | None:
        """Number and hash of the last entry that is there, whatever the owner's row says."""
        ...

    def counts(self, owner: Owner) -> dict[str, int]:
        """How many memories, vectors, entries and versions there are."""
        ...


class OwnerRowWriter(OwnerRows, Protocol):
    """Writes rows of one owner, and the indexes that derive from them."""

    def put_memories(self, owner: Owner, rows: Iterable[MemoryRow]) -> None:
        """Adds the rows, or puts them in place of those with the same key."""
        ...

    def remove_memories(self, owner: Owner, keys: Iterable[int]) -> None: ...
    def put_versions(self, owner: Owner, rows: Iterable[VersionRow]) -> None: ...
    def remove_versions(self, owner: Owner, numbers: Iterable[int]) -> None: ...
    def replace_lists(self, owner: Owner, lists: Mapping[str, Sequence[Row]]) -> None:
        """Puts the rows of these tables in place of all that are there. Tables of one group come together."""
        ...

    def append_entries(self, owner: Owner, entries: Iterable[Entry]) -> None:
        """Appends entries of the owner's chain as they are."""
        ...

    def carry_seal(self, owner: Owner, seal: CarriedSeal, at: float) -> None:
        """Notes where the owner's chain begins, with an anchor that covers the entries before. Of the whole store."""
        ...


class MovableStore(ItemStore, Protocol):
    """A store whose owners can be moved to another one."""

    def rows(self, session: Reader) -> OwnerRows: ...
    def row_writer(self, session: Writer) -> OwnerRowWriter: ...
    def owners(self) -> list[Owner]:
        """Every owner who stored something, in the order of their first memory."""
        ...

    def refuse_writes(self, owner: Owner) -> AbstractContextManager[Callable[[], None]]:
        """Other sessions that write for this owner raise an OwnerMovingError until it ends, or this process does.

        What it yields must be called every few seconds.
        """
        ...
