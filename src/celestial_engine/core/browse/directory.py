"""Everybody and everything that some memories tell of, with several names for one of them taken together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, lru_cache
from heapq import nlargest
from itertools import chain, compress
from operator import and_, or_
from typing import TYPE_CHECKING, NamedTuple

from celestial_engine.core.record.labels import Subject
from celestial_engine.core.text.entities import USER, entity
from celestial_engine.lang.en import grammar as en_grammar
from celestial_engine.lang.ko import nouns as ko_nouns
from celestial_engine.lang.ko import topics as ko_topics

if TYPE_CHECKING:
    from celestial_engine.core.browse.table import MemoryRow

# "My cat is called Plum": the cat and Plum are one. "is" names somebody only if a name follows.
_NAMING = frozenset({"name", "named", "call", "called", "이름", "is name"})
_MAYBE_NAMING = "is"
_RELATIVES = en_grammar.KIN | ko_nouns.PEOPLE | ko_topics.KIN
_VAGUE = frozenset({"related to", "관련"})  # two nouns of one sentence, and no verb between them
_HAS = frozenset({"has", "있음"}) | _RELATIVES
ALIVE = ("active", "faded", "inactive")  # the states of memories that are still there
_LONGEST_NAME = 40  # characters; longer ends of a relation are phrases, not names
# Read once: the value of an enumeration's member is looked up slowly, and there are tens of thousands of memories.
_ABOUT_USER, _ABOUT_PERSON = Subject.USER.value, Subject.PERSON.value


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


class SubjectLink(NamedTuple):
    """A tie between two subjects, and how many memories tell of it; `predicate` is the most frequent one."""

    source: str
    target: str
    predicate: str
    memories: int


@dataclass
class RelationColumns:
    """What some memories relate, oldest memory first. In columns: a container for each relation of a large memory
    would keep the garbage collector busier than all the rest."""

    ids: list[str] = field(default_factory=list)
    created: list[float] = field(default_factory=list)
    subjects: list[str | None] = field(default_factory=list)
    attributes: list[str | None] = field(default_factory=list)
    # One entry a relation: the place of its memory in the columns above, and its parts as the memory writes them.
    places: list[int] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    predicates: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    known_keys: Set[str] = frozenset()  # graph keys that the store has already; some may be missing

    def add(
        self,
        item_id: str,
        created_at: float,
        subject: str | None,
        attribute: str | None,
        triples: Iterable[Sequence[str]],
    ) -> None:
        for source, predicate, target in triples:
            self.places.append(len(self.ids))
            self.sources.append(source)
            self.predicates.append(predicate)
            self.targets.append(target)
        self.ids.append(item_id)
        self.created.append(created_at)
        self.subjects.append(subject)
        self.attributes.append(attribute)


# Larger than the cache of `entity`: all names of a large memory are read in one order again and again, and a cache
# that is a little too small for them would never help.
@lru_cache(maxsize=131_072)
def end_key(end: str) -> str:
    """The graph key of an end of a relation; empty if it is no name but a phrase."""
    return entity(end) if 0 < len(end.strip()) <= _LONGEST_NAME else ""


def names_in(rows: Iterable[MemoryRow]) -> set[str]:
    """Everybody and everything that some memories relate, as they write it."""
    return {end for row in rows for source, _, target in row.triples for end in (source, target)}


def entities_of(row: MemoryRow) -> set[str]:
    """The graph keys of everybody and everything that a memory relates."""
    keys = {end_key(end) for subject, _, target in row.triples for end in (subject, target)}
    keys.discard("")
    return keys


class SubjectDirectory:
    """The subjects of some memories, the user first, then the most told of.

    A large memory tells of tens of thousands, and few of them are looked at. Passing through all relations takes
    milliseconds, so what is asked about some subjects is found by doing so.
    """

    def __init__(self, columns: RelationColumns) -> None:
        self.columns = columns
        self._key_of_end = end_keys({*columns.sources, *columns.targets}, columns.known_keys)
        self._sources = [self._key_of_end[end] for end in columns.sources]
        self._targets = [self._key_of_end[end] for end in columns.targets]
        self._merged = _same_subjects(self._sources, columns.predicates, self._targets, columns.targets)
        if self._merged:
            one = {end: self._merged.get(key, key) for end, key in self._key_of_end.items()}
            self._sources, self._targets = (
                [one[end] for end in columns.sources],
                [one[end] for end in columns.targets],
            )
        self._counts, self._newest = self._count()
        self._people = self._find_people()
        self._aliases: dict[str, list[str]] = defaultdict(list)
        for alias, key in sorted(self._merged.items()):
            self._aliases[key].append(alias)

    def __contains__(self, key: str) -> bool:
        return key in self._counts

    def __len__(self) -> int:
        return len(self._counts)

    def most_told_of(self, limit: int) -> list[str]:
        """The keys of so many subjects."""
        first = [USER] if USER in self._counts else []
        # Only those that can be among them are sorted: most of a large memory's subjects are told of once.
        at_least = nlargest(limit, self._counts.values())[-1:] or [0]
        others = [
            (-count, -self._newest[key], key)
            for key, count in self._counts.items()
            if count >= at_least[0] and key != USER
        ]
        return [*first, *[key for *_, key in sorted(others)]][:limit]

    @cached_property
    def people(self) -> Sequence[str]:
        """The keys of those who are persons and not the user, the most told of first."""
        found = self._people.intersection(self._counts) - {USER}
        return sorted(found, key=lambda key: (-self._counts[key], -self._newest[key], key))

    def key_of(self, name: str) -> str:
        return self._one(entity(name))

    def subjects(self, keys: Sequence[str]) -> list[KnownSubject]:
        spellings = self._spellings(set(keys))
        return [
            KnownSubject(
                key, spellings.get(key, key), self._kind(key), self._counts[key], self._newest[key],
                tuple(self._aliases.get(key, ())),
            )
            for key in keys
        ]  # fmt: skip

    def places_about(self, key: str) -> list[int]:
        """The places of the memories that tell of it, oldest first."""
        places = set(compress(self.columns.places, map(key.__eq__, self._sources)))
        places.update(compress(self.columns.places, map(key.__eq__, self._targets)))
        if key == USER:
            places.update(place for place, who in enumerate(self.columns.subjects) if who == _ABOUT_USER)
        return sorted(places)

    def said_of(self, key: str) -> dict[int, tuple[str, str]]:
        """Place of a memory -> the last predicate and object that it says of the subject: English and Korean put the
        value there."""
        columns = self.columns
        relations = zip(columns.places, zip(columns.predicates, columns.targets, strict=True), strict=True)
        return dict(compress(relations, map(key.__eq__, self._sources)))

    def places_of_others(self) -> set[int]:
        """The places of the memories that say something of other people, and nothing of the user."""
        others = self._people - {USER}
        found = set(compress(self.columns.places, map(others.__contains__, self._sources)))
        found.difference_update(compress(self.columns.places, map(USER.__eq__, self._sources)))
        return found

    def links_of(self, key: str) -> list[SubjectLink]:
        """Its ties, the most frequent first."""
        ends = map(or_, map(key.__eq__, self._sources), map(key.__eq__, self._targets))
        return _links(compress(self._relations(), ends))

    def links_among(self, keys: Set[str]) -> list[SubjectLink]:
        """The ties between some of them, the most frequent first."""
        inside = map(and_, map(keys.__contains__, self._sources), map(keys.__contains__, self._targets))
        return _links(compress(self._relations(), inside))

    def tied_to(self, keys: Set[str]) -> list[str]:
        """Who and what is tied to any of some, those with most ties first."""
        reached: Counter[str] = Counter()
        for source, target in zip(self._sources, self._targets, strict=True):
            if source in keys:
                reached[target] += 1
            if target in keys:
                reached[source] += 1
        del reached[""]
        return sorted(reached, key=lambda key: (-reached[key], key))

    def _one(self, key: str) -> str:
        return self._merged.get(key, key)

    def _relations(self) -> Iterable[tuple[int, str, str, str]]:
        """The place of the memory, the keys of both ends and the predicate of every relation."""
        return zip(self.columns.places, self._sources, self._targets, self.columns.predicates, strict=True)

    def _kind(self, key: str) -> SubjectKind:
        return SubjectKind.USER if key == USER else SubjectKind.PERSON if key in self._people else SubjectKind.THING

    def _count(self) -> tuple[dict[str, int], dict[str, float]]:
        """How many memories tell of each subject, and when the newest of them was stored."""
        counts: dict[str, int] = defaultdict(int)
        newest: dict[str, int] = {}  # a place that stands here already was counted already: places only rise
        for place, source, target in zip(self.columns.places, self._sources, self._targets, strict=True):
            if newest.get(source) != place:
                newest[source] = place
                counts[source] += 1
            if newest.get(target) != place:
                newest[target] = place
                counts[target] += 1
        about_user = self.places_about(USER)
        if about_user:
            counts[USER], newest[USER] = len(about_user), about_user[-1]
        counts.pop("", None)
        return dict(counts), {key: self.columns.created[place] for key, place in newest.items()}

    def _spellings(self, keys: Set[str]) -> Mapping[str, str]:
        """As most memories write each name; names that were taken together with it are not its spellings."""
        spellings: dict[str, str] = {}
        counts: dict[str, int] = {}
        written = {end: key for end, key in self._key_of_end.items() if key in keys}
        ends = chain(self.columns.sources, self.columns.targets)
        for end, count in Counter(filter(written.__contains__, ends)).items():
            key = written[end]
            if count > counts.get(key, 0):
                counts[key], spellings[key] = count, end.strip()
        return spellings

    def _find_people(self) -> set[str]:
        """Whoever does something in a memory about a person, and whoever is or is named as somebody's relative."""
        people = {
            *_RELATIVES,
            *[name for alias, name in self._merged.items() if _RELATIVES.intersection(alias.split())],
        }
        about_people = {place for place, who in enumerate(self.columns.subjects) if who == _ABOUT_PERSON}
        relations = compress(self._relations(), map(about_people.__contains__, self.columns.places))
        for _, source, target, predicate in relations:
            if predicate not in _VAGUE:
                people.add(source)
                if source == USER and predicate in _HAS:
                    people.add(target)
        return people


