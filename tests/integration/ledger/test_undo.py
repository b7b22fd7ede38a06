"""Undo: a memory as it was before an event, or a clear word why not."""

from __future__ import annotations

import pytest

from celestial_engine import CelestialMemory, Protection, State
from celestial_engine.core.record.events import EventType
from celestial_engine.errors import EventNotFoundError, InvalidInputError, NotFoundError, ProtectedError, UndoError
from celestial_engine.testing.fakes import FakeClock, bag_of_words

pytestmark = pytest.mark.usefixtures("calendar_time")  # their owners do nothing for weeks


def last(memory, item_id=None) -> int:
    return memory.ledger.history(item_id, 1)[0].number


def state_of(memory, item_id) -> dict:
    values = memory.get(item_id).to_dict()
    for derived in ("total_score", "zone"):
        values.pop(derived)
    return values


def test_an_update_is_undone_in_every_field(memory):
    """Text, what was read out of it, importance and metadata: all as before, and found as before."""
    item = memory.store("민수는 커피를 좋아한다", metadata={"k": "값"}, tags=["t"])
    before = state_of(memory, item.id)
    memory.update(item.id, content="민수는 녹차를 좋아한다", importance=0.9, metadata={})
    back = memory.ledger.undo(last(memory))
    assert back.content == "민수는 커피를 좋아한다"
    assert state_of(memory, item.id) == before
    assert [hit.id for hit in memory.search("커피")] == [item.id]
    assert memory.search("녹차") == []
    event = memory.ledger.history(item.id, 1)[0]
    assert (event.type, event.detail) == (EventType.UNDONE, {"of": 2, "was": "updated"})
    assert memory.maintenance.check() == []


def test_later_recalls_stay(memory, clock):
    item = memory.store("coffee")
    memory.update(item.id, content="tea and coffee")
    number = last(memory)
    clock.advance(hours=1)
    memory.recall("coffee")
    memory.recall("tea")
    back = memory.ledger.undo(number)
    assert (back.content, back.recall_count, back.last_recalled_at) == ("coffee", 2, clock.now)


def test_the_text_that_comes_back_has_its_vector(embedded):
    item = embedded.store("coffee in the morning")
    vector = embedded.get(item.id).embedding
    embedded.update(item.id, content="tea in the evening")
    embedded.ledger.undo(last(embedded))
    assert embedded.get(item.id).embedding == vector
    embedded.pin(item.id)
    embedded.ledger.undo(last(embedded))
    assert embedded.get(item.id).embedding == vector


def test_undoing_a_store_goes_over_the_cliff(memory):
    """It is not destroyed: seven days, and the undoing can be undone."""
    item = memory.store("coffee")
    gone = memory.ledger.undo(last(memory))
    assert gone.state is State.CLIFF
    assert memory.search("coffee") == []
    assert [entry.id for entry in memory.departures.cliff()] == [item.id]
    memory.ledger.undo(last(memory))
    assert memory.get(item.id).state is State.ACTIVE
    assert [hit.id for hit in memory.search("coffee")] == [item.id]


@pytest.mark.parametrize("forgotten_by", ["hand", "time"])
def test_what_was_forgotten_comes_back_to_stay(memory, clock, forgotten_by):
    """Also from being stale: it does not go again at the next rebalance."""
    item = memory.store("coffee")
    if forgotten_by == "hand":
        memory.forget(item.id)
    else:
        clock.advance(days=91)
        assert memory.rebalance().forgotten == 1
    memory.ledger.undo(next(e.number for e in memory.ledger.history(item.id) if e.type is EventType.FORGOTTEN))
    memory.rebalance()
    back = memory.get(item.id)
    assert (back.state, back.departure) == (State.ACTIVE, None)
    assert back.expires_at > clock.now


def test_a_restore_is_undone_without_destroying(memory, clock):
    """Back on the cliff; if its time there would be over by now, it starts again."""
    item = memory.store("coffee")
    memory.forget(item.id)
    memory.restore(item.id)
    number = last(memory)
    clock.advance(days=30)
    back = memory.ledger.undo(number)
    assert back.state is State.CLIFF
    assert back.departure.purge_at == clock.now + 7 * 86_400
    assert memory.rebalance().purged == 0


