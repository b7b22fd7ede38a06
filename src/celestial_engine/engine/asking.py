"""Recall, search and compose: methods of CelestialMemory."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, overload

from celestial_engine.core.checks import check_budget, check_floor, check_limit, check_text
from celestial_engine.core.guard.guard import redact_question
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.retrieval.judges import NO_EMBEDDER
from celestial_engine.core.retrieval.search_result import Hit, SearchResult, shown_form_of
from celestial_engine.core.retrieval.signals import asks_about_past
from celestial_engine.engine.parts import HasParts, Items, Parts
from celestial_engine.errors import BusyError, DiskFullError, ReadOnlyError
from celestial_engine.flow.turn import compose as composing
from celestial_engine.flow.turn import recall as recalling
from celestial_engine.flow.turn import search as searching
from celestial_engine.flow.turn.search import Query
from celestial_engine.ports import ItemFilter

if TYPE_CHECKING:
    from celestial_engine.core.orbit.law import Law
    from celestial_engine.core.retrieval.composition import Composition
    from celestial_engine.core.retrieval.profile import Profile

logger = logging.getLogger(__name__)

_SPARE = 5  # hits that take the places of repetitions


@overload
def recall(
    self: HasParts,
    query: str,
    limit: int = 5,
    *,
    explain: Literal[False] = False,
    where: ItemFilter | None = None,
    floor: float | None = None,
) -> list[CelestialItem]: ...
@overload
def recall(
    self: HasParts,
    query: str,
    limit: int = 5,
    *,
    explain: Literal[True],
    where: ItemFilter | None = None,
    floor: float | None = None,
) -> SearchResult: ...
def recall(
    self: HasParts,
    query: str,
    limit: int = 5,
    *,
    explain: bool = False,
    where: ItemFilter | None = None,
    floor: float | None = None,
) -> list[CelestialItem] | SearchResult:
    """Returns the memories that answer best and reinforces them: counted, fresh again, closer to the sun.

    Nothing is returned if no memory is likely to answer. `floor` (0 to 1) replaces the standard floor for what is
    returned, 0 returns everything; what is below the standard floor is never reinforced, nor is a statement that was
    replaced, unless the question asks about the past.

    A faded memory is shown by its facts this time, and is whole again from then on.

    `where` filters before anything is ranked. With `explain` each hit comes with the score of every channel, signal
    and feature, and the result lists the stages that ran.
    """
    search_query = query_of(self.parts, query, where, floor)
    self.parts.be_present()
    law = self.parts.law()
    result = find(self.parts, search_query, limit, law)
    past = asks_about_past(search_query.text, search_query.now, search_query.utc_offset)
    counted = [hit.item for hit in result.known if past or hit.is_valid]
    recalled = {item.id: item for item in reinforce(self.parts, search_query, counted, law)}
    ids = {item.id for item in counted}
    uncounted = self.parts.scored((shown_form_of(hit.item) for hit in result.hits if hit.item.id not in ids), law)
    items = recalled | {item.id: item for item in uncounted}
    hits = [replace(hit, item=items[hit.item.id]) for hit in result.hits if hit.item.id in items]
    return replace(result, hits=hits) if explain else [hit.item for hit in hits]


@overload
def search(
    self: HasParts,
    query: str,
    limit: int = 5,
    *,
    explain: Literal[False] = False,
    where: ItemFilter | None = None,
    floor: float | None = None,
) -> list[CelestialItem]: ...
@overload
def search(
    self: HasParts,
    query: str,
    limit: int = 5,
    *,
    explain: Literal[True],
    where: ItemFilter | None = None,
    floor: float | None = None,
) -> SearchResult: ...
def search(
    self: HasParts,
    query: str,
    limit: int = 5,
    *,
    explain: bool = False,
    where: ItemFilter | None = None,
    floor: float | None = None,
) -> list[CelestialItem] | SearchResult:
    """Returns the same matches without reinforcing them."""
    law = self.parts.law()
    result = find(self.parts, query_of(self.parts, query, where, floor), limit, law)
    items = self.parts.scored((shown_form_of(hit.item) for hit in result.hits), law)
    if not explain:
        return items
    return replace(result, hits=[replace(hit, item=item) for hit, item in zip(result.hits, items, strict=True)])


def compose(
    self: HasParts,
    query: str,
    budget: int = 1024,
    *,
    limit: int = 20,
    where: ItemFilter | None = None,
    reinforce: bool = True,
    profile: bool = False,
) -> Composition:
    """Composes a prompt section: the memories that matter, within a token budget, as quoted data.

    Each at the finest resolution that fits, Core first. With `reinforce`, only the memories that answer and are used
    are reinforced. If nothing is known about it, `known` is False and `notice` says so.

    With `profile` the text begins with the profile, within a quarter of the budget; `where` does not apply to it.
    "What do you know about me?" is answered with the profile alone. What the profile quotes is never reinforced.
    """
    return composed(self.parts, query, budget, limit, where, reinforced=reinforce, profile=profile)[0]


def profile(self: HasParts, budget: int = 400) -> Profile:
    """Returns what is known about the user: lasting facts that are still true, the most telling ones that fit.

    Nothing is reinforced. The text stays the same until a fact changes: a prompt may begin with it and be cached.
    """
    from celestial_engine.flow.turn.profile import read_profile

    return read_profile(self.parts.store, self.parts.owner, check_budget(budget))


def composed(
    parts: Parts,
    query: str,
    budget: int,
    limit: int = 20,
    where: ItemFilter | None = None,
    *,
    reinforced: bool = True,
    profile: bool = False,
) -> tuple[Composition, list[Hit]]:
    """Returns a composition and the hits that it uses; what the profile quotes is no hit."""
    budget = check_budget(budget)
    if where is None and _asks_for_profile(parts, check_text(query, "query")):
        from celestial_engine.flow.turn.profile import answer_from_profile

        return answer_from_profile(parts.store, parts.owner, query, budget), []
    search_query = query_of(parts, query, where)
    if reinforced:
        parts.be_present()
    result = find(parts, search_query, limit)
    composition = composing.compose_context(
        parts.store, parts.owner, result, query, budget, search_query.where,
        _background(parts, budget, result) if profile else None,
        past=asks_about_past(query, search_query.now, search_query.utc_offset),
    )  # fmt: skip
    used = {used.item_id for used in composition.used if not used.background}
    hits = [hit for hit in result.known if hit.item.id in used]
    if reinforced:
        reinforce(parts, search_query, [hit.item for hit in hits])
    return composition, hits


def _asks_for_profile(parts: Parts, text: str) -> bool:
    from celestial_engine.core.turn.profile_request import asks_for_profile, has_words_of_request

    return has_words_of_request(text) and asks_for_profile(text, parts.recorder.read(text, None))


def _background(parts: Parts, budget: int, result: SearchResult) -> Profile:
    from celestial_engine.core.retrieval.profile import SHARE_OF_PROMPT
    from celestial_engine.flow.turn.profile import read_profile

    orders = [hit.item for hit in result.hits if hit.item.trust is Trust.LOW]
    return read_profile(parts.store, parts.owner, int(budget * SHARE_OF_PROMPT), orders)


def query_of(parts: Parts, text: str, where: ItemFilter | None = None, floor: float | None = None) -> Query:
    """Builds a query without secrets, with its vector and the caller's time zone."""
    chosen = None if where is None else parts.checked(where)
    text = redact_question(check_text(text, "query"), parts.guard)
    vector = parts.embedding.query(text)
    now, missing = parts.now(), parts.embedding.missing(text)
    offset = datetime.fromtimestamp(now).astimezone().utcoffset() or timedelta()
    embedder = NO_EMBEDDER if vector is None else parts.embedding.name or NO_EMBEDDER
    return Query(
        text, now, vector, parts.embedding.closeness, missing, chosen, offset.total_seconds(),
        embedder, None if floor is None else check_floor(floor), parts.cross_encoder,
    )  # fmt: skip


