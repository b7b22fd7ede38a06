"""Forgetting: what expires, what goes over the cliff, what comes back, and what stays."""

from __future__ import annotations

import pytest

from celestial_engine import CelestialMemory, State, Tier
from celestial_engine.errors import InvalidInputError, NotFoundError, WrongStateError

pytestmark = pytest.mark.usefixtures("calendar_time")  # their owners do nothing for weeks


def test_tiers_and_expiry(memory, clock):
    assert memory.store("x").tier is Tier.M90
    item = memory.store("x", tier=Tier.M30)
    assert item.expires_at == clock.now + 30 * 86_400
    with pytest.raises(InvalidInputError, match="needs the user's approval"):
        memory.store("x", tier=Tier.M0)


def test_over_the_cliff_and_back(memory, clock):
    item = memory.store("커피", importance=0.9)
    gone = memory.forget(item.id)
    assert gone.state is State.CLIFF
    assert memory.recall("커피") == []
    assert [entry.id for entry in memory.departures.cliff()] == [item.id]
    assert memory.stats()["total"] == 0
    clock.advance(days=6.9)
    memory.rebalance()
    back = memory.restore(item.id)
    assert (back.state, back.departure, back.expires_at) == (State.ACTIVE, None, clock.now + 90 * 86_400)
    assert [hit.id for hit in memory.recall("커피")] == [item.id]


def test_after_seven_days_it_is_gone(memory, clock):
    item = memory.store("커피")
    memory.forget(item.id)
    clock.advance(days=7)
    assert memory.rebalance().purged == 1
    with pytest.raises(NotFoundError):
        memory.get(item.id)
    with pytest.raises(NotFoundError):
        memory.restore(item.id)
    assert [event.type.value for event in memory.ledger.history(item.id)] == ["purged", "forgotten", "stored"]


def test_what_is_purged_is_not_in_the_file(tmp_path, clock):
    path = tmp_path / "m.db"
    with CelestialMemory(str(path), rebalance_interval=None, clock=clock) as memory:
        memory.store("a memory that stays")
        item = memory.store("the unmistakable sentence of zanzibar", metadata={"note": "unmistakable metadata"})
        memory.forget(item.id)
        clock.advance(days=7)
        assert memory.rebalance().purged == 1
    data = path.read_bytes()
    assert b"a memory that stays" in data
    assert b"unmistakable sentence" not in data
    assert b"unmistakable metadata" not in data


def test_idle_in_the_cloud_for_ninety_days(memory, clock):
    """Over the cliff as stale; not if pinned, not if immutable, not if its tier is longer."""
    lost = memory.store("lost", importance=0.2)
    kept = [
        memory.store("pinned", importance=0.2, pinned=True),
        memory.store("immutable", importance=0.2, immutable=True),
        memory.store("a year", importance=0.2, tier=Tier.M365),
    ]
    clock.advance(days=89)
    assert memory.rebalance().forgotten == 0
    clock.advance(days=1)
    assert memory.rebalance().forgotten == 1
    assert memory.get(lost.id).departure.reason.value == "stale"
    assert all(memory.get(item.id).state is State.ACTIVE for item in kept)


def test_never_forgetting_is_a_setting(clock):
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, auto_forget_days=None) as memory:
        memory.store("x", importance=0.0)
        clock.advance(days=10_000)
        assert memory.rebalance().forgotten == 0


def test_pinned_may_still_be_deleted_by_hand(memory):
    item = memory.pin(memory.store("x").id)
    assert memory.forget(item.id).state is State.CLIFF


def test_idle_for_long_before_it_was_unpinned(memory, clock):
    """What is stale already when its protection goes is forgotten at the next rebalance, not never."""
    item = memory.store("x", importance=0.2, pinned=True)
    clock.advance(days=200)
    memory.rebalance()
    memory.unpin(item.id)
    assert memory.rebalance().forgotten == 1


def test_what_is_on_the_cliff_cannot_be_pinned(memory):
    item = memory.store("x")
    memory.forget(item.id)
    with pytest.raises(WrongStateError, match="on the cliff"):
        memory.pin(item.id)