def test_pins(memory):
    item = memory.store("coffee")
    memory.pin(item.id)
    assert memory.ledger.undo(last(memory)).protection is Protection.NONE
    assert memory.ledger.undo(last(memory)).protection is Protection.PINNED
    memory.unpin(item.id)
    assert memory.ledger.undo(last(memory)).protection is Protection.PINNED


def test_one_after_the_other(memory):
    """Changes are undone from the newest back; one that was undone is in nobody's way."""
    item = memory.store("one")
    numbers = []
    for text in ("two", "three", "four"):
        memory.update(item.id, content=text)
        numbers.append(last(memory))
    for number, text in zip(reversed(numbers), ("three", "two", "one"), strict=True):
        assert memory.ledger.undo(number).content == text
    assert memory.ledger.undo(1).state is State.CLIFF


def test_what_was_changed_since_is_refused(memory):
    """The refusal names the event that is in the way, and nothing has changed."""
    item = memory.store("one")
    memory.update(item.id, content="two")
    memory.pin(item.id)
    before, events = state_of(memory, item.id), len(memory.ledger.history())
    for number in (1, 2):
        with pytest.raises(UndoError, match=r"event 3 \(pinned\) has changed the memory since"):
            memory.ledger.undo(number)
    memory.ledger.undo(3)
    memory.ledger.undo(2)
    with pytest.raises(UndoError, match=r"event 5 \(undone\) has changed"):
        memory.ledger.undo(2)
    assert memory.get(item.id).content == "one"
    assert (before["content"], events) == ("two", 3)


def test_a_memory_that_is_gone_stays_gone(memory, clock):
    item = memory.store("one")
    memory.update(item.id, content="two")
    memory.forget(item.id)
    clock.advance(days=8)
    memory.rebalance()
    purged = next(e.number for e in memory.ledger.history(item.id) if e.type is EventType.PURGED)
    for number in (1, 2, 3, purged):
        with pytest.raises(UndoError, match=f"gone for good since event {purged}"):
            memory.ledger.undo(number)


def test_events_that_leave_nothing_to_go_back_to(memory, clock):
    memory.store("coffee")
    memory.recall("coffee")
    memory.ledger.log("s1", "tool_call", memory_id="m1")
    clock.advance(days=2)
    memory.rebalance()
    numbers = {event.type.value: event.number for event in memory.ledger.history()}
    for kind in ("recalled", "tool_call", "rebalanced"):
        with pytest.raises(UndoError, match=f"it is {kind}"):
            memory.ledger.undo(numbers[kind])


def test_immutable_memories_refuse(memory):
    item = memory.store("a principle", immutable=True)
    with pytest.raises(ProtectedError):
        memory.ledger.undo(last(memory))
    assert memory.get(item.id).state is State.ACTIVE


def test_another_owners_event_is_not_there(memory):
    memory.store("mine")
    with pytest.raises(EventNotFoundError):
        memory.of("mina").ledger.undo(1)
    with pytest.raises(NotFoundError):
        memory.ledger.undo(99)
    assert memory.get(memory.list()[0].id).state is State.ACTIVE


@pytest.mark.parametrize("number", ["1", 1.0, True, None, -1, 1 << 63])
def test_only_numbers_of_events(memory, number):
    memory.store("x")
    with pytest.raises(InvalidInputError):
        memory.ledger.undo(number)


def test_events_from_before_versions_were_kept(tmp_path):
    """A change whose version nobody kept says so."""
    import sqlite3

    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None) as memory:
        item = memory.store("one")
        memory.update(item.id, content="two")
    db = sqlite3.connect(path)
    db.execute("DELETE FROM versions")
    db.commit()
    db.close()
    with CelestialMemory(path, rebalance_interval=None) as memory, pytest.raises(UndoError, match="nothing is kept"):
        memory.ledger.undo(2)


def test_a_seat_in_a_full_zone_is_found_again():
    """Coming back into orbit finds a place like anybody else."""
    clock = FakeClock()
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, embed_fn=bag_of_words) as memory:
        items = [memory.store(f"memory number {n}", importance=1.0) for n in range(30)]
        for item in items:
            memory.recall(item.content, limit=1)
        memory.forget(items[0].id)
        memory.ledger.undo(last(memory))
        memory.rebalance()
        zones = memory.stats()["zones"]
        assert all(zone["capacity"] is None or zone["count"] <= zone["capacity"] for zone in zones.values())
        assert memory.maintenance.check() == []
