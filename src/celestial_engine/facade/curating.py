"""Curating: memories from elsewhere, the user's stars, and letting many go at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from celestial_engine.core.checks import check_id, check_ids
from celestial_engine.core.guard.guard import Guard
from celestial_engine.core.record.importance import Evaluation
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.errors import InvalidInputError
from celestial_engine.facade.remembering import Remembering
from celestial_engine.flow.departures import clear, erase
from celestial_engine.flow.turn import rate, store


class Curating(Remembering):
    """What is done to memories that somebody else made, or to many of them."""

    def add_coordinate(
        self, document: object, *, user_id: str | None = None, agent_id: str | None = None
    ) -> CelestialItem:
        """Remembers a coordinate document; its id, its time and its coordinates stay.

        Its lifetime begins now. Links to memories that are not here are kept, one-sided.
        """
        from celestial_engine.core.record.coordinate_document import UNJUDGED, from_coordinate
        from celestial_engine.flow.turn.evaluate import evaluate

        owner, now = self._owner.but(user_id, agent_id), self._now()
        item = from_coordinate(document)
        guard = Guard(self._guard_policy)
        item = guard.item(item)
        perceived = self._perceiver.perceive(item.content)
        item = store.prepared(item, perceived, owner, now)
        given = Evaluation(item.arbitrary_importance, "given")
        judged = evaluate(self._evaluator, item) if item.importance_source == UNJUDGED else given
        item.arbitrary_importance, item.importance_source = judged.score, judged.source
        item.embedding = self._embedding.passage(item.content)
        fallback = judged.fallback_from or perceived.fallback_from
        return store.store(self._store, self._zones.law, item, now, fallback, loosely=True, redacted=guard.notes)

    def rate(
        self, item_id: str, stars: int, *, user_id: str | None = None, agent_id: str | None = None
    ) -> CelestialItem:
        """The user's stars, 1 to 5. They raise or lower the importance, unless somebody gave that."""
        from celestial_engine.flow.turn.evaluate import evaluate

        stars = rate.check_stars(stars)
        old = self.get(check_id(item_id), user_id=user_id, agent_id=agent_id)
        judged = evaluate(self._evaluator, replace(old, user_rating=stars))
        owner = self._owner.but(user_id, agent_id)
        return rate.rate(self._store, self._zones.law, owner, item_id, stars, judged, self._now())

    def forget_where(
        self, where: ItemFilter, *, user_id: str | None = None, agent_id: str | None = None
    ) -> Sequence[CelestialItem]:
        """Lets all that a filter asks for go over the cliff; what is immutable or core stays."""
        if where == ItemFilter(states=where.states):
            raise InvalidInputError(field="where", reason="it asks for every memory there is")
        owner = self._owner.but(user_id, agent_id)
        return clear.clear(self._store, self._zones.law, owner, self._checked(where), self._now())

    def erase(
        self, item_ids: Sequence[str], *, user_id: str | None = None, agent_id: str | None = None
    ) -> Sequence[str]:
        """Purges these memories at once, and what was distilled from them alone; gives the ids of those that went."""
        owner = self._owner.but(user_id, agent_id)
        return erase.erase(self._store, owner, check_ids(item_ids, "ids"), self._now())
