"""The people and things that memories tell of: what is known about each, since when, and who is tied to whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from celestial_engine.core.browse.directory import ALIVE, KnownSubject, SubjectDirectory, SubjectLink
from celestial_engine.core.record.labels import Attribute, Subject
from celestial_engine.core.sameness.claims import claim_names
from celestial_engine.core.text.entities import USER

if TYPE_CHECKING:
    from celestial_engine.core.browse.table import MemoryRow
MOST_STATEMENTS = 12  # about one attribute; a page with thousands of lines helps nobody
# What somebody is to the user. On their own page a memory stands under what it says of them.
_TIES = frozenset(
    one.value
    for one in (
        Attribute.PARTNER,
        Attribute.CHILD,
        Attribute.FAMILY,
        Attribute.FRIEND,
        Attribute.COLLEAGUE,
        Attribute.PET,
    )
)
# What the verbs of a claim tell of; on the page of a person the first is taken.
_CLAIMED = {
    claim: tuple(attribute.value for attribute in attributes)
    for claim, attributes in {
        "live in": (Attribute.HOME,), "work at": (Attribute.WORK, Attribute.EMPLOYER), "study at": (Attribute.STUDY,),
        "age": (Attribute.AGE,), "name": (Attribute.NAME,), "birthday": (Attribute.BIRTHDAY,),
        "married to": (Attribute.PARTNER,), "engaged to": (Attribute.PARTNER,), "date": (Attribute.PARTNER,),
    }.items()
}  # fmt: skip
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
    """What memories say about one attribute of a subject, newest first; `total` counts those left out, too."""

    attribute: str
    statements: tuple[Statement, ...]
    total: int


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


def known_subjects(directory: SubjectDirectory, limit: int | None = None) -> list[KnownSubject]:
    """The subjects of the memories that are still there, the most told of first."""
    return directory.subjects(directory.most_told_of(len(directory) if limit is None else limit))


def statements_of(
    directory: SubjectDirectory, key: str, places: Sequence[int], relations: Mapping[int, tuple[str, str]]
) -> dict[str, list[str]]:
    """Attribute -> the ids of the memories that say something about it, newest first. The attribute that was told of
    last comes first; the user's leave out what is about others. `relations`: what `said_of` the directory returns."""
    columns, ids_by_attribute = directory.columns, defaultdict[str, list[str]](list)
    user = Subject.USER.value
    others = directory.places_of_others() if key == USER else set[int]()
    for place in reversed(places):
        attribute, about_user = columns.attributes[place], columns.subjects[place] == user
        # What a memory says of somebody by name counts, also where the sentence was taken for one about the user.
        tells = about_user and place not in others if key == USER else not about_user or place in relations
        if attribute is None or not tells:
            continue
        if key != USER and attribute in _TIES:
            attribute = next(
                iter(_attributes_said(relations[place][0] if place in relations else "")), Attribute.OTHER.value
            )
        ids_by_attribute[attribute].append(columns.ids[place])
    return ids_by_attribute


def _attributes_said(predicate: str) -> Sequence[str]:
    """What a predicate tells of: "move to" of a home. None, if it is no verb that is known to."""
    claim = claim_names().get(predicate.casefold())
    return () if claim is None else _CLAIMED.get(claim, ())


def subject_page(
    directory: SubjectDirectory, name: str, rows_of: Callable[[Sequence[str]], Iterable[MemoryRow]]
) -> SubjectPage | None:
    """Everything known about one subject; None if no memory tells of it. `rows_of` reads memories by their ids."""
    key = directory.key_of(name)
    if key not in directory:
        return None
    places = directory.places_about(key)
    relations = directory.said_of(key)
    ids_by_attribute = statements_of(directory, key, places, relations)
    listed = [item_id for ids in ids_by_attribute.values() for item_id in ids[:MOST_STATEMENTS]]
    rows = {row.id: row for row in rows_of(listed)}
    relation_by_id = {directory.columns.ids[place]: relation for place, relation in relations.items()}
    attributes = [
        AttributeHistory(
            attribute,
            tuple(_statement(rows[item_id], attribute, relation_by_id) for item_id in ids if item_id in rows),
            len(ids),
        )
        for attribute, ids in sorted(ids_by_attribute.items(), key=lambda each: each[0] == Attribute.OTHER.value)
    ]
    ids = tuple(directory.columns.ids[place] for place in reversed(places))
    links = tuple(directory.links_of(key)[:_MOST_LINKS])
    (subject,) = directory.subjects([key])
    return SubjectPage(subject, tuple(attributes), ids, links)


def _statement(row: MemoryRow, attribute: str, relations: Mapping[str, tuple[str, str]]) -> Statement:
    """The value is what the memory was stored with, else the object of a verb that tells of this attribute. Any other
    object is no value: "I do not own a phone" does not make a phone a possession."""
    predicate, target = relations.get(row.id, ("", None))
    value = row.value or (target if attribute in _attributes_said(predicate) else None)
    return Statement(row.id, value, row.content, row.created_at, row.valid_until)


def subject_graph(directory: SubjectDirectory, name: str | None, hops: int, limit: int) -> SubjectGraph:
    """The subjects within so many hops of one, the nearest first; without one, the most told of."""
    start = None if name is None else directory.key_of(name)
    order = directory.most_told_of(limit) if start is None else _within(directory, start, hops)
    listed = [key for key in order if key in directory][:limit]
    subjects = tuple(directory.subjects(listed))
    total = len(directory) if start is None else len(order)
    return SubjectGraph(subjects, tuple(directory.links_among(set(listed))), total)


def people_groups(directory: SubjectDirectory, most: int) -> list[MemoryGroup]:
    """The memories of the most told of people, the largest group first; each memory is in one group only."""
    taken, people = set[str](), dict[str, tuple[str, ...]]()
    for key in directory.people:
        if len(people) == most:
            break
        ids = [directory.columns.ids[place] for place in directory.places_about(key)]
        left = tuple(item_id for item_id in ids if item_id not in taken)
        if left:
            taken.update(left)
            people[key] = left
    named = [MemoryGroup(subject.name, people[subject.key]) for subject in directory.subjects(list(people))]
    return sorted(named, key=_largest_first)


def project_groups(rows: Iterable[MemoryRow], most: int) -> list[MemoryGroup]:
    """The memories of the largest projects."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row.project and row.state in ALIVE:
            found[row.project].append(row.id)
    return sorted((MemoryGroup(name, tuple(ids)) for name, ids in found.items()), key=_largest_first)[:most]


def _largest_first(group: MemoryGroup) -> tuple[int, str]:
    return -len(group.item_ids), group.name


def _within(directory: SubjectDirectory, start: str, hops: int) -> list[str]:
    reached, last = {start: None}, {start}
    for _ in range(hops):
        # Nearly everything is tied to the user: going on from there would reach all of it.
        found = directory.tied_to(last if last == {start} else last - {USER})
        last = {key for key in found if key not in reached}
        reached |= dict.fromkeys(found)
    return list(reached)
