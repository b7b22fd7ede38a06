"""Asking: what answers a question, and reinforcing what answered. Methods of CelestialMemory."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, overload

from celestial_engine.core.checks import check_budget, check_limit, check_text
from celestial_engine.core.guard.guard import asked_safely
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.retrieval.search_result import Hit, SearchResult, as_shown
from celestial_engine.engine.parts import HasParts, Items, Parts
from celestial_engine.errors import BusyError, DiskFullError, ReadOnlyError
from celestial_engine.flow.turn import compose as composing
from celestial_engine.flow.turn import recall as recalling
from celestial_engine.flow.turn import search as searching
from celestial_engine.flow.turn.search import Query
from celestial_engine.ports import ItemFilter

if TYPE_CHECKING:
    from celestial_engine.core.retrieval.composition import Composition

logger = logging.getLogger(__name__)


@overload
def recall(
    self: HasParts,
    query: str,
    limit: int = 5,
    *,
    explain: Literal[False] = False,
    where: ItemFilter | None = None,
) -> list[CelestialItem]: ...
@overload
def recall(
    self: HasParts, query: str, limit: int = 5, *, explain: Literal[True], where: ItemFilter | None = None
) -> SearchResult: ...
def recall(
    self: HasParts,
    query: str,
    limit: int = 5,
    *,
    explain: bool = False,
    where: ItemFilter | None = None,
) -> list[CelestialItem] | SearchResult:
    """The memories that answer best. Each is reinforced: counted, fresh again, closer to the sun.

    A faded memory is shown by its facts this time, and is whole again from then on.

    `where` leaves only those that a filter asks for, before anything is ranked.
    With `explain` each comes with what every list, signal and feature said of it, and the stages that ran.
    """
    asked = query_of(self.parts, query, where)
    found = find(self.parts, asked, limit)
    recalled = {item.id: item for item in reinforce(self.parts, asked, [hit.item for hit in found.hits])}
    hits = [replace(hit, item=recalled[hit.item.id]) for hit in found.hits if hit.item.id in recalled]
    return replace(found, hits=hits) if explain else [hit.item for hit in hits]


@overload
def search(
    self: HasParts,
    query: str,
    limit: int = 5,
    *,
    explain: Literal[False] = False,
    where: ItemFilter | None = None,
) -> list[CelestialItem]: ...
@overload
def search(
    self: HasParts, query: str, limit: int = 5, *, explain: Literal[True], where: ItemFilter | None = None
) -> SearchResult: ...
def search(
    self: HasParts,
    query: str,
    limit: int = 5,
    *,
    explain: bool = False,
    where: ItemFilter | None = None,
) -> list[CelestialItem] | SearchResult:
    """The same answer without reinforcing: for looking around."""
    found = find(self.parts, query_of(self.parts, query, where), limit)
    items = self.parts.scored(as_shown(hit.item) for hit in found.hits)
    if not explain:
        return items
    return replace(found, hits=[replace(hit, item=item) for hit, item in zip(found.hits, items, strict=True)])


def compose(
    self: HasParts,
    query: str,
    budget: int = 1024,
    *,
    limit: int = 20,
    where: ItemFilter | None = None,
    reinforce: bool = True,
) -> Composition:
    """What to put before a language model: the memories that matter, within so many tokens, as quoted data.

    Each at the finest resolution that fits, Core first. Only what was used is reinforced, if wanted.
    """
    return composed(self.parts, query, budget, limit, where, reinforced=reinforce)[0]


def composed(
    parts: Parts,
    query: str,
    budget: int,
    limit: int = 20,
    where: ItemFilter | None = None,
    *,
    reinforced: bool = True,
) -> tuple[Composition, list[Hit]]:
    """A composition, with the hits that were used in it."""
    asked = query_of(parts, query, where)
    found = find(parts, asked, limit)
    made = composing.composed(parts.store, parts.owner, found, query, check_budget(budget), asked.where)
    used = {used.item_id for used in made.used}
    hits = [hit for hit in found.hits if hit.item.id in used]
    if reinforced:
        reinforce(parts, asked, [hit.item for hit in hits])
    return made, hits


def query_of(parts: Parts, text: str, where: ItemFilter | None = None) -> Query:
    """A question without its secrets, with its vector and the caller's time zone."""
    chosen = None if where is None else parts.checked(where)
    text = asked_safely(check_text(text, "query"), parts.guard)
    vector = parts.embedding.query(text)
    now, missing = parts.now(), parts.embedding.missing(text)
    offset = datetime.fromtimestamp(now).astimezone().utcoffset() or timedelta()
    return Query(text, now, vector, parts.embedding.closeness, missing, chosen, offset.total_seconds())


def find(parts: Parts, query: Query, limit: int) -> SearchResult:
    reranker = parts.lessons.reranker_for(parts.owner)
    return searching.search(parts.store, parts.law(), parts.recall, reranker, parts.owner, query, check_limit(limit))


def reinforce(parts: Parts, query: Query, items: Items) -> Items:
    """Counts what answered, and returns it as it is now."""
    if not parts.reinforces:
        return parts.scored(items)
    try:
        return recalling.reinforce(
            parts.store, parts.law(), parts.owner, [item.id for item in items],
            query.vector, query.now, parts.embedding.closeness,
        )  # fmt: skip
    except (DiskFullError, ReadOnlyError, BusyError) as error:
        # An answer is worth more than its count.
        logger.warning("recalled without being reinforced: %s", error)
        return parts.scored(map(as_shown, items))
