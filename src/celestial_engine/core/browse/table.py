"""A table of every memory: filtered, sorted and counted in Python, from a few columns of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Any, NamedTuple

from celestial_engine.core.browse.subjects import entities_of
from celestial_engine.core.text.entities import entity

IN_ORBIT = ("active", "faded")
_MOST_COUNTED = 500  # values of one field that are suggested


class MemoryRow(NamedTuple):
    """The fields of a memory that a table sorts and filters by; few, because there may be many thousands."""

    id: str
    content: str
    zone: int
    state: str
    tier: str
    protection: str
    recall_count: int
    last_recalled_at: float
    arbitrary_importance: float
    context_score: float
    created_at: float
    expires_at: float | None
    purge_at: float | None
    subject: str | None
    attribute: str | None
    value: str | None
    source: str
    session_id: str | None
    project: str | None
    tags: tuple[str, ...]
    emotions: tuple[str, ...]
    triples: tuple[tuple[str, str, str], ...]
    valid_until: float | None


class TableSort(str, Enum):
    """What the rows are sorted by."""

    CREATED = "created"
    RECALLED = "recalled"
    IMPORTANCE = "importance"
    SCORE = "score"
    RECALLS = "recalls"
    LEAVING = "leaving"  # the end of a lifetime, or of the days on the cliff; never comes last
    TEXT = "text"


@dataclass(frozen=True)
class TableFilter:
    """Which rows: all that is given must hold. `about` is a person or a thing, `text` any part of the text."""

    states: tuple[str, ...] = IN_ORBIT
    zone: int | None = None
    tier: str | None = None
    protection: str | None = None
    attribute: str | None = None
    source: str | None = None
    session_id: str | None = None
    project: str | None = None
    tag: str | None = None
    emotion: str | None = None
    about: str | None = None
    text: str | None = None
    current: bool | None = None  # True: only what still holds; False: only what was replaced

    def accepts(self, row: MemoryRow) -> bool:
        return (
            row.state in self.states
            and all(wanted is None or getattr(row, name) == wanted for name, wanted in self._plain().items())
            and (self.tag is None or self.tag.casefold() in (tag.casefold() for tag in row.tags))
            and (self.emotion is None or self.emotion in row.emotions)
            and (self.current is None or self.current is (row.valid_until is None))
            and (self.text is None or self.text.casefold() in row.content.casefold())
            and (self.about is None or entity(self.about) in entities_of(row))
        )

    def _plain(self) -> dict[str, Any]:
        names = ("zone", "tier", "protection", "attribute", "source", "session_id", "project")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class Table:
    """The ids of one page, how many rows match, and how many of them have each value of a field."""

    ids: Sequence[str]
    total: int
    counts: Mapping[str, Mapping[str, int]]


def table_page(
    rows: Iterable[MemoryRow],
    chosen: TableFilter,
    sort: TableSort,
    descending: bool,
    score: Callable[[MemoryRow], float],
    first: int,
    limit: int,
) -> Table:
    """Filter, sort and cut; rows of equal value keep the order of their ids, so that pages do not overlap."""
    matching = sorted((row for row in rows if chosen.accepts(row)), key=lambda row: row.id)
    key = _keys(score)[sort]
    matching.sort(key=key, reverse=descending)
    if sort is TableSort.LEAVING:  # what never leaves comes last, whichever way the others are sorted
        matching.sort(key=lambda row: leaves_at(row) == inf)
    return Table([row.id for row in matching[first : first + limit]], len(matching), _counts(matching))


def leaves_at(row: MemoryRow) -> float:
    """When the memory ends for good, or moves to the cliff; infinite if time alone does not end it."""
    if row.state == "cliff":
        return inf if row.purge_at is None else row.purge_at
    return inf if row.expires_at is None or row.protection != "none" else row.expires_at


def _keys(score: Callable[[MemoryRow], float]) -> dict[TableSort, Callable[[MemoryRow], Any]]:
    return {
        TableSort.CREATED: lambda row: row.created_at,
        TableSort.RECALLED: lambda row: row.last_recalled_at,
        TableSort.IMPORTANCE: lambda row: row.arbitrary_importance,
        TableSort.SCORE: score,
        TableSort.RECALLS: lambda row: row.recall_count,
        TableSort.LEAVING: leaves_at,
        TableSort.TEXT: lambda row: row.content.casefold(),
    }


def _counts(rows: Sequence[MemoryRow]) -> dict[str, dict[str, int]]:
    fields: dict[str, Counter[str]] = {
        name: Counter(str(getattr(row, name)) for row in rows if getattr(row, name) is not None)
        for name in ("zone", "tier", "state", "protection", "attribute", "source", "session_id", "project")
    }
    fields["emotion"] = Counter(emotion for row in rows for emotion in row.emotions)
    fields["tag"] = Counter(tag for row in rows for tag in row.tags)
    fields["about"] = Counter(name for row in rows for name in entities_of(row))
    return {name: dict(counted.most_common(_MOST_COUNTED)) for name, counted in fields.items() if counted}
