"""The names and expressions that differ between databases. All other SQL of the groups is the same for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

NO_LIMIT = 1 << 62  # for LIMIT: neither -1 nor NULL is understood everywhere

V = TypeVar("V")


def in_list(values: Sequence[V]) -> tuple[str, list[V]]:
    """Returns the marks and the values of an IN list, the last one repeated up to a power of two.

    So there are few different statements, and a connection prepares each of them once.
    """
    if not values:
        return "", []
    missing = (1 << (len(values) - 1).bit_length()) - len(values)
    return ", ".join("?" * (len(values) + missing)), [*values, *[values[-1]] * missing]


class Rows(Protocol):
    """The cursor of a statement."""

    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...
    @property
    def rowcount(self) -> int: ...
    @property
    def lastrowid(self) -> int | None: ...


class Database(Protocol):
    """A connection within a transaction. Statements mark their values with `?`."""

    def execute(self, statement: str, values: Any = ..., /) -> Rows: ...
    def executemany(self, statement: str, values: Iterable[Any], /) -> Rows: ...
    @property
    def total_changes(self) -> int: ...


class Transactions(Protocol):
    """Opens transactions on tables of the whole store."""

    def reading(self) -> AbstractContextManager[Database]: ...
    def writing(self, *, durable: bool = True) -> AbstractContextManager[Database]: ...


@dataclass(frozen=True)
class Dialect:
    owner_state: str  # the table of each owner's counters and head of the chain
    owners: str  # the same, with the ids of the owners
    texts: str  # `items` with `texts`
    records: str  # `items` with `texts` and `vectors`
    same_item: str  # the join of a table with `items`
    vector_bytes: str  # their number
    greatest: str
    least: str
    text_bytes: str  # the size of a text, as a format string
    whole: str  # a number without its fraction, as a format string


SQLITE = Dialect(
    owner_state="owners",
    owners="owners",
    texts="items JOIN texts USING (seq)",
    records="items JOIN texts USING (seq) LEFT JOIN vectors USING (seq)",
    same_item="USING (seq)",
    vector_bytes="length(embedding)",
    greatest="max",
    least="min",
    text_bytes="length(CAST({} AS BLOB))",
    whole="CAST({} AS INTEGER)",
)