def _links(relations: Iterable[tuple[int, str, str, str]]) -> list[SubjectLink]:
    """A tie counts once per memory, in either direction; it points the way that was told first."""
    found: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for place, source, target, predicate in relations:
        if source == target or not source or not target:
            continue
        pair = (target, source) if (target, source) in found else (source, target)
        found.setdefault(pair, []).append((place, predicate))
    links = []
    for (source, target), mentions in found.items():
        if len(mentions) == 1:  # most relations are mentioned once
            links.append((-1, source, target, mentions[0][1]))
        else:
            predicate = _most_frequent([predicate for _, predicate in mentions])
            links.append((-len({place for place, _ in mentions}), source, target, predicate))
    return [SubjectLink(source, target, predicate, -count) for count, source, target, predicate in sorted(links)]


def end_keys(ends: Iterable[str], known: Set[str]) -> dict[str, str]:
    """The graph key of each end. A key is its own key: most names are found among the known ones, and only the others
    are worked out."""
    return {
        end: lower if (lower := end.casefold()) in known and len(end) <= _LONGEST_NAME else end_key(end)
        for end in ends
    }


def _same_subjects(
    sources: Sequence[str], predicates: Sequence[str], targets: Sequence[str], written: Sequence[str]
) -> dict[str, str]:
    """Another name -> the name: "my sister Sora" makes a sister of Sora, unless there are two sisters.

    `written` has the targets as the memories write them.
    """
    known = {*sources, *targets}
    names: dict[str, set[str]] = defaultdict(set)
    # Few verbs name somebody: only what they relate is looked at.
    relatives = {verb: alias for verb in set(predicates) if (alias := end_key(verb)) in _RELATIVES}
    naming = {verb for verb in set(predicates) if _plain(verb) in (*_NAMING, _MAYBE_NAMING)}
    telling = map(({*relatives} | naming).__contains__, predicates)
    for source, predicate, target, end in compress(zip(sources, predicates, targets, written, strict=True), telling):
        if not source or not target:
            continue
        if source == USER:
            if predicate in relatives:
                names[relatives[predicate]].add(target)
        elif predicate in naming and _names(predicate, end):
            names[source].add(target)
    together: dict[str, str] = {}
    for key in (one for one in known if " " in one):  # 여동생 소라 is 소라, and so is 여동생
        relative, _, name = key.partition(" ")
        if relative in _RELATIVES and name in known and name not in _RELATIVES:
            together[key] = name
            names[relative].add(name)
    one_name = {alias: next(iter(found)) for alias, found in names.items() if alias and len(found) == 1}
    return together | {
        alias: name
        for alias, name in one_name.items()
        if alias not in (name, USER) and name not in one_name and name not in together
    }


def _most_frequent(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else Counter(words).most_common(1)[0][0]


def _names(predicate: str, target: str) -> bool:
    plain = _plain(predicate)
    return plain in _NAMING or (plain == _MAYBE_NAMING and target[:1].isupper() and target.istitle())


@lru_cache(maxsize=4096)
def _plain(predicate: str) -> str:
    return predicate.casefold().strip()
