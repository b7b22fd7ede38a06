"""A table of every memory: filtered, sorted and counted in Python, from a few columns of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from math import inf
from operator import attrgetter
from typing import Any, NamedTuple

from celestial_engine.core.browse.directory import end_key, entities_of

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
    lasting: bool = False  # a fact that time alone does not end
    lifetime: str | None = None  # how long the statement stays true, if anything tells


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
    lifetime: str | None = None

    def accepts(self, row: MemoryRow) -> bool:
        return all(holds(row) for holds in self.conditions())

    def conditions(self) -> list[Callable[[MemoryRow], bool]]:
        """What is asked for, one condition each, the cheapest first: there may be many thousands of rows."""
        states = frozenset(self.states)
        found: list[Callable[[MemoryRow], bool]] = [lambda row: row.state in states]
        found += [
            _equals(attrgetter(name), wanted)
            for name in ("zone", "tier", "lifetime", "protection", "attribute", "source", "session_id", "project")
            if (wanted := getattr(self, name)) is not None
        ]
        if (current := self.current) is not None:
            found.append(lambda row: current is (row.valid_until is None))
        if (emotion := self.emotion) is not None:
            found.append(lambda row: emotion in row.emotions)
        if self.tag is not None:
            tag = self.tag.casefold()
            found.append(lambda row: any(each.casefold() == tag for each in row.tags))
        if self.text is not None:
            text = self.text.casefold()
            found.append(lambda row: text in row.content.casefold())
        if self.about is not None:
            about = end_key(self.about)
            found.append(lambda row: about in entities_of(row))
        return found


def _equals(field: Callable[[MemoryRow], Any], wanted: object) -> Callable[[MemoryRow], bool]:
    return lambda row: bool(field(row) == wanted)


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
    *,
    counts: bool = True,
    keys: Mapping[str, str] | None = None,
) -> Table:
    """Filter, sort and cut; rows of equal value keep the order of their ids, so that pages do not overlap.

    `keys` has the graph key of each name in the rows, where they are known already.
    """
    matching = list(rows)
    for holds in chosen.conditions():
        matching = [row for row in matching if holds(row)]
    matching.sort(key=attrgetter("id"))
    key = _keys(score)[sort]
    matching.sort(key=key, reverse=descending)
    if sort is TableSort.LEAVING:  # what never leaves comes last, whichever way the others are sorted
        matching.sort(key=lambda row: leaves_at(row) == inf)
    found = _counts(matching, keys or {}) if counts else {}
    return Table([row.id for row in matching[first : first + limit]], len(matching), found)


def leaves_at(row: MemoryRow) -> float:
    """When the memory ends for good, or moves to the cliff; infinite if time alone does not end it."""
    if row.state == "cliff":
        return inf if row.purge_at is None else row.purge_at
    return inf if row.expires_at is None or row.protection != "none" or row.lasting else row.expires_at


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


def _counts(rows: Sequence[MemoryRow], keys: Mapping[str, str]) -> dict[str, dict[str, int]]:
    fields: dict[str, Counter[str]] = {}
    for name in ("zone", "tier", "lifetime", "state", "protection", "attribute", "source", "session_id", "project"):
        counted = Counter(map(attrgetter(name), rows))
        counted.pop(None, None)
        fields[name] = Counter({str(value): count for value, count in counted.items()})
    fields["emotion"] = Counter(chain.from_iterable(map(attrgetter("emotions"), rows)))
    fields["tag"] = Counter(chain.from_iterable(map(attrgetter("tags"), rows)))
    fields["about"] = _subject_counts(rows, keys)
    return {name: dict(counted.most_common(_MOST_COUNTED)) for name, counted in fields.items() if counted}


def _subject_counts(rows: Sequence[MemoryRow], keys: Mapping[str, str]) -> Counter[str]:
    """In how many rows each key stands; without a set for each row, which would take most of the time."""
    key_of = keys.__getitem__ if keys else end_key
    counts: dict[str, int] = defaultdict(int)
    last: dict[str, int] = {}
    for place, row in enumerate(rows):
        for source, _, target in row.triples:
            for key in (key_of(source), key_of(target)):
                if last.get(key) != place:
                    last[key] = place
                    counts[key] += 1
    counts.pop("", None)
    return Counter(counts)
