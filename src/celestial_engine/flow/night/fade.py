"""fade: show long-idle memories by their facts only, then leave them out of search. The text is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from celestial_engine.core.night.lifetime_rows import lifetime_row_of
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.owner_time import owner_time
from celestial_engine.flow.base.placement import rewrite
from celestial_engine.ports import ItemStore, Progress, Reader, Writer


@dataclass(frozen=True)
class FadePlan:
    """Which memories would fade, and which would leave search."""

    fading: tuple[str, ...] = ()
    resting: tuple[str, ...] = ()

    @property
    def leaving(self) -> tuple[str, ...]:
        return self.fading + self.resting


def plan(session: Reader, owner: Owner, now: float) -> FadePlan:
    """Plan by keep importance; lasting facts and protected memories never fade. `now` is the owner's time."""
    sinking = [
        (life.item_id, state)
        for life in session.night.lifetime_rows(owner)
        if (state := life.sinks_to(now)) is not None
    ]
    return FadePlan(
        tuple(item_id for item_id, state in sinking if state is State.FADED),
        tuple(item_id for item_id, state in sinking if state is State.INACTIVE),
    )


def carry_out(
    store: ItemStore, law: Law, owner: Owner, plan: FadePlan, now: float, progress: Progress | None = None
) -> Mapping[str, int]:
    """Apply the plan. Each is read again: one that was recalled, linked or protected meanwhile stays."""
    counts: Counter[str] = Counter()
    for part in in_batches(plan.leaving, progress):
        with store.write(owner, durable=False) as session:
            at = owner_time(session, law, owner, now)
            for item in session.items.get_many(owner, part):
                life = lifetime_row_of(item)
                state = life.sinks_to(at)
                if state is not None:
                    _sink(session, law, item, state, life.keep_importance(at), now)
                    counts[state.value] += 1
            session.orbits.settle_again(owner, now)  # seats may have become free
    return counts


def _sink(session: Writer, law: Law, item: CelestialItem, state: State, keep_importance: float, now: float) -> None:
    rewrite(session, law, replace(item, state=state, state_since=now), now)
    kind = EventType.FADED if state is State.FADED else EventType.WENT_INACTIVE
    session.ledger.record(Event(kind, item.owner, now, item.id, {"keep": round(keep_importance, 4)}))
