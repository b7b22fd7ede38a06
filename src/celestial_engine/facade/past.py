"""Past: a memory as it was, to look at."""

from __future__ import annotations

from collections.abc import Sequence

from celestial_engine.core.checks import check_id, check_limit
from celestial_engine.core.learning.reranker import Reranker
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.facade.looking import Looking
from celestial_engine.facade.recalling import Recalling
from celestial_engine.flow.base.embed import Embedding
from celestial_engine.flow.ledger.past import PastMemories, laid_out
from celestial_engine.flow.turn.search import Query
from celestial_engine.ports import ItemStore
from celestial_engine.zone_manager import ZoneManager


class Past(Looking, Recalling):
    """One owner's memories as of a moment. Nothing here changes anything, not even by recalling.

    `gone` are the ids of memories that were there then and have been purged since: of them nothing is left.
    """

    def __init__(
        self,
        moment: float,
        then: PastMemories,
        owner: Owner,
        law: Law,
        present: ItemStore,
        room: ItemStore,
        embedding: Embedding,
        settings: RecallSettings,
        reranker: Reranker,
    ) -> None:
        """`room` is an empty store, which the past is laid out in."""
        self.moment = moment
        self.number = then.number
        self.gone = then.gone
        self._present = present
        self._store = room
        self._owner = owner
        self._clock = lambda: moment
        self._zones = ZoneManager(store=room, law=law, owner=owner, clock=self._clock)
        self._embedding = embedding
        self._recall_settings = settings
        self._reranker = reranker
        laid_out(room, law, then.items, moment)

    def history(
        self,
        item_id: str | None = None,
        limit: int = 100,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Sequence[Event]:
        """What the ledger said by then, newest first."""
        owner = self._owner.but(user_id, agent_id)
        if owner != self._owner:
            return []
        with self._present.read() as session:
            return session.ledger.events(owner, item_id and check_id(item_id), check_limit(limit), self.number)

    def _reinforced(self, owner: Owner, asked: Query, items: Sequence[CelestialItem]) -> Sequence[CelestialItem]:
        """The past is not changed by looking at it."""
        return self._scored(items)
