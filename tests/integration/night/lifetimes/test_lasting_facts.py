"""A lasting fact never ends because of time alone; its year ends in the user's inbox."""

from __future__ import annotations

import pytest

from celestial_engine import CelestialMemory, State, Tier
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.lifetimes import Source, TierReason
from celestial_engine.core.self.proposals import MOST_PENDING
from celestial_engine.flow.night import nominate

FACTS = ("My name is Daniel and I live in Lisbon", "Mina is allergic to peanuts", "매일 아침 혈압약 먹어")


def live(memory, clock, days):
    """A user who says something every day, about something else; the nights are slept."""
    for _ in range(days):
        clock.advance(days=1)
        memory.recall("zzz")
        memory.sleep(force=True)


def test_personal_facts_do_not_vanish(memory, clock):
    """The first version forgot a name in 37 days and an allergy in 98: here nobody recalls them for two years."""
    name = memory.observe("My name is Daniel and I live in Lisbon").item
    allergy = memory.store("Mina is allergic to peanuts", importance=0.9)
    blood = memory.store("please remember that my blood type is O negative")
    assert name is not None
    items = (name, allergy, blood)
    assert {item.tier for item in items} == {Tier.M365}
    for _ in range(8):
        live(memory, clock, 10)
        clock.advance(days=80)
        live(memory, clock, 1)
    assert {memory.get(item.id).state for item in items} == {State.ACTIVE}
    assert [hit.id for hit in memory.recall("allergic to peanuts", 1)] == [allergy.id]


@pytest.mark.usefixtures("calendar_time")
def test_a_year_that_ends_becomes_a_proposal_and_waits_for_years(memory, clock):
    """From day 330; nobody answers; it is proposed again, and lives on."""
    (item,) = (memory.store(FACTS[1]),)
    clock.advance(days=329)
    memory.sleep(duties=["nominate"])
    assert memory.self.inbox() == []
    clock.advance(days=1)
    memory.sleep(duties=["nominate"])
    (proposal,) = memory.self.inbox()
    assert proposal.reasons["lasting"] is True
    for _ in range(60):
        clock.advance(days=30)
        memory.sleep(force=True)
        assert memory.get(item.id).state is State.ACTIVE
    (again,) = memory.self.inbox()
    assert again.id != proposal.id
    nominations = [event for event in memory.ledger.history(item.id) if event.type is EventType.NOMINATED]
    assert 4 <= len(nominations) <= 6, "about one a year, not one a month"


@pytest.mark.usefixtures("calendar_time")
def test_the_users_word_ends_it_or_makes_it_core(memory, clock):
    """Rejected before the end, it lives out its year; rejected later, it leaves at once; approved, it is core."""
    early, late, core = (memory.store(text) for text in FACTS)
    clock.advance(days=340)
    memory.sleep(duties=["nominate"])
    waiting = {proposal.changes[0].id: proposal.id for proposal in memory.self.inbox()}
    memory.self.reject(waiting[early.id], by="mina")
    assert memory.get(early.id).tier_reason is TierReason.DECLINED
    clock.advance(days=24)
    memory.sleep(duties=["expire"])
    assert memory.get(early.id).state is State.ACTIVE
    clock.advance(days=1)
    memory.sleep(duties=["expire"])
    assert memory.get(early.id).state is State.CLIFF
    memory.self.reject(waiting[late.id], by="mina")
    gone = memory.get(late.id)
    assert gone.departure is not None
    assert (gone.state, gone.departure.reason.value) == (State.CLIFF, "expired")
    memory.self.approve(waiting[core.id], memory.self.approval_token(waiting[core.id]), by="mina")
    kept = memory.get(core.id)
    assert (kept.tier, kept.tier_reason) == (Tier.M0, TierReason.APPROVED)
    memory.sleep(duties=["nominate"])
    assert memory.self.inbox() == []
    restored = memory.restore(late.id)
    assert restored.tier_reason is TierReason.DECLINED


@pytest.mark.usefixtures("calendar_time")
def test_a_full_inbox_is_tried_again(memory, clock):
    items = [memory.store(f"Mina's {number}. friend is allergic to peanuts", tier=None) for number in range(60)]
    lasting = [item.id for item in items if item.is_lasting]
    assert len(lasting) == 60
    clock.advance(days=400)
    memory.sleep(duties=["nominate", "expire", "fade"])
    assert len(memory.self.inbox(limit=MOST_PENDING)) == nominate.MOST_LASTING
    assert {memory.get(item_id).state for item_id in lasting} == {State.ACTIVE}
    for proposal in memory.self.inbox(limit=MOST_PENDING)[:20]:
        memory.self.reject(proposal.id, by="mina")
    clock.advance(days=31)
    memory.sleep(duties=["nominate"])
    assert len(memory.self.inbox(limit=MOST_PENDING)) == 40


def test_nobody_is_asked_while_away(memory, clock):
    memory.store(FACTS[1])
    live(memory, clock, 329)
    clock.advance(days=400)
    memory.sleep(force=True)
    assert memory.self.inbox() == []
    live(memory, clock, 32)
    assert len(memory.self.inbox()) == 1


@pytest.mark.usefixtures("calendar_time")
def test_a_tier_that_was_given_is_obeyed(memory, clock):
    item = memory.store(FACTS[1], tier=Tier.M30)
    assert (item.tier, item.tier_reason, item.is_lasting) == (Tier.M30, TierReason.GIVEN, False)
    clock.advance(days=30)
    memory.sleep(duties=["expire"])
    assert memory.get(item.id).state is State.CLIFF


@pytest.mark.usefixtures("calendar_time")
def test_a_contradicted_fact_ends_like_any_other(memory, clock):
    old = memory.store("I live in Seoul")
    clock.advance(days=10)
    memory.store("I moved to Busan")
    memory.sleep(duties=["supersede"])
    old = memory.get(old.id)
    assert old.validity.until is not None
    assert not old.is_lasting
    clock.advance(days=365)
    memory.sleep(duties=["nominate", "expire"])
    assert memory.get(old.id).state is State.CLIFF


def test_a_new_text_is_read_again(memory):
    """An update can make a memory lasting, and what it no longer says is no longer lasting."""
    item = memory.observe("The meeting is on Monday at 3pm").item
    assert item is not None
    assert item.tier is Tier.M30
    updated = memory.update(item.id, FACTS[1])
    assert (updated.tier, updated.tier_reason, updated.is_lasting) == (Tier.M365, TierReason.LASTING, True)
    back = memory.update(item.id, "The meeting is on Monday at 3pm")
    assert (back.tier, back.is_lasting) == (Tier.M365, False)


def test_imports_are_judged_alike(memory):
    lasting, passing = memory.store_many([FACTS[1], "The meeting is on Monday at 3pm"])
    assert (lasting.source, lasting.tier) == (Source.IMPORT, Tier.M365)
    assert (passing.tier, passing.tier_reason) == (Tier.M90, TierReason.DELIBERATE)


def test_the_reason_survives_export_and_merging(memory, clock):
    item = memory.store(FACTS[1])
    (record,) = memory.transfer.export()
    assert record["tier_reason"] == "lasting"
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock) as other:
        other.transfer.import_([record])
        assert other.get(item.id).is_lasting
    twin = memory.store(FACTS[1], tier=Tier.M30)
    memory.sleep(duties=["consolidate"])
    kept = memory.get(item.id) if memory.get(item.id).state.in_orbit else memory.get(twin.id)
    assert kept.is_lasting
