"""nominate: who could become a core memory is proposed to the user, and becomes one on the user's word alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from celestial_engine.core.events import Event, EventType
from celestial_engine.core.forgetting import Protection
from celestial_engine.core.item import CelestialItem, Trust
from celestial_engine.core.lifetimes import Tier
from celestial_engine.core.lives import batches, life_of
from celestial_engine.core.owner import Owner
from celestial_engine.core.promotion import nominee
from celestial_engine.core.sky import Sky
from celestial_engine.errors import InvalidInputError, NotFoundError, WrongStateError
from celestial_engine.flow.orbit import course_of, place, whereabouts
from celestial_engine.ports import ItemStore, Reader


@dataclass(frozen=True)
class NominatePlan:
    """Whom the user would be asked about. Nobody leaves for it."""

    nominees: tuple[str, ...] = ()
    of_the_self: frozenset[str] = frozenset()

    @property
    def leaving(self) -> tuple[str, ...]:
        return ()


def plan(session: Reader, owner: Owner, now: float, of_the_self: Collection[str] = frozenset()) -> NominatePlan:
    """Each is proposed once. `of_the_self`: memories that hold up a belief or founded an island."""
    own = frozenset(of_the_self)
    ids = [life.item_id for life in session.lives(owner) if nominee(life, now, own)]
    before = session.told_of(owner, ids, EventType.NOMINATED)
    return NominatePlan(tuple(item_id for item_id in ids if item_id not in before), own)


def carry_out(store: ItemStore, sky: Sky, owner: Owner, plan: NominatePlan, now: float) -> Mapping[str, int]:
    """Tells the ledger; nothing else changes."""
    told = 0
    for part in batches(plan.nominees):
        with store.write(durable=False) as session:
            before = session.told_of(owner, part, EventType.NOMINATED)
            for item in session.get_many(owner, part):
                life = life_of(item)
                if item.id not in before and nominee(life, now, plan.of_the_self):
                    detail = {"recalled": life.recall_count, "days": int(life.age(now))}
                    session.record(Event(EventType.NOMINATED, owner, now, item.id, detail))
                    told += 1
    return {"nominated": told}


def nominations(session: Reader, owner: Owner) -> list[CelestialItem]:
    """Who waits for the user's word."""
    waiting = [life.item_id for life in session.lives(owner) if life.tier is Tier.M365 and life.state.in_orbit]
    told = session.told_of(owner, waiting, EventType.NOMINATED)
    return session.get_many(owner, [item_id for item_id in waiting if item_id in told])


def approve(store: ItemStore, sky: Sky, owner: Owner, item_id: str, by: str, now: float) -> CelestialItem:
    """A memory of a year becomes a core memory: it never expires, and refuses to be changed."""
    with store.write() as session:
        item = session.get(owner, item_id)
        if item is None:
            raise NotFoundError(item_id=item_id)
        if item.tier is Tier.M0:
            return item
        if not item.state.in_orbit:
            raise WrongStateError(item_id=item_id, state=whereabouts(item), action="become a core memory")
        if item.tier is not Tier.M365 or item.trust is Trust.LOW:
            reason = "only a memory of the tier M365 that can be trusted becomes a core memory"
            raise InvalidInputError(field="id", reason=reason)
        item.tier, item.protection, item.expires_at = Tier.M0, Protection.CORE, None
        place(session, sky, item, now, session.key_of(owner, item_id))
        session.rewrite(item, course_of(sky, item, now))
        detail = {"tier": Tier.M0.value, "approved_by": by}
        session.record(Event(EventType.PROMOTED, owner, now, item_id, detail))
    return item
