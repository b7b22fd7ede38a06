"""Memories that say the same become one, in both stores; nothing is lost, and everything can be undone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from celestial_engine import CelestialMemory
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.forgetting import DepartureReason, Protection, State
from celestial_engine.core.record.item import Trust
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import UndoError
from celestial_engine.flow.base.placement import course_of
from celestial_engine.flow.night import consolidate
from celestial_engine.testing.in_memory.store import DictStore

pytestmark = pytest.mark.usefixtures("calendar_time")  # their owners do nothing for weeks

SKY = Law()


@pytest.fixture(params=["sqlite", "dictionaries"])
def memory(request, clock):
    store = DictStore() if request.param == "dictionaries" else None
    with CelestialMemory(
        ":memory:", rebalance_interval=None, clock=clock, item_store=store, embedder="none"
    ) as opened:
        yield opened


def owner_of(memory) -> Owner:
    return memory.owner


def store_of(memory):
    return memory.parts.store


def planned(memory, since=None):
    with store_of(memory).read() as session:
        return consolidate.plan(session, owner_of(memory), memory.parts.now(), since)


def sleep(memory, since=None):
    plan = planned(memory, since)
    return consolidate.carry_out(store_of(memory), SKY, owner_of(memory), plan, memory.parts.now())


def change(memory, item_id, **fields):
    """As the flow would, without its checks."""
    with store_of(memory).write(memory.owner) as session:
        item = replace(session.items.get(owner_of(memory), item_id), **fields)
        session.items.rewrite(item, course_of(SKY, item, memory.parts.now()))


def texts(memory) -> list[str]:
    return sorted(item.content for item in memory.list())


def test_twins_become_one(memory):
    """The more recalled stays; recalls and mentions add up; the other waits on the cliff, as merged."""
    first = memory.store("I like coffee")
    second = memory.store("I really like coffee!")
    change(memory, first.id, recall_count=2)
    change(memory, second.id, recall_count=5, keywords=("coffee", "taste"))
    assert planned(memory).leaving == (first.id,)
    assert sleep(memory) == {"merged": 1}
    kept = memory.get(second.id)
    assert (kept.recall_count, kept.mention_count) == (7, 1)
    assert "taste" in kept.keywords
    gone = memory.get(first.id)
    assert (gone.state, gone.departure.reason) == (State.CLIFF, DepartureReason.MERGED)
    assert [item.id for item in memory.departures.cliff()] == [first.id]
    (event,) = [one for one in memory.ledger.history(second.id) if one.type is EventType.MERGED]
    assert event.detail["from"] == first.id


def test_the_older_stays_among_equals(memory, clock):
    """So the memory keeps the day on which it was first said."""
    first = memory.store("나는 서울에 살아")
    clock.advance(days=1)
    memory.store("저는 서울에 살아요")
    sleep(memory)
    assert [item.id for item in memory.list()] == [first.id]


def test_a_chain_keeps_exactly_one(memory):
    """Never is anybody merged into one that is gone."""
    for end in ("", ".", "!", "!!", " :)"):
        memory.store(f"Mina is allergic to peanuts{end}")
    assert sleep(memory) == {"merged": 4}
    (kept,) = memory.list()
    assert kept.mention_count == 4
    assert sleep(memory) == {"merged": 0}


def test_three_appointments_survive(memory):
    """Pinned or not: another weekday is another fact."""
    for pinned in (True, False):
        for when in ("Monday at 3pm", "Tuesday at 3pm", "Friday at 5pm"):
            item = memory.store(f"Dentist appointment on {when}")
            if pinned:
                memory.pin(item.id)
    sleep(memory)
    assert len({item.content for item in memory.list()}) == 3
    assert len([item for item in memory.list() if item.protection is Protection.PINNED]) == 3


@pytest.mark.parametrize(
    "pair", [("I like Python", "I dislike Python"), ("나는 파이썬을 좋아해", "나는 파이썬을 안 좋아해")]
)
def test_likes_and_dislikes_survive(memory, pair):
    """What is the opposite is no duplicate."""
    for text in pair:
        memory.store(text)
    sleep(memory)
    assert texts(memory) == sorted(pair)


@pytest.mark.parametrize(
    "fields",
    [
        {"protection": Protection.PINNED},
        {"protection": Protection.IMMUTABLE},
        {"protection": Protection.CORE},
        {"tier": Tier.M0, "expires_at": None},
        {"trust": Trust.LOW},
    ],
    ids=["pinned", "immutable", "core", "M0", "low trust"],
)
def test_who_never_goes(memory, fields):
    """Both have it, both stay."""
    for _ in range(2):
        change(memory, memory.store("I like coffee").id, **fields)
    sleep(memory)
    assert len(memory.list()) == 2


def test_the_pinned_one_stays(memory):
    """However often the other was recalled."""
    pinned = memory.pin(memory.store("I like coffee").id)
    change(memory, memory.store("I like coffee").id, recall_count=9)
    sleep(memory)
    assert [item.id for item in memory.list()] == [pinned.id]
    assert memory.get(pinned.id).recall_count == 9


def test_owners_and_projects_stay_apart(memory):
    """The same words of somebody else, or of another project, are another memory."""
    memory.store("We use Postgres")
    memory.of("somebody else").store("We use Postgres")
    other = memory.store("We use Postgres")
    change(memory, other.id, space=replace(other.space, project="the other one"))
    sleep(memory)
    assert len(memory.list()) == 2
    assert len(memory.of("somebody else").list()) == 1


def test_tomorrow_is_another_day(memory, clock):
    """The same words on another day may mean another day."""
    memory.store("I see the dentist tomorrow")
    clock.advance(days=30)
    memory.store("I see the dentist tomorrow")
    sleep(memory)
    assert len(memory.list()) == 2


def test_links_follow_the_keeper(memory, clock):
    """Both ways: who was tied to the one that went is tied to the one that stays."""
    kept, child = memory.store("I like coffee"), memory.store("The blue cup is mine")
    clock.advance(seconds=1)
    gone = memory.store("I like coffee")
    change(memory, gone.id, links=replace(gone.links, children=(child.id,)))
    change(memory, child.id, links=replace(child.links, parent=gone.id))
    sleep(memory)
    assert memory.get(kept.id).links.children == (child.id,)
    assert memory.get(child.id).links.parent == kept.id


def test_undo_parts_them_again(memory):
    """The keeper as it was but for later recalls, the other back in orbit; and the next night leaves them alone."""
    kept, gone = memory.store("I like coffee"), memory.store("I like coffee!")
    child = memory.store("The blue cup is mine")
    change(memory, kept.id, recall_count=3)
    change(memory, gone.id, recall_count=1, links=replace(gone.links, children=(child.id,)))
    change(memory, child.id, links=replace(child.links, parent=gone.id))
    sleep(memory)
    memory.recall("coffee")
    number = next(event.number for event in memory.ledger.history(kept.id) if event.type is EventType.MERGED)
    memory.ledger.undo(number)
    assert memory.get(kept.id).recall_count == 4
    assert memory.get(kept.id).links.children == ()
    back = memory.get(gone.id)
    assert (back.state, back.recall_count, back.departure) == (State.ACTIVE, 1, None)
    assert memory.get(child.id).links.parent == gone.id
    assert planned(memory).merges == ()
    assert memory.maintenance.check() == []


def test_undo_of_what_is_gone_for_good(memory, clock):
    """It says so, and changes nothing."""
    kept = memory.store("I like coffee")
    clock.advance(seconds=1)
    memory.store("I like coffee!")
    sleep(memory)
    number = next(event.number for event in memory.ledger.history(kept.id) if event.type is EventType.MERGED)
    clock.advance(days=8)
    memory.rebalance()
    with pytest.raises(UndoError):
        memory.ledger.undo(number)
    assert memory.get(kept.id).mention_count == 1


def test_who_was_restored_is_not_taken_again(memory, clock):
    """The user's word stands."""
    memory.store("I like coffee")
    clock.advance(seconds=1)
    gone = memory.store("I like coffee!")
    sleep(memory)
    memory.restore(gone.id)
    assert planned(memory).merges == ()


