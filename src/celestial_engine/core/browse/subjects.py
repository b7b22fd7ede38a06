"""The people and things that memories tell of: what is known about each, since when, and who is tied to whom."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from celestial_engine.core.record.labels import Subject
from celestial_engine.core.text.entities import USER, entity

if TYPE_CHECKING:
    from celestial_engine.core.browse.table import MemoryRow

# "My cat is called Plum": the cat and Plum are one. "is" names somebody only if a name follows.
_NAMING = frozenset({"name", "named", "call", "called", "이름", "is name"})
_MAYBE_NAMING = "is"
_LONGEST_NAME = 40  # characters; longer ends of a relation are phrases, not names
_ALIVE = ("active", "faded", "inactive")


class SubjectKind(str, Enum):
    USER = "user"
    PERSON = "person"
    THING = "thing"


@dataclass(frozen=True)
class KnownSubject:
    """A person or a thing, by its most frequent spelling; `aliases` are other names for it, such as "sister"."""

    key: str
    name: str
    kind: SubjectKind
    memories: int
    last_at: float
    aliases: tuple[str, ...] = ()


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
class SubjectLink:
    """A tie between two subjects, and how many memories tell of it; `predicate` is the most frequent one."""

    source: str
    target: str
    predicate: str
    memories: int


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


def entities_of(row: MemoryRow) -> frozenset[str]:
    """The graph keys of everybody and everything that a memory relates; the user only if nobody else is there."""
    keys = {entity(end) for subject, _, target in row.triples for end in (subject, target) if _is_name(end)}
    return frozenset(key for key in keys if key)


def known_subjects(rows: Iterable[MemoryRow]) -> list[KnownSubject]:
    """Every subject of the memories that are still there, the most told of first."""
    return list(_Directory(_alive(rows)).subjects.values())


def subject_page(rows: Iterable[MemoryRow], name: str) -> SubjectPage | None:
    """Everything known about one subject; None if no memory tells of it."""
    directory = _Directory(_alive(rows))
    key = directory.key_of(name)
    subject = directory.subjects.get(key)
    if subject is None:
        return None
    about = sorted(directory.rows_about(key), key=lambda row: -row.created_at)
    links = tuple(link for link in directory.links() if key in (link.source, link.target))
    return SubjectPage(subject, _attributes(directory, key, about), tuple(row.id for row in about), links)


def subject_graph(rows: Iterable[MemoryRow], name: str | None, hops: int, limit: int) -> SubjectGraph:
    """The subjects within so many hops of one, the nearest first; without one, the most told of."""
    directory = _Directory(_alive(rows))
    links = directory.links()
    order = list(directory.subjects) if name is None else _within(links, directory.key_of(name), hops)
    shown = [directory.subjects[key] for key in order if key in directory.subjects][:limit]
    keys = {subject.key for subject in shown}
    among = tuple(link for link in links if link.source in keys and link.target in keys)
    return SubjectGraph(tuple(shown), among, len(order))


def memory_groups(rows: Iterable[MemoryRow], by: GroupBy, most: int) -> list[MemoryGroup]:
    """The memories of the most told of people or projects, the largest first; each memory is in one group only."""
    alive = _alive(rows)
    if by is GroupBy.PROJECT:
        found: dict[str, list[str]] = defaultdict(list)
        for row in alive:
            if row.project:
                found[row.project].append(row.id)
        groups = [MemoryGroup(name, tuple(ids)) for name, ids in found.items()]
        return sorted(groups, key=lambda group: (-len(group.item_ids), group.name))[:most]
    directory, taken, people = _Directory(alive), set[str](), list[MemoryGroup]()
    for subject in directory.subjects.values():
        if subject.kind is not SubjectKind.PERSON or len(people) == most:
            continue
        ids = tuple(row.id for row in directory.rows_about(subject.key) if row.id not in taken)
        if ids:
            taken.update(ids)
            people.append(MemoryGroup(subject.name, ids))
    return sorted(people, key=lambda group: (-len(group.item_ids), group.name))


class _Directory:
    """The subjects of some memories, with several names for one of them taken together."""

    def __init__(self, rows: Sequence[MemoryRow]) -> None:
        self._rows = rows
        self._merged = _same_subjects(rows)
        self._about: dict[str, list[MemoryRow]] = defaultdict(list)
        for row in rows:
            for key in self._keys(row):
                self._about[key].append(row)
        spellings, people = self._spellings(), self._people()
        aliases: dict[str, set[str]] = defaultdict(set)
        for alias, key in self._merged.items():
            aliases[key].add(alias)
        found = [
            KnownSubject(
                key, spellings.get(key, key), _kind(key, people), len(about),
                max(row.created_at for row in about), tuple(sorted(aliases[key])),
            )
            for key, about in self._about.items()
        ]  # fmt: skip
        found.sort(key=lambda subject: (subject.key != USER, -subject.memories, -subject.last_at, subject.key))
        self.subjects = {subject.key: subject for subject in found}

    def key_of(self, name: str) -> str:
        key = entity(name)
        return self._merged.get(key, key)

    def rows_about(self, key: str) -> list[MemoryRow]:
        return self._about.get(key, [])

    def links(self) -> list[SubjectLink]:
        """Ties between subjects, the most frequent first; a tie counts once per memory, in either direction."""
        told: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        memories: Counter[tuple[str, str]] = Counter()
        for row in self._rows:
            pairs = set()
            for subject, predicate, target in row.triples:
                source, end = self.key_of(subject), self.key_of(target)
                if source == end or source not in self.subjects or end not in self.subjects:
                    continue
                pair = (end, source) if (end, source) in told else (source, end)
                told[pair][predicate] += 1
                pairs.add(pair)
            memories.update(pairs)
        return [
            SubjectLink(source, target, told[(source, target)].most_common(1)[0][0], count)
            for (source, target), count in memories.most_common()
        ]

    def _keys(self, row: MemoryRow) -> set[str]:
        keys = {self._merged.get(key, key) for key in entities_of(row)}
        return keys | {USER} if row.subject == Subject.USER.value else keys

    def _spellings(self) -> Mapping[str, str]:
        counted: dict[str, Counter[str]] = defaultdict(Counter)
        for row in self._rows:
            for subject, _, target in row.triples:
                for end in (subject, target):
                    if _is_name(end) and entity(end) == self.key_of(end):  # not an alias
                        counted[entity(end)][end.strip()] += 1
        return {key: spelled.most_common(1)[0][0] for key, spelled in counted.items()}

    def _people(self) -> set[str]:
        """Whoever does something in a memory about a person, or is named as somebody's relative."""
        people: set[str] = set(self._merged.values())
        for row in self._rows:
            if row.subject == Subject.PERSON.value:
                people |= {self.key_of(subject) for subject, _, _ in row.triples}
                people |= {self.key_of(target) for who, _, target in row.triples if self.key_of(who) == USER}
        return people


