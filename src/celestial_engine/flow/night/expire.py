"""expire: a tier's time is over, or a memory was inactive for thirty days: it goes over the cliff."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from celestial_engine.core.night.lives import LIVING, lifetime_row_of
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.forgetting import DepartureReason
from celestial_engine.core.record.owner import Owner
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.placement import over_the_cliff
from celestial_engine.ports import ItemStore, Progress, Reader


@dataclass(frozen=True)
class ExpirePlan:
    """Whose time is over."""

    expired: tuple[str, ...] = ()  # their tier's
    unused: tuple[str, ...] = ()  # their thirty inactive days

    @property
    def leaving(self) -> tuple[str, ...]:
        return self.expired + self.unused


def plan(session: Reader, owner: Owner, now: float) -> ExpirePlan:
    """Whatever the tier; never what is protected."""
    going = [
        (life.item_id, reason)
        for life in session.night.lifetime_rows(owner)
        if (reason := life.leaves_for(now)) is not None
    ]
    return ExpirePlan(
        tuple(item_id for item_id, reason in going if reason is DepartureReason.EXPIRED),
        tuple(item_id for item_id, reason in going if reason is not DepartureReason.EXPIRED),
    )


def carry_out(
    store: ItemStore, law: Law, owner: Owner, plan: ExpirePlan, now: float, progress: Progress | None = None
) -> Mapping[str, int]:
    """Each is looked at again: who was pinned, promoted or recalled meanwhile stays."""
    counts: Counter[str] = Counter()
    for part in in_batches(plan.leaving, progress):
        with store.write(owner, durable=False) as session:
            for item in session.items.get_many(owner, part):
                reason = lifetime_row_of(item).leaves_for(now) if item.state in LIVING else None
                if reason is not None:
                    over_the_cliff(session, law, item, reason, now)
                    counts[reason.value] += 1
    return counts
