"""Recalling: asking, and making what answers more central."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, overload

from celestial_engine.core.checks import check_budget, check_limit, check_text
from celestial_engine.core.guard.guard import asked_safely
from celestial_engine.core.learning.reranker import Reranker
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.core.retrieval.search_result import Hit, SearchResult, as_shown
from celestial_engine.errors import BusyError, DiskFullError, ReadOnlyError
from celestial_engine.facade.ground import Ground
from celestial_engine.flow.base.embed import Embedding
from celestial_engine.flow.turn import compose, recall, search
from celestial_engine.flow.turn.search import Query
from celestial_engine.ports import ItemFilter

if TYPE_CHECKING:
    from celestial_engine.core.retrieval.composition import Composition

logger = logging.getLogger(__name__)


class Recalling(Ground):
    """What answers a question."""

    _embedding: Embedding
    _recall_settings: RecallSettings
    _reranker: Reranker

    @overload
    def recall(
        self,
        query: str,
        limit: int = 5,
        *,
        explain: Literal[False] = False,
        where: ItemFilter | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[CelestialItem]: ...
    @overload
    def recall(
        self, query: str, limit: int = 5, *, explain: Literal[True], where: ItemFilter | None = None,
        user_id: str | None = None, agent_id: str | None = None,
    ) -> SearchResult: ...  # fmt: skip
    def recall(
        self,
        query: str,
        limit: int = 5,
        *,
        explain: bool = False,
        where: ItemFilter | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[CelestialItem] | SearchResult:
        """The memories that answer best. Each is reinforced: counted, fresh again, closer to the sun.

        One that has faded answers by its facts this time, and is whole again from then on.

        `where` leaves only those that a filter asks for, before anything is ranked.
        With `explain` each comes with what every list, signal and feature said of it, and the stages that ran.
        """
        owner, asked = self._owner.but(user_id, agent_id), self._asked(query, where)
        found = self._found(owner, asked, limit)
        recalled = {item.id: item for item in self._reinforced(owner, asked, [hit.item for hit in found.hits])}
        hits = [replace(hit, item=recalled[hit.item.id]) for hit in found.hits if hit.item.id in recalled]
        return replace(found, hits=hits) if explain else [hit.item for hit in hits]

    @overload
    def search(
        self,
        query: str,
        limit: int = 5,
        *,
        explain: Literal[False] = False,
        where: ItemFilter | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[CelestialItem]: ...
    @overload
    def search(
        self, query: str, limit: int = 5, *, explain: Literal[True], where: ItemFilter | None = None,
        user_id: str | None = None, agent_id: str | None = None,
    ) -> SearchResult: ...  # fmt: skip
    def search(
        self,
        query: str,
        limit: int = 5,
        *,
        explain: bool = False,
        where: ItemFilter | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[CelestialItem] | SearchResult:
        """The same answer without reinforcing: for looking around."""
        found = self._found(self._owner.but(user_id, agent_id), self._asked(query, where), limit)
        items = self._scored(as_shown(hit.item) for hit in found.hits)
        if not explain:
            return [*items]
        return replace(found, hits=[replace(hit, item=item) for hit, item in zip(found.hits, items, strict=True)])

    def compose(
        self,
        query: str,
        budget: int = 1024,
        *,
        limit: int = 20,
        where: ItemFilter | None = None,
        reinforce: bool = True,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Composition:
        """What to put before a language model: the memories that matter, within so many tokens, as quoted data.

        Each at the finest resolution that fits, Core first. Only what was used is reinforced, if wanted.
        """
        return self._composed(self._owner.but(user_id, agent_id), query, budget, limit, where, reinforce=reinforce)[0]

    def _composed(
        self,
        owner: Owner,
        query: str,
        budget: int,
        limit: int = 20,
        where: ItemFilter | None = None,
        *,
        reinforce: bool = True,
    ) -> tuple[Composition, list[Hit]]:
        """With the hits that were used."""
        asked = self._asked(query, where)
        found = self._found(owner, asked, limit)
        composed = compose.composed(self._store, owner, found, query, check_budget(budget), asked.where)
        used = {used.item_id for used in composed.used}
        hits = [hit for hit in found.hits if hit.item.id in used]
        if reinforce:
            self._reinforced(owner, asked, [hit.item for hit in hits])
        return composed, hits

    def _reranker_for(self, owner: Owner) -> Reranker:
        return self._reranker

    def _asked(self, query: str, where: ItemFilter | None = None) -> Query:
        chosen = None if where is None else self._checked(where)
        query = asked_safely(check_text(query, "query"), self._guard_policy)
        vector = self._embedding.query(query)
        now, missing = self._now(), self._embedding.missing(query)
        offset = datetime.fromtimestamp(now).astimezone().utcoffset() or timedelta()
        return Query(query, now, vector, self._embedding.closeness, missing, chosen, offset.total_seconds())

    def _found(self, owner: Owner, asked: Query, limit: int) -> SearchResult:
        return search.search(
            self._store,
            self._zones.law,
            self._recall_settings,
            self._reranker_for(owner),
            owner,
            asked,
            check_limit(limit),
        )

    def _reinforced(self, owner: Owner, asked: Query, items: Sequence[CelestialItem]) -> Sequence[CelestialItem]:
        try:
            return recall.reinforce(
                self._store, self._zones.law, owner, [item.id for item in items],
                asked.vector, asked.now, self._embedding.closeness,
            )  # fmt: skip
        except (DiskFullError, ReadOnlyError, BusyError) as error:
            # An answer is worth more than its count.
            logger.warning("recalled without being reinforced: %s", error)
            return self._scored(map(as_shown, items))
