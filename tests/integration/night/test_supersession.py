"""A newer statement ends an older one's time: both are kept, recall prefers the one that holds, and the past is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import Trust
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.flow.base.placement import course_of
from celestial_engine.flow.night import consolidate, supersede
from celestial_engine.testing.in_memory.store import DictStore

SKY = Law()


@pytest.fixture(params=["sqlite", "dictionaries"])
def memory(request, clock):
    store = DictStore() if request.param == "dictionaries" else None
    with CelestialMemory(
        ":memory:", rebalance_interval=None, clock=clock, item_store=store, embedder="none"
    ) as opened:
        yield opened


def planned(memory, since=None):
    with memory.parts.store.read() as session:
        return supersede.plan(session, memory.owner, memory.parts.now(), since)


def sleep(memory, since=None):
    return supersede.carry_out(memory.parts.store, SKY, memory.owner, planned(memory, since), memory.parts.now())


def told(memory, clock, *texts):
    """One a day, as many texts are stored at once: comparing them is left to the night."""
    items = []
    for text in texts:
        items += memory.store_many([text], source=Source.USER)
        clock.advance(days=1)
    return items


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I live in Seoul", "I moved to Busan"),
        ("I work at Samsung", "I work for Kakao now"),
        ("The meeting is on Monday at 3pm", "The meeting was moved to Tuesday at 3pm"),
        ("나는 서울에 살아", "부산으로 이사했어"),
        ("회의는 월요일 3시야", "회의는 화요일 3시로 바뀌었어"),
        ("나는 커피를 좋아해", "나는 커피를 안 좋아해"),
    ],
)
def test_the_newer_holds(memory, clock, older, newer):
    """From the day it was said, until which the older one held; nobody leaves."""
    first, second = told(memory, clock, older, newer)
    assert planned(memory).leaving == ()
    assert sleep(memory) == {"superseded": 1}
    ended, holds = memory.get(first.id), memory.get(second.id)
    assert (ended.validity.until, ended.validity.superseded_by) == (second.created_at, second.id)
    assert (holds.validity.since, holds.validity.until) == (second.created_at, None)
    assert {ended.state, holds.state} == {State.ACTIVE}
    assert sleep(memory) == {"superseded": 0}


def test_likes_of_two_things_live_side_by_side(memory, clock):
    """So do two people, and what has happened twice."""
    told(
        memory, clock, "I like coffee", "I like tea", "Tom lives in Seoul", "Ann lives in Busan",
        "I met Tom on Monday", "I met Tom on Tuesday", "나는 고양이를 좋아해", "나는 강아지를 좋아해",
    )  # fmt: skip
    assert planned(memory).successions == ()


def test_a_line_of_places(memory, clock):
    """Each ends when the next begins, also where one comes back."""
    seoul, busan, again = told(memory, clock, "I live in Seoul", "I live in Busan", "I live in Seoul")
    sleep(memory)
    assert memory.get(seoul.id).validity.superseded_by == busan.id
    assert memory.get(busan.id).validity.superseded_by == again.id
    assert memory.get(again.id).validity.until is None
    with memory.parts.store.read() as session:
        assert consolidate.plan(session, memory.owner, memory.parts.now()).merges == ()


def test_recall_prefers_what_holds(memory, clock):
    """Asked how it is, the valid one comes first; asked how it was, the other; both say what they are."""
    told(memory, clock, "I live in Seoul", "I live in Busan")
    sleep(memory)
    assert [hit.content for hit in memory.recall("Where do I live? Seoul?")] == ["I live in Busan", "I live in Seoul"]
    for question in ("Where did I live before?", "Where did I previously live?"):
        assert memory.recall(question)[0].content == "I live in Seoul"
    old = memory.search("Where do I live?")[1]
    assert old.validity.superseded_by is not None


def test_recall_prefers_what_holds_in_korean(memory, clock):
    """The same in Korean, though the newer one shares no word with the question."""
    told(memory, clock, "나는 서울에 살아", "부산으로 이사했어")
    sleep(memory)
    assert [hit.content for hit in memory.recall("나는 어디에 살아?")] == ["부산으로 이사했어", "나는 서울에 살아"]
    assert memory.recall("나는 예전에 어디에 살았어?")[0].content == "나는 서울에 살아"


def test_the_newest_past_comes_first(memory, clock):
    """Asked how it was before, the last place before this one, then those before it, then this one."""
    told(memory, clock, "I live in Seoul", "I live in Busan", "I live in Incheon")
    sleep(memory)
    found = [hit.content.split()[-1] for hit in memory.recall("Where did I live before?")]
    assert found == ["Busan", "Seoul", "Incheon"]
    assert memory.recall("Where do I live?")[0].content == "I live in Incheon"


def test_a_prompt_says_what_is_over(memory, clock):
    """A model must not take the old address for the new one."""
    told(memory, clock, "I live in Seoul", "I live in Busan")
    sleep(memory)
    assert "Seoul" not in memory.compose("Where do I live?").text
    text = memory.compose("Where did I live before that, Seoul or Busan?").text
    assert "since replaced" in next(line for line in text.splitlines() if "Seoul" in line)
    assert "since replaced" not in next(line for line in text.splitlines() if "Busan" in line)
    assert "이후 바뀜" in memory.compose("나 예전에 어디 살았지, Seoul? Busan?").text


def test_a_night_that_was_cut_off_ends_the_same(memory, clock):
    """Half of the plan, then planned again: the line of places is as one whole night makes it."""
    items = told(memory, clock, "I live in Seoul", "I live in Busan", "I live in Incheon", "I live in Daegu")
    whole = planned(memory)
    later = replace(whole, successions=whole.successions[1:2])
    supersede.carry_out(memory.parts.store, SKY, memory.owner, later, memory.parts.now())
    sleep(memory)
    ends = [memory.get(item.id).validity.superseded_by for item in items]
    assert ends == [items[1].id, items[2].id, items[3].id, None]


def test_undo_makes_it_hold_again(memory, clock):
    """And the next night keeps to that."""
    first, _ = told(memory, clock, "I live in Seoul", "I live in Busan")
    sleep(memory)
    number = next(event.number for event in memory.ledger.history(first.id) if event.type is EventType.SUPERSEDED)
    memory.ledger.undo(number)
    assert memory.get(first.id).validity.until is None
    assert sleep(memory) == {"superseded": 0}


def change(memory, item_id, **fields):
    with memory.parts.store.write(memory.owner) as session:
        item = replace(session.items.get(memory.owner, item_id), **fields)
        session.items.rewrite(item, course_of(SKY, item, memory.parts.now()))


def test_who_is_not_ended(memory, clock):
    """What is immutable or core answers to the user alone; what reads like an instruction ends nothing."""
    first, second = told(memory, clock, "My name is Jin", "My name is Jun")
    for protection in (Protection.IMMUTABLE, Protection.CORE):
        change(memory, first.id, protection=protection)
        assert planned(memory).successions == ()
    change(memory, first.id, protection=Protection.NONE)
    change(memory, second.id, trust=Trust.LOW)
    assert planned(memory).successions == ()
    change(memory, first.id, protection=Protection.PINNED)
    change(memory, second.id, trust=Trust.NORMAL)
    assert len(planned(memory).successions) == 1


def test_another_day_another_tomorrow(memory, clock):
    """What was for one day contradicts nothing of another."""
    told(memory, clock, "The call is tomorrow at 3pm", "Note", "The call is tomorrow at 4pm")
    assert planned(memory).successions == ()


def test_since_looks_at_what_came_later(memory, clock):
    """A newcomer finds the statement it ends, old contradictions are not asked again."""
    told(memory, clock, "I live in Seoul", "My name is Jin", "My name is Jun")
    told(memory, clock, *(f"Note about the topic {chr(97 + number) * 3}" for number in range(20)))
    last_night = memory.parts.now()
    clock.advance(days=1)
    told(memory, clock, "I live in Busan now")
    assert len(planned(memory, last_night).successions) == 1
    assert len(planned(memory).successions) == 2
