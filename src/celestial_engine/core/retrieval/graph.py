"""The graph that triples make: entities, relations between them, and what lies how near to what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from celestial_engine.core.retrieval.bm25 import rarity
from celestial_engine.core.retrieval.ranking import GraphMatch
from celestial_engine.core.text.entities import entity

MOST_HOPS = 3
# Somebody of whom every other memory tells leads everywhere: no path goes there, and no question starts there
# if it names anybody else.
HUB = 50
MOST_REACHED = 60
MOST_RELATIONS = 60  # of one entity, the newest


class Relation(NamedTuple):
    """A triple between two entities, by their normalised names."""

    subject: str
    predicate: str
    object: str
    negative: bool


class Reached(NamedTuple):
    """An entity, how many relations away from where one started, and how many relations it has itself."""

    name: str
    hops: int
    degree: int


class Touch(NamedTuple):
    """A memory that tells of an entity."""

    key: int
    name: str
    negative: bool


def relations_of(triples: Iterable[tuple[str, str, str]]) -> list[Relation]:
    """The relations of a memory, each once; a triple that lacks an end is none."""
    from celestial_engine.core.text.triples import is_negative

    found = {
        Relation(entity(subject), predicate.strip(), entity(target), is_negative(predicate)): None
        for subject, predicate, target in triples
    }
    return [relation for relation in found if relation.subject and relation.object]


def starts(known: Sequence[Reached]) -> list[Reached]:
    """Where to start among the entities that a question names."""
    return [one for one in known if one.degree <= HUB] or list(known)


def graph_matches(
    asked: Sequence[Reached], reached: Sequence[Reached], touches: Iterable[Touch], total: int, ids: Mapping[int, str]
) -> list[GraphMatch]:
    """Memories by how many of the asked entities they tell of, how rare those are, and how near."""
    worth = {one.name: rarity(one.degree, total) / (1 + one.hops) for one in reached}
    hops = {one.name: one.hops for one in reached}
    whole = sum(worth[one.name] for one in asked) or 1.0
    found: defaultdict[int, list[Touch]] = defaultdict(list)
    for touch in touches:
        if touch.key in ids:
            found[touch.key].append(touch)
    matches = [
        GraphMatch(
            item_id=ids[key],
            score=min(1.0, sum(worth[name] for name in {touch.name for touch in met}) / whole),
            hops=min(hops[touch.name] for touch in met),
            connections=len(met),
            negative=any(touch.negative for touch in met),
        )
        for key, met in sorted(found.items(), reverse=True)
    ]
    return sorted(matches, key=lambda match: (-match.score, match.hops))
