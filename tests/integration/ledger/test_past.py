"""as_of: the memories as they were, to look at and not to touch."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from celestial_engine import Protection, State
from celestial_engine.errors import ConfigError, NotFoundError
from celestial_engine.testing.fakes import FakeClock

pytestmark = pytest.mark.usefixtures("calendar_time")  # their owners do nothing for weeks


def photograph(records) -> list[dict]:
    """Everything stored, but for where it stands, which time decides."""
    lines = [dict(line) for line in records]
    for line in lines:
        for derived in ("zone", "total_score", "context_score"):
            line.pop(derived)
    return lines


def test_the_past_is_what_was_seen_then(memory, clock):
    """At each step of a life everything is photographed; later every photograph is taken again and is the same."""
    taken = []

    def click():
        taken.append((clock.now, photograph(memory.transfer.export())))
        clock.advance(hours=1)

    first = memory.store("민수는 커피를 좋아한다", importance=0.4, tags=["t"])
    click()
    second = memory.store("Python was released in 1991", pinned=True)
    click()
    memory.recall("커피")
    click()
    memory.update(first.id, content="민수는 녹차를 좋아한다", importance=0.8)
    click()
    memory.recall("녹차")
    memory.recall("python")
    click()
    memory.unpin(second.id)
    click()
    memory.forget(second.id)
    click()
    memory.restore(second.id)
    click()
    memory.ledger.undo(next(e.number for e in memory.ledger.history(first.id) if e.type.value == "updated"))
    click()
    memory.recall("커피 python")
    click()
    for moment, photo in taken:
        assert photograph(memory.ledger.as_of(moment).export()) == photo
    assert photograph(memory.transfer.export()) == taken[-1][1], "looking changed nothing"


def test_questions_to_the_past(memory, clock):
    """get, list, search, recall and history answer as of then, and recall reinforces nothing."""
    item = memory.store("coffee is good", importance=0.4)
    then = clock.now
    clock.advance(days=1)
    memory.update(item.id, content="tea is good", importance=0.9)
    memory.store("coffee again")
    events = len(memory.ledger.history())
    past = memory.ledger.as_of(then)
    assert [hit.content for hit in past.recall("coffee")] == ["coffee is good"]
    assert [hit.content for hit in past.search("coffee")] == ["coffee is good"]
    assert past.search("tea") == []
    assert past.get(item.id).arbitrary_importance == 0.4
    assert past.get(item.id).recall_count == 0
    assert [entry.id for entry in past.list()] == [item.id]
    assert [event.number for event in past.history()] == [1]
    assert [event.number for event in past.history(item.id)] == [1]
    assert past.explain(item.id).item.content == "coffee is good"
    assert past.stats()["total"] == 1
    assert past.compose("coffee").used
    assert len(memory.ledger.history()) == events
    assert not hasattr(past, "store")
    assert not hasattr(past, "delete")


def test_states_of_then(memory, clock):
    item = memory.store("coffee", pinned=True)
    memory.forget(item.id)
    on_the_cliff = clock.now
    clock.advance(days=1)
    memory.restore(item.id)
    memory.unpin(item.id)
    past = memory.ledger.as_of(on_the_cliff)
    assert past.get(item.id).state is State.CLIFF
    assert past.get(item.id).protection is Protection.PINNED
    assert past.search("coffee") == []
    assert [entry.id for entry in past.cliff()] == [item.id]


def test_before_anything_happened(memory, clock):
    memory.store("x")
    past = memory.ledger.as_of(clock.now - 1)
    assert (past.list(), past.history(), past.recall("x"), past.gone) == ([], [], [], ())


def test_what_was_purged_is_gone_from_the_past_too(memory, clock):
    """It cannot be brought back, and the past says whom it lacks."""
    item = memory.store("secret")
    then = clock.now
    memory.forget(item.id)
    clock.advance(days=8)
    memory.rebalance()
    past = memory.ledger.as_of(then)
    assert past.gone == (item.id,)
    assert past.list() == []
    with pytest.raises(NotFoundError):
        past.get(item.id)
    assert memory.ledger.as_of(clock.now).gone == ()


def test_vectors_of_then(embedded, clock):
    """A text that was changed since gets its vector again."""
    item = embedded.store("coffee in the morning")
    vector = embedded.get(item.id).embedding
    then = clock.now
    clock.advance(hours=1)
    embedded.update(item.id, content="tea at night")
    past = embedded.ledger.as_of(then)
    assert past.get(item.id).embedding == vector
    found = past.recall("coffee in the morning", explain=True)
    assert found.hits[0].lists["vectors"].rank == 1


def test_owners_have_pasts_of_their_own(memory, clock):
    memory.store("mine")
    memory.of("mina").store("yours")
    past = memory.of("mina").ledger.as_of(clock.now)
    assert [item.content for item in past.list()] == ["yours"]
    assert [event.number for event in past.history()] == [1]


def test_moments(memory, clock):
    memory.store("x")
    assert len(memory.ledger.as_of(datetime.fromtimestamp(clock.now, timezone.utc)).list()) == 1
    for bad in ("yesterday", None, float("nan"), True):
        with pytest.raises(ConfigError):
            memory.ledger.as_of(bad)


def test_a_clock_that_jumped(memory):
    """Order is that of writing: what was stored under a clock that ran ahead was there before what came later."""
    clock: FakeClock = memory.parts.clock
    first = memory.store("first")
    clock.advance(days=1000)
    ahead = memory.store("under a wrong clock")
    clock.advance(days=-999)
    later = memory.store("later")
    assert {item.id for item in memory.ledger.as_of(clock.now).list()} == {first.id, ahead.id, later.id}
    assert {item.id for item in memory.ledger.as_of(clock.now - 1).list()} == {first.id}
