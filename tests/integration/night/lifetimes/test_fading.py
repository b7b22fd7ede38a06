"""Memories that fade or rest: what they answer by then, and how they come back."""

from __future__ import annotations

import pytest

from celestial_engine import State
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.errors import NotFoundError, WrongStateError
from celestial_engine.flow.night import expire, fade

pytestmark = pytest.mark.usefixtures("calendar_time")  # their owners do nothing for weeks


def test_a_faded_memory_answers_by_its_facts_and_recall_makes_it_whole(memory, clock, night, heard, kinds):
    """Search shows its triples, the record keeps its text; a recall brings it back."""
    (item,) = heard(memory, "민수는 어제 회사 근처 식당에서 먹은 김치찌개를 정말 좋아한다")
    clock.advance(days=21)
    assert night.plan(fade).leaving == (item.id,)
    assert night.do(fade) == {"faded": 1}
    assert night.plan(fade).leaving == ()
    faded = memory.get(item.id)
    assert (faded.state, faded.state_since, faded.content) == (State.FADED, clock(), item.content)
    facts = "; ".join(",".join(triple) for triple in item.resolution.triples)
    assert facts
    assert [hit.content for hit in memory.search("김치찌개")] == [facts]
    assert memory.get(item.id).state is State.FADED
    composed = memory.compose("김치찌개")
    assert facts in composed.text
    assert composed.used[0].level == 2
    assert memory.get(item.id).state is State.ACTIVE
    (whole,) = memory.recall("김치찌개")
    assert whole.content == item.content
    assert kinds(memory, item.id)[:3] == [EventType.RECALLED, EventType.RECALLED, EventType.FADED]
    assert memory.maintenance.check() == []


def test_recall_of_a_faded_one_shows_its_facts_once(memory, clock, night, heard):
    (item,) = heard(memory, "민수는 김치찌개를 정말 좋아한다")
    clock.advance(days=21)
    night.do(fade)
    (first,) = memory.recall("김치찌개")
    (second,) = memory.recall("김치찌개")
    assert (first.content, second.content) == ("민수,좋아함,김치찌개", item.content)
    assert (second.state, second.state_since, second.recall_count) == (State.ACTIVE, None, 2)


def test_one_without_facts_answers_by_its_gist(memory, clock, night, heard):
    text = "음. " * 60
    (item,) = heard(memory, text)
    assert item.resolution.triples == ()
    clock.advance(days=21)
    night.do(fade)
    assert [hit.content for hit in memory.search("음")] == [item.resolution.gist]


def test_an_inactive_memory_is_not_searched_and_can_be_reminded_of(memory, clock, night):
    """Nor counted in a zone; by its id, or along a link, it is found, and active again."""
    friend = memory.store("a friend of it", pinned=True)
    item = memory.store("the blue notebook is in the attic", related=[friend.id], tier=Tier.M365)
    memory.pin(item.id)
    clock.advance(days=600)
    memory.unpin(item.id)  # its clock starts again, or it would go the same night
    assert night.plan(expire).leaving == ()
    assert night.do(fade) == {"inactive": 1}
    assert memory.get(item.id).state is State.INACTIVE
    assert memory.search("blue notebook") == []
    assert memory.recall("blue notebook") == []
    assert item.id in [found.item.id for found in memory.related(friend.id)]
    with pytest.raises(WrongStateError, match="inactive"):
        memory.rate(item.id, 5)
    back = memory.remind(item.id)
    assert (back.state, back.content, back.recall_count) == (State.ACTIVE, item.content, 1)
    assert [hit.id for hit in memory.search("blue notebook")] == [item.id]
    assert memory.maintenance.check() == []


def test_reminding_reaches_nobody_on_the_cliff(memory):
    item = memory.store("gone")
    memory.forget(item.id)
    with pytest.raises(WrongStateError, match="on the cliff"):
        memory.remind(item.id)
    with pytest.raises(NotFoundError):
        memory.remind("nobody")


def test_thirty_inactive_days_end_at_the_cliff_and_come_back(memory, clock, night):
    item = memory.store("the blue notebook is in the attic", tier=Tier.M365, pinned=True)
    clock.advance(days=600)
    memory.unpin(item.id)
    night.do(fade)
    clock.advance(days=29)
    assert night.plan(expire).leaving == ()
    clock.advance(days=1)
    assert night.do(expire) == {"stale": 1}
    (on_cliff,) = memory.departures.cliff()
    assert on_cliff.departure.reason.value == "stale"
    back = memory.restore(item.id)
    assert (back.state, back.state_since) == (State.ACTIVE, None)


def test_an_inactive_memory_can_be_forgotten_by_hand(memory, clock, night):
    item = memory.store("x marks the spot", tier=Tier.M365, pinned=True)
    clock.advance(days=600)
    memory.unpin(item.id)
    night.do(fade)
    assert memory.forget(item.id).state is State.CLIFF


def test_fading_is_undone_by_number(memory, clock, night, heard):
    (item,) = heard(memory, "민수는 김치찌개를 좋아한다")
    clock.advance(days=21)
    night.do(fade)
    event = memory.ledger.history(item.id)[0]
    assert (event.type, set(event.detail)) == (EventType.FADED, {"keep"})
    assert memory.ledger.undo(event.number).state is State.ACTIVE
