"""The people and things that memories tell of: what is known about each, since when, and who is tied to whom."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING

from celestial_engine.core.browse.directory import KnownSubject, SubjectDirectory, SubjectKind, SubjectLink
from celestial_engine.core.record.labels import Subject
from celestial_engine.core.text.entities import USER

if TYPE_CHECKING:
    from celestial_engine.core.browse.table import MemoryRow
_MOST_LINKS = 500  # nearly everything is tied to the user


@dataclass(frozen=True)
class Statement:
    """One memory that says something about a subject; `until` is when it stopped being true."""

    item_id: str
    value: str | None
    text: str
    since: float
    until: float | None


@dataclass(frozen=True)
class AttributeHistory:
    """What memories say about one attribute of a subject, newest first."""

    attribute: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class SubjectPage:
    subject: KnownSubject
    attributes: tuple[AttributeHistory, ...]
    item_ids: tuple[str, ...]
    links: tuple[SubjectLink, ...]


@dataclass(frozen=True)
class SubjectGraph:
    """Subjects around one, or the most told of; `total` counts those that are left out too."""

    subjects: tuple[KnownSubject, ...]
    links: tuple[SubjectLink, ...]
    total: int


class GroupBy(str, Enum):
    """What memories are put side by side by."""

    PERSON = "person"
    PROJECT = "project"


@dataclass(frozen=True)
class MemoryGroup:
    name: str
    item_ids: tuple[str, ...]


def known_subjects(directory: SubjectDirectory) -> list[KnownSubject]:
    """Every subject of the memories that are still there, the most told of first."""
    return list(directory.subjects.values())


def subject_page(directory: SubjectDirectory, name: str) -> SubjectPage | None:
    """Everything known about one subject; None if no memory tells of it."""
    key = directory.key_of(name)
    subject = directory.subjects.get(key)
    if subject is None:
        return None
    about = sorted(directory.rows_about(key), key=lambda row: -row.created_at)
    links = tuple(islice((link for link in directory.links if key in (link.source, link.target)), _MOST_LINKS))
    return SubjectPage(subject, _attributes(directory, key, about), tuple(row.id for row in about), links)


def subject_graph(directory: SubjectDirectory, name: str | None, hops: int, limit: int) -> SubjectGraph:
    """The subjects within so many hops of one, the nearest first; without one, the most told of."""
    start = None if name is None else directory.key_of(name)
    order = list(directory.subjects) if start is None else _within(directory.neighbours, start, hops)
    shown = [directory.subjects[key] for key in order if key in directory.subjects][:limit]
    keys = {subject.key for subject in shown}
    among = tuple(link for link in directory.links if link.source in keys and link.target in keys)
    return SubjectGraph(tuple(shown), among, len(order))


def memory_groups(directory: SubjectDirectory, by: GroupBy, most: int) -> list[MemoryGroup]:
    """The memories of the most told of people or projects, the largest first; each memory is in one group only."""
    if by is GroupBy.PROJECT:
        found: dict[str, list[str]] = defaultdict(list)
        for row in directory.rows:
            if row.project:
                found[row.project].append(row.id)
        groups = [MemoryGroup(name, tuple(ids)) for name, ids in found.items()]
        return sorted(groups, key=lambda group: (-len(group.item_ids), group.name))[:most]
    taken, people = set[str](), list[MemoryGroup]()
    for subject in directory.subjects.values():
        if subject.kind is not SubjectKind.PERSON or len(people) == most:
            continue
        ids = tuple(row.id for row in directory.rows_about(subject.key) if row.id not in taken)
        if ids:
            taken.update(ids)
            people.append(MemoryGroup(subject.name, ids))
    return sorted(people, key=lambda group: (-len(group.item_ids), group.name))


def _attributes(directory: SubjectDirectory, key: str, about: Sequence[MemoryRow]) -> tuple[AttributeHistory, ...]:
    """By attribute, the one that was told of last first. The user's page leaves out what is about others."""
    grouped: dict[str, list[Statement]] = defaultdict(list)
    for row in about:
        if row.attribute is None or (key == USER) is not (row.subject == Subject.USER.value):
            continue
        value = row.value or _object_of(directory, key, row)
        grouped[row.attribute].append(Statement(row.id, value, row.content, row.created_at, row.valid_until))
    return tuple(AttributeHistory(attribute, tuple(told)) for attribute, told in grouped.items())


def _object_of(directory: SubjectDirectory, key: str, row: MemoryRow) -> str | None:
    """The last thing that the memory says of the subject, which is where English and Korean put the value."""
    said = [target for subject, _, target in row.triples if directory.key_of(subject) == key]
    return said[-1] if said else None


def _within(neighbours: Mapping[str, Sequence[str]], start: str, hops: int) -> list[str]:
    distances, waiting = {start: 0}, deque([start])
    while waiting:
        key = waiting.popleft()
        # Nearly everything is tied to the user: going on from there would reach all of it.
        if distances[key] == hops or (key == USER and key != start):
            continue
        for other in neighbours.get(key, ()):
            if other not in distances:
                distances[other] = distances[key] + 1
                waiting.append(other)
    return list(distances)
