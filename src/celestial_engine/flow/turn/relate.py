"""relate: the memories that are linked to one, or share entities with it."""

from __future__ import annotations

from dataclasses import dataclass

from celestial_engine.core.night.lifetime_rows import LIVING
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.graph import MOST_HOPS
from celestial_engine.core.retrieval.ranking import GraphMatch
from celestial_engine.core.text.entities import entity
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.flow.base.placement import get_item
from celestial_engine.ports import ItemStore, Reader

_SELF = entity("I")


@dataclass(frozen=True)
class Related:
    """A memory, its distance in steps, and the entities that both mention."""

    item: CelestialItem
    distance: int
    linked: bool
    shared: tuple[str, ...]
    negative: bool


def related(store: ItemStore, owner: Owner, item_id: str, depth: int, limit: int) -> list[Related]:
    """Return the nearest first. Depth 1: linked memories and those that share an entity; then theirs."""
    if isinstance(depth, bool) or not isinstance(depth, int) or depth not in range(1, MOST_HOPS + 1):
        raise InvalidInputError("depth", Reason.WHOLE_OUT_OF_RANGE, low=1, high=MOST_HOPS, got=depth)
    with store.read() as session:
        item = get_item(session, owner, item_id)
        linked = _linked(session, owner, item, depth)
        own_entities = _entities(session, owner, item_id)
        # Nearly every memory mentions its owner, so that entity relates nothing.
        names = sorted(own_entities - {_SELF})
        by_entity = _by_entities(session, owner, item_id, [names], depth, limit)
        # A very common entity is skipped among others; if it is the only one, it counts.
        by_entity = by_entity or _by_entities(session, owner, item_id, [[name] for name in names], depth, limit)
        ranked = []
        for other in session.items.get_many(owner, list(dict.fromkeys([*linked, *by_entity]))):
            # A memory that left search can still be reached along a link.
            if other.state not in LIVING:
                continue
            match = by_entity.get(other.id)
            distances = [linked[other.id]] if other.id in linked else []
            distances += [match.hops + 1] if match else []
            shared = tuple(sorted((own_entities & _entities(session, owner, other.id)) - {_SELF}))
            ranked.append((
                min(distances), -(match.score if match else 1.0),
                Related(other, min(distances), other.id in linked, shared, match is not None and match.negative),
            ))  # fmt: skip
    return [related_item for _, _, related_item in sorted(ranked, key=lambda entry: entry[:2])][:limit]


def _by_entities(
    session: Reader, owner: Owner, item_id: str, starts: list[list[str]], depth: int, limit: int
) -> dict[str, GraphMatch]:
    matches = (
        match for names in starts if names for match in session.search.by_graph(owner, names, depth - 1, limit + 1)
    )
    return {match.item_id: match for match in matches if match.item_id != item_id}


def _entities(session: Reader, owner: Owner, item_id: str) -> set[str]:
    return {
        name for relation in session.search.relations(owner, item_id) for name in (relation.subject, relation.object)
    }


def _linked(session: Reader, owner: Owner, item: CelestialItem, depth: int) -> dict[str, int]:
    """Follow the explicit links: parent, children, related."""
    distances = {item.id: 0}
    edge = [item]
    for distance in range(1, depth + 1):
        ties = [
            tie
            for neighbour in edge
            for tie in (neighbour.links.parent, *neighbour.links.children, *neighbour.links.related)
            if tie is not None and tie not in distances
        ]
        distances.update(dict.fromkeys(ties, distance))
        edge = session.items.get_many(owner, list(dict.fromkeys(ties)))
    del distances[item.id]
    return distances
