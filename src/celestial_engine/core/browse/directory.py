"""Everybody and everything that some memories tell of, with several names for one of them taken together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from celestial_engine.core.record.labels import Subject
from celestial_engine.core.text.entities import USER, entity

if TYPE_CHECKING:
    from celestial_engine.core.browse.table import MemoryRow

# "My cat is called Plum": the cat and Plum are one. "is" names somebody only if a name follows.
_NAMING = frozenset({"name", "named", "call", "called", "이름", "is name"})
_MAYBE_NAMING = "is"
_LONGEST_NAME = 40  # characters; longer ends of a relation are phrases, not names
_ALIVE = ("active", "faded", "inactive")

# Larger than the cache of `entity`: all names of a large memory are read in one order again and again, and a cache
# that is a little too small for them would never help.
graph_key = lru_cache(maxsize=131_072)(entity)


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
class SubjectLink:
    """A tie between two subjects, and how many memories tell of it; `predicate` is the most frequent one."""

    source: str
    target: str
    predicate: str
    memories: int


class _Relation(NamedTuple):
    """A triple with the graph keys of its ends, and which of the ends are names."""

    source: str
    predicate: str
    target: str
    subject: str
    object: str
    source_is_name: bool
    target_is_name: bool


def entities_of(row: MemoryRow) -> frozenset[str]:
    """The graph keys of everybody and everything that a memory relates; the user only if nobody else is there."""
    keys = {graph_key(end) for subject, _, target in row.triples for end in (subject, target) if _is_name(end)}
    keys.discard("")
    return frozenset(keys)


class SubjectDirectory:
    """The subjects of the memories that are still there, the user first, then the most told of."""

    def __init__(self, rows: Iterable[MemoryRow]) -> None:
        self.rows: Sequence[MemoryRow] = [row for row in rows if row.state in _ALIVE]
        self._relations = [_relations(row) for row in self.rows]
        self._merged = _same_subjects(self._relations)
        self._about: dict[str, list[MemoryRow]] = defaultdict(list)
        for row, relations in zip(self.rows, self._relations, strict=True):
            for key in self._keys(row, relations):
                self._about[key].append(row)
        spellings, people = self._spellings(), self._people()
        aliases: dict[str, set[str]] = defaultdict(set)
        for alias, key in self._merged.items():
            aliases[key].add(alias)
        found = [
            KnownSubject(
                key, spellings.get(key, key), _kind(key, people), len(about),
                max([row.created_at for row in about]), tuple(sorted(aliases[key])) if key in aliases else (),
            )
            for key, about in self._about.items()
        ]  # fmt: skip
        found.sort(key=lambda subject: (subject.key != USER, -subject.memories, -subject.last_at, subject.key))
        self.subjects = {subject.key: subject for subject in found}

    def key_of(self, name: str) -> str:
        return self._one(graph_key(name))

    def rows_about(self, key: str) -> list[MemoryRow]:
        return self._about.get(key, [])

    @cached_property
    def links(self) -> Sequence[SubjectLink]:
        """Ties between subjects, the most frequent first; a tie counts once per memory, in either direction."""
        predicates: dict[tuple[str, str], list[str]] = {}
        memories: Counter[tuple[str, str]] = Counter()
        for relations in self._relations:
            pairs = set()
            for relation in relations:
                source, end = self._one(relation.source), self._one(relation.target)
                if source == end or source not in self.subjects or end not in self.subjects:
                    continue
                pair = (end, source) if (end, source) in predicates else (source, end)
                predicates.setdefault(pair, []).append(relation.predicate)
                pairs.add(pair)
            memories.update(pairs)
        return [
            SubjectLink(source, target, _most_frequent(predicates[source, target]), count)
            for (source, target), count in memories.most_common()
        ]

    @cached_property
    def neighbours(self) -> Mapping[str, Sequence[str]]:
        """Who is tied to each subject, the most frequent tie first."""
        found: dict[str, list[str]] = defaultdict(list)
        for link in self.links:
            found[link.source].append(link.target)
            found[link.target].append(link.source)
        return found

    def _one(self, key: str) -> str:
        return self._merged.get(key, key)

    def _keys(self, row: MemoryRow, relations: Sequence[_Relation]) -> set[str]:
        keys = {USER} if row.subject == Subject.USER.value else set()
        keys.update(self._one(key) for key in _named(relations))
        return keys

    def _spellings(self) -> Mapping[str, str]:
        counted: dict[str, list[str]] = defaultdict(list)
        for relations in self._relations:
            for source, _, target, subject, object_, source_is_name, target_is_name in relations:
                if source_is_name and source not in self._merged:  # not an alias
                    counted[source].append(subject.strip())
                if target_is_name and target not in self._merged:
                    counted[target].append(object_.strip())
        return {key: _most_frequent(spelled) for key, spelled in counted.items()}

    def _people(self) -> set[str]:
        """Whoever does something in a memory about a person, or is named as somebody's relative."""
        people: set[str] = set(self._merged.values())
        for row, relations in zip(self.rows, self._relations, strict=True):
            if row.subject == Subject.PERSON.value:
                people |= {self._one(relation.source) for relation in relations}
                people |= {self._one(relation.target) for relation in relations if self._one(relation.source) == USER}
        return people


def _relations(row: MemoryRow) -> list[_Relation]:
    return [
        _Relation(
            graph_key(subject), predicate, graph_key(target), subject, target, _is_name(subject), _is_name(target)
        )
        for subject, predicate, target in row.triples
    ]


def _named(relations: Sequence[_Relation]) -> Iterable[str]:
    for relation in relations:
        if relation.source_is_name and relation.source:
            yield relation.source
        if relation.target_is_name and relation.target:
            yield relation.target


def _same_subjects(memories: Sequence[Sequence[_Relation]]) -> dict[str, str]:
    """Another name -> the name: "my sister Sora" makes a sister of Sora, unless there are two sisters."""
    known = {key for relations in memories for key in _named(relations)}
    names: dict[str, set[str]] = defaultdict(set)
    for relations in memories:
        for relation in relations:
            if not relation.target_is_name:
                continue
            if relation.source == USER and (alias := graph_key(relation.predicate)) in known:
                names[alias].add(relation.target)
            elif relation.source != USER and _names(relation.predicate, relation.object):
                names[relation.source].add(relation.target)
    one_name = {alias: next(iter(found)) for alias, found in names.items() if len(found) == 1}
    return {alias: name for alias, name in one_name.items() if alias not in (name, USER) and name not in one_name}


def _most_frequent(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else Counter(words).most_common(1)[0][0]


def _names(predicate: str, target: str) -> bool:
    plain = predicate.casefold().strip()
    return plain in _NAMING or (plain == _MAYBE_NAMING and target[:1].isupper() and target.istitle())


def _is_name(end: str) -> bool:
    return 0 < len(end.strip()) <= _LONGEST_NAME


def _kind(key: str, people: set[str]) -> SubjectKind:
    if key == USER:
        return SubjectKind.USER
    return SubjectKind.PERSON if key in people else SubjectKind.THING
