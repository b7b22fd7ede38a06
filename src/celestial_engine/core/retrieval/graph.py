"""The entity graph built from triples: relations between entities, and matching memories by distance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from celestial_engine.core.retrieval.bm25 import rarity
from celestial_engine.core.retrieval.ranking import GraphMatch
from celestial_engine.core.text.entities import entity

MOST_HOPS = 3
# An entity with more relations is a hub: it connects everything, so paths do not pass through it.
# A question starts at a hub only if it names no other entity.
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
    """An entity, its distance from the start, and how many relations it has."""

    name: str
    hops: int
    degree: int


class Touch(NamedTuple):
    """A memory that mentions an entity."""

    key: int
    name: str
    negative: bool


def relations_of(triples: Iterable[tuple[str, str, str]]) -> list[Relation]:
    """Returns the relations of a memory without duplicates; triples without subject or object are dropped."""
    from celestial_engine.core.text.triples import is_negative

    relations = {
        Relation(entity(subject), predicate.strip(), entity(target), is_negative(predicate)): None
        for subject, predicate, target in triples
    }
    return [relation for relation in relations if relation.subject and relation.object]


def start_entities(known: Sequence[Reached]) -> list[Reached]:
    """Selects the entities of a question to start from: no hubs, unless there are only hubs."""
    return [reached for reached in known if reached.degree <= HUB] or list(known)


def graph_matches(
    query_entities: Sequence[Reached],
    reached: Sequence[Reached],
    touches: Iterable[Touch],
    total: int,
    ids: Mapping[int, str],
) -> list[GraphMatch]:
    """Ranks memories by how many of the query's entities they mention, how rare and how near those are."""
    weights = {node.name: rarity(node.degree, total) / (1 + node.hops) for node in reached}
    hops = {node.name: node.hops for node in reached}
    # fsum: the order of rows or of a set changes no digit, so equals stay equal
    query_weight = fsum(weights[node.name] for node in query_entities) or 1.0
    by_key: defaultdict[int, list[Touch]] = defaultdict(list)
    for touch in touches:
        if touch.key in ids:
            by_key[touch.key].append(touch)
    matches = [
        GraphMatch(
            item_id=ids[key],
            score=min(1.0, fsum(weights[name] for name in {touch.name for touch in touched}) / query_weight),
            hops=min(hops[touch.name] for touch in touched),
            connections=len(touched),
            negative=any(touch.negative for touch in touched),
        )
        for key, touched in sorted(by_key.items(), reverse=True)
    ]
    return sorted(matches, key=lambda match: (-match.score, match.hops))