def _same_subjects(rows: Sequence[MemoryRow]) -> dict[str, str]:
    """Another name -> the name: "my sister Sora" makes a sister of Sora, unless there are two sisters."""
    known = {key for row in rows for key in entities_of(row)}
    names: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for subject, predicate, target in row.triples:
            if not _is_name(target):
                continue
            if entity(subject) == USER and entity(predicate) in known:
                names[entity(predicate)].add(entity(target))
            elif _names(predicate, target) and entity(subject) != USER:
                names[entity(subject)].add(entity(target))
    one_name = {alias: next(iter(found)) for alias, found in names.items() if len(found) == 1}
    return {alias: name for alias, name in one_name.items() if alias not in (name, USER) and name not in one_name}


def _names(predicate: str, target: str) -> bool:
    plain = predicate.casefold().strip()
    return plain in _NAMING or (plain == _MAYBE_NAMING and target[:1].isupper() and target.istitle())


def _is_name(end: str) -> bool:
    return 0 < len(end.strip()) <= _LONGEST_NAME


def _kind(key: str, people: set[str]) -> SubjectKind:
    if key == USER:
        return SubjectKind.USER
    return SubjectKind.PERSON if key in people else SubjectKind.THING


def _alive(rows: Iterable[MemoryRow]) -> list[MemoryRow]:
    return [row for row in rows if row.state in _ALIVE]


def _attributes(directory: _Directory, key: str, about: Sequence[MemoryRow]) -> tuple[AttributeHistory, ...]:
    """By attribute, the one that was told of last first. The user's page leaves out what is about others."""
    grouped: dict[str, list[Statement]] = defaultdict(list)
    for row in about:
        if row.attribute is None or (key == USER) is not (row.subject == Subject.USER.value):
            continue
        value = row.value or _object_of(directory, key, row)
        grouped[row.attribute].append(Statement(row.id, value, row.content, row.created_at, row.valid_until))
    return tuple(AttributeHistory(attribute, tuple(told)) for attribute, told in grouped.items())


def _object_of(directory: _Directory, key: str, row: MemoryRow) -> str | None:
    """The last thing that the memory says of the subject, which is where English and Korean put the value."""
    said = [target for subject, _, target in row.triples if directory.key_of(subject) == key]
    return said[-1] if said else None


def _within(links: Sequence[SubjectLink], start: str, hops: int) -> list[str]:
    neighbours: dict[str, list[str]] = defaultdict(list)
    for link in links:
        neighbours[link.source].append(link.target)
        neighbours[link.target].append(link.source)
    distances, waiting = {start: 0}, deque([start])
    while waiting:
        key = waiting.popleft()
        # Nearly everything is tied to the user: going on from there would reach all of it.
        if distances[key] == hops or (key == USER and key != start):
            continue
        for other in neighbours[key]:
            if other not in distances:
                distances[other] = distances[key] + 1
                waiting.append(other)
    return list(distances)