def test_what_changed_meanwhile_stays(memory):
    """A plan is checked once more when it is carried out, and a second time it does nothing."""
    memory.store("I like coffee")
    other = memory.store("I like coffee!")
    plan = planned(memory)
    memory.update(other.id, "I like tea")
    done = consolidate.carry_out(store_of(memory), SKY, owner_of(memory), plan, memory.parts.now())
    assert done == {"merged": 0}
    assert texts(memory) == ["I like coffee", "I like tea"]


def test_a_night_that_was_cut_off_ends_the_same(memory, clock):
    """Half of the plan, then planned again: one stays of each, with everything that all of them had."""
    for number in range(4):
        for text in ("I like coffee", "나는 차를 좋아해"):
            change(memory, memory.store(text + "!" * number).id, recall_count=number)
            clock.advance(seconds=1)
    plan = planned(memory)
    half = replace(plan, merges=plan.merges[::2])
    consolidate.carry_out(store_of(memory), SKY, owner_of(memory), half, memory.parts.now())
    sleep(memory)
    assert sorted((item.recall_count, item.mention_count) for item in memory.list()) == [(6, 3), (6, 3)]
    assert planned(memory).merges == ()


def test_since_looks_at_what_came_later(memory, clock):
    """A newcomer finds its older twin; twins that were left before are not asked again."""
    for number in range(20):
        memory.store(f"Note about the topic {chr(97 + number) * 3}")
    memory.store("I like coffee")
    memory.store("나는 차를 좋아해")
    memory.store("나는 차를 좋아해!")
    clock.advance(days=1)
    last_night = memory.parts.now()
    clock.advance(days=1)
    newcomer = memory.store("I like coffee!")
    assert planned(memory, last_night).leaving == (newcomer.id,)
    assert len(planned(memory).leaving) == 2


counts = st.integers(0, 50)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(["I like tea", "I like tea!", "I like milk"]), counts), max_size=6))
def test_merging_loses_no_recall(rows):
    """The recalls of those in orbit add up to what they were, and each text is still said."""
    with CelestialMemory(":memory:", rebalance_interval=None, item_store=DictStore(), embedder="none") as memory:
        for text, recalls in rows:
            change(memory, memory.store(text).id, recall_count=recalls)
        sleep(memory)
        left = memory.list()
        assert sum(item.recall_count for item in left) == sum(recalls for _, recalls in rows)
        assert {item.content.rstrip("!") for item in left} == {text.rstrip("!") for text, _ in rows}
        assert len(left) == len({text.rstrip("!") for text, _ in rows})
        assert sum(item.mention_count + 1 for item in left) == len(rows)


@pytest.mark.parametrize("protection", [Protection.IMMUTABLE, Protection.CORE])
def test_who_is_sealed_gains_nothing_either(memory, protection):
    """A core memory changes by the user's word alone, not by what is said beside it."""
    sealed = memory.store("I like coffee")
    change(memory, sealed.id, protection=protection)
    change(memory, memory.store("I like coffee").id, recall_count=9)
    sleep(memory)
    assert len(memory.list()) == 2
    assert memory.get(sealed.id).recall_count == 0