def find(parts: Parts, query: Query, limit: int, law: Law | None = None) -> SearchResult:
    """Searches; a distilled memory and its source that say the same take one place."""
    reranker, wanted = parts.lessons.reranker_for(parts.owner), check_limit(limit)
    most = wanted + _SPARE if wanted else 0
    result = searching.search(parts.store, law or parts.law(), parts.recall, reranker, parts.owner, query, most)
    hits = result.hits
    if any(hit.item.links.promoted_from for hit in hits):
        from celestial_engine.core.retrieval.repeats import repeating_relatives  # slow to import, rarely needed

        repeated = repeating_relatives([hit.item for hit in hits])
        hits = [hit for hit in hits if hit.item.id not in repeated]
    return replace(result, hits=hits[:wanted])


def reinforce(parts: Parts, query: Query, items: Items, law: Law | None = None) -> Items:
    """Counts the recall of these memories, and returns their current state."""
    if not parts.reinforces:
        return parts.scored(items, law)
    try:
        return recalling.reinforce(
            parts.store, law or parts.law(), parts.owner, [item.id for item in items],
            query.vector, query.now, parts.embedding.closeness,
        )  # fmt: skip
    except (DiskFullError, ReadOnlyError, BusyError) as error:
        # Return the answer even if counting failed.
        logger.warning("recalled without being reinforced: %s", error)
        return parts.scored(map(shown_form_of, items), law)
