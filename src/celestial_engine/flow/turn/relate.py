"""relate: the memories tied to one: linked to it, or telling of the same things."""

from __future__ import annotations

from dataclasses import dataclass

from celestial_engine.core.night.lives import LIVING
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.graph import MOST_HOPS
from celestial_engine.core.retrieval.ranking import GraphMatch
from celestial_engine.core.text.entities import entity
from celestial_engine.errors import InvalidInputError, NotFoundError, Reason
from celestial_engine.ports import ItemStore, Reader

_SELF = entity("I")


@dataclass(frozen=True)
class Related:
    """A memory, how many steps it is away, and what it has in common."""

    item: CelestialItem
    distance: int
    linked: bool
    shared: tuple[str, ...]
    negative: bool


def related(store: ItemStore, owner: Owner, item_id: str, depth: int, limit: int) -> list[Related]:
    """Nearest first. At depth 1 those linked and those that share an entity, then those around them."""
    if isinstance(depth, bool) or not isinstance(depth, int) or depth not in range(1, MOST_HOPS + 1):
        raise InvalidInputError("depth", Reason.WHOLE_OUT_OF_RANGE, low=1, high=MOST_HOPS, got=depth)
    with store.read() as session:
        item = session.items.get(owner, item_id)
        if item is None:
            raise NotFoundError(item_id=item_id)
        linked = _linked(session, owner, item, depth)
        mine = _entities(session, owner, item_id)
        # Everybody's memories tell of themselves: that ties nothing together.
        names = sorted(mine - {_SELF})
        told = _told(session, owner, item_id, [names], depth, limit)
        # Somebody of whom everything tells is passed over beside others; alone, that tie counts too.
        told = told or _told(session, owner, item_id, [[name] for name in names], depth, limit)
        found = []
        for other in session.items.get_many(owner, list(dict.fromkeys([*linked, *told]))):
            # Who is searched no more can still be come upon, along a link, and be reminded of.
            if other.state not in LIVING:
                continue
            match = told.get(other.id)
            distances = [linked[other.id]] if other.id in linked else []
            distances += [match.hops + 1] if match else []
            shared = tuple(sorted((mine & _entities(session, owner, other.id)) - {_SELF}))
            found.append((
                min(distances), -(match.score if match else 1.0),
                Related(other, min(distances), other.id in linked, shared, match is not None and match.negative),
            ))  # fmt: skip
    return [one for _, _, one in sorted(found, key=lambda entry: entry[:2])][:limit]


def _told(
    session: Reader, owner: Owner, item_id: str, starts: list[list[str]], depth: int, limit: int
) -> dict[str, GraphMatch]:
    found = (
        match for names in starts if names for match in session.search.by_graph(owner, names, depth - 1, limit + 1)
    )
    return {match.item_id: match for match in found if match.item_id != item_id}


def _entities(session: Reader, owner: Owner, item_id: str) -> set[str]:
    return {
        name for relation in session.search.relations(owner, item_id) for name in (relation.subject, relation.object)
    }


def _linked(session: Reader, owner: Owner, item: CelestialItem, depth: int) -> dict[str, int]:
    """Along the links that somebody made: parent, children, related."""
    distances = {item.id: 0}
    edge = [item]
    for distance in range(1, depth + 1):
        ties = [
            tie
            for one in edge
            for tie in (one.links.parent, *one.links.children, *one.links.related)
            if tie is not None and tie not in distances
        ]
        distances.update(dict.fromkeys(ties, distance))
        edge = session.items.get_many(owner, list(dict.fromkeys(ties)))
    del distances[item.id]
    return distances
