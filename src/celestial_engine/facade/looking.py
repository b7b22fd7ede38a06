"""Looking: the operations that only read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from celestial_engine.core.checks import check_id, check_limit
from celestial_engine.core.orbit.memory_function import Explanation
from celestial_engine.core.record.events import Event
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.errors import AmbiguousIdError, NotFoundError
from celestial_engine.facade.ground import Ground
from celestial_engine.flow.departures import forget
from celestial_engine.flow.turn import relate
from celestial_engine.ports import ItemFilter

_EXPORT_PAGE = 500


class Looking(Ground):
    """What can be asked of a memory without changing it."""

    def get(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> CelestialItem:
        """One memory by its id, wherever it is; looking does not reinforce."""
        with self._store.read() as session:
            item = session.items.get(self._owner.but(user_id, agent_id), check_id(item_id))
        if item is None:
            raise NotFoundError(item_id=item_id)
        return self._scored([item])[0]

    def find_id(self, prefix: str, *, user_id: str | None = None, agent_id: str | None = None) -> str:
        """The id that starts with these characters, if there is exactly one."""
        owner, prefix = self._owner.but(user_id, agent_id), check_id(prefix)
        with self._store.read() as session:
            if session.items.get(owner, prefix) is not None:
                return prefix
            ids = session.items.ids_starting(owner, prefix, 100) if prefix else []
        if not ids:
            raise NotFoundError(item_id=prefix)
        if len(ids) > 1:
            raise AmbiguousIdError(count=len(ids), prefix=prefix)
        return ids[0]

    def list(
        self,
        limit: int = 20,
        *,
        zone: int | None = None,
        tier: Tier | None = None,
        where: ItemFilter | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[CelestialItem]:
        """The newest memories, of all or of those that a filter asks for."""
        chosen = ItemFilter() if where is None else self._checked(where)
        if zone is not None:
            chosen = self._checked(replace(chosen, zone=zone))
        if tier is not None:
            chosen = replace(chosen, tier=tier)
        with self._store.read() as session:
            items = session.items.newest(self._owner.but(user_id, agent_id), chosen, check_limit(limit))
        return [*self._scored(items)]

    def session_ids(
        self, *, where: ItemFilter | None = None, user_id: str | None = None, agent_id: str | None = None
    ) -> Sequence[str]:
        """The sessions that memories belong to, in the order of their names."""
        chosen = ItemFilter() if where is None else self._checked(where)
        with self._store.read() as session:
            return session.items.session_ids(self._owner.but(user_id, agent_id), chosen)

    def related(
        self,
        item_id: str,
        depth: int = 1,
        limit: int = 20,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Sequence[relate.Related]:
        """The memories tied to this one, by links or by what they tell of, up to three steps away."""
        owner = self._owner.but(user_id, agent_id)
        return relate.related(self._store, owner, check_id(item_id), depth, check_limit(limit))

    def explain(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> Explanation:
        """The parts of a memory's score, and when it will drift to which zone."""
        return self._zones.law.function.explain(self.get(item_id, user_id=user_id, agent_id=agent_id), self._now())

    def history(
        self,
        item_id: str | None = None,
        limit: int = 100,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Sequence[Event]:
        """What the ledger says, newest first; of one memory, or of all."""
        with self._store.read() as session:
            return session.ledger.events(
                self._owner.but(user_id, agent_id), item_id and check_id(item_id), check_limit(limit)
            )

    def stats(self, *, user_id: str | None = None, agent_id: str | None = None) -> dict[str, Any]:
        """How many memories there are: in orbit by zone, lifetime and category, and all of them by state."""
        owner = self._owner.but(user_id, agent_id)
        configs = self._zones.law.function.zones.configs
        with self._store.read() as session:
            census, categories = session.night.census(owner), session.items.category_counts(owner)
        return {
            "zones": {
                zone.zone_id: {
                    "name": zone.name, "count": census.zones.get(zone.zone_id, 0), "capacity": zone.max_slots,
                }
                for zone in configs
            },
            "total": census.in_orbit,
            "cliff": census.states.get(State.CLIFF, 0),
            "tiers": {tier.value: census.tiers.get(tier, 0) for tier in Tier},
            "categories": {category.value: categories.get(category, 0) for category in Category},
            "states": {state.value: count for state, count in census.states.items()},
        }  # fmt: skip

    def population(self) -> dict[str, int]:
        """How many memories are in orbit, of all owners, by the name of their zone."""
        with self._store.read() as session:
            counts = session.night.population()
        return {zone.name: counts.get(zone.zone_id, 0) for zone in self._zones.law.function.zones.configs}

    def export(self, *, user_id: str | None = None, agent_id: str | None = None) -> Iterator[dict[str, Any]]:
        """Every memory as a JSON object, oldest first, those on the cliff too."""
        owner = self._owner.but(user_id, agent_id)
        key = -1
        while True:
            # Page by page: the caller may take its time, and must not hold up anybody meanwhile.
            with self._store.read() as session:
                page = session.items.page(owner, key, _EXPORT_PAGE)
            if not page:
                return
            for item in self._scored(item for _, item in page):
                yield item.to_dict()
            key = page[-1][0]

    def cliff(
        self, limit: int = 100, *, user_id: str | None = None, agent_id: str | None = None
    ) -> Sequence[CelestialItem]:
        """What was forgotten and can still be restored."""
        with self._store.read() as session:
            return session.items.newest(self._owner.but(user_id, agent_id), forget.ON_THE_CLIFF, check_limit(limit))
