"""nominate: propose core memories to the user. Only the user's approval makes a memory core.

A lasting fact whose year ends is proposed until the user decides, and lives on meanwhile.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from celestial_engine.core.night.lifetime_rows import lifetime_row_of
from celestial_engine.core.night.promotion import nominee, year_ends
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.proposals import (
    DECIDE_ABOUT_LASTING_WITHIN,
    LASTING,
    MOST_PENDING,
    Channel,
    Proposal,
    ProposalKind,
    ProposalStatus,
)
from celestial_engine.errors import InvalidInputError
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.owner_time import owner_time
from celestial_engine.flow.self.draft import core_promotion
from celestial_engine.flow.self.inbox import put
from celestial_engine.ports import ItemStore, Reader, Writer

MOST_LASTING = 50  # of these in the inbox at once, so that there is room for other proposals


@dataclass(frozen=True)
class NominatePlan:
    """The memories that would be proposed. None of them leaves."""

    nominees: tuple[str, ...] = ()
    of_the_self: frozenset[str] = frozenset()
    leaving: ClassVar[tuple[str, ...]] = ()


def plan(session: Reader, owner: Owner, now: float, of_the_self: Collection[str] = frozenset()) -> NominatePlan:
    """Propose each memory once, and lasting facts whose year ends until the user decides.

    `of_the_self`: memories that support a belief or founded an island.
    """
    own = frozenset(of_the_self)
    nominees = [life for life in session.night.lifetime_rows(owner) if nominee(life, now, own)]
    ending = sorted((life for life in nominees if year_ends(life, now)), key=lambda life: life.expires_at or 0.0)
    others = [life.item_id for life in nominees if not year_ends(life, now)]
    before = session.ledger.ids_with_event(owner, others, EventType.NOMINATED)
    waiting = [proposal for proposal in _waiting(session, owner, now) if LASTING in proposal.reasons]
    proposed = {proposal.changes[0].id for proposal in waiting}
    new = [life.item_id for life in ending if life.item_id not in proposed][: max(0, MOST_LASTING - len(proposed))]
    return NominatePlan((*new, *(item_id for item_id in others if item_id not in before)), own)


def carry_out(store: ItemStore, law: Law, owner: Owner, plan: NominatePlan, now: float) -> Mapping[str, int]:
    """Put the proposals into the inbox; nothing else changes."""
    count = 0
    for part in in_batches(plan.nominees):
        with store.write(owner, durable=False) as session:
            at = owner_time(session, law, owner, now)
            before = session.ledger.ids_with_event(owner, part, EventType.NOMINATED)
            for item in session.items.get_many(owner, part):
                life = lifetime_row_of(item)
                ending = year_ends(life, at)
                if ending or (item.id not in before and nominee(life, at, plan.of_the_self)):
                    count += _nominate(session, owner, item, int(life.age(now)), now, ending=ending)
    return {"nominated": count}


def _nominate(session: Writer, owner: Owner, item: CelestialItem, days: int, now: float, *, ending: bool) -> int:
    try:
        draft = core_promotion(session, owner, item.id, Channel.SLEEP, {"days": days})
        if ending:
            reasons = {**draft.reasons, LASTING: True}
            draft = replace(draft, reasons=reasons, decide_within=DECIDE_ABOUT_LASTING_WITHIN)
        put(session, owner, draft, "sleep", Channel.SLEEP, now)
    except InvalidInputError:  # a claim, which only the user proposes; rejected before; or the inbox is full
        return 0
    detail = {"recalled": item.recall_count, "days": days}
    session.ledger.record(Event(EventType.NOMINATED, owner, now, item.id, detail))
    return 1


def nominations(session: Reader, owner: Owner, now: float) -> list[CelestialItem]:
    """Return the memories that wait for the user's decision."""
    ids = [proposal.changes[0].id for proposal in _waiting(session, owner, now)]
    return session.items.get_many(owner, list(reversed(ids)))


def _waiting(session: Reader, owner: Owner, now: float) -> list[Proposal]:
    return [
        proposal
        for proposal in session.self.proposals(owner, ProposalStatus.PENDING, MOST_PENDING)
        if proposal.kind is ProposalKind.CORE_PROMOTION and proposal.changes and not proposal.is_over(now)
    ]
