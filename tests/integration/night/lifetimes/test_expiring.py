"""The end of a lifetime: who goes over the cliff and when, and how many come back at once."""

from __future__ import annotations

import pytest

from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.errors import InvalidInputError, NotFoundError
from celestial_engine.flow.night import appraise, expire, fade, nominate, promote, regenerate

pytestmark = pytest.mark.usefixtures("calendar_time")  # their owners do nothing for weeks


def test_every_tier_ends_in_its_time(memory, clock, night):
    """Whatever the tier, on the day; the pinned and the immutable stay."""
    items = {tier: memory.store(f"memory of {tier}", tier=tier) for tier in (Tier.M30, Tier.M90, Tier.M365)}
    kept = [
        memory.store("pinned", tier=Tier.M30, pinned=True),
        memory.store("immutable", tier=Tier.M30, immutable=True),
    ]
    gone = []
    for days, tier in ((30, Tier.M30), (60, Tier.M90), (275, Tier.M365)):
        clock.advance(days=days)
        assert night.plan(expire).expired == (items[tier].id,)
        night.do(expire)
        gone.append(items[tier].id)
    assert {item.id for item in memory.departures.cliff()} == set(gone)
    assert {item.id for item in memory.list()} == {item.id for item in kept}
    assert night.do(expire) == {}


def test_who_changed_since_the_plan_stays(memory, clock, night, heard):
    """A plan is looked at again: pinned, restored or forgotten meanwhile, it is left alone."""
    items = heard(memory, "one thing", "another thing", "a third thing")
    clock.advance(days=30)
    planned = night.plan(expire)
    memory.pin(items[0].id)
    memory.forget(items[1].id)
    memory.restore(items[1].id)
    assert night.do(expire, plan=planned) == {"expired": 1}
    assert [item.id for item in memory.departures.cliff()] == [items[2].id]


def test_planning_changes_nothing(memory, clock, night, heard, cafe):
    heard(memory, *cafe)
    clock.advance(days=40)
    head = memory.ledger.head()
    for stage in (expire, fade, promote, nominate, appraise, regenerate):
        night.plan(stage)
    assert memory.ledger.head() == head


def test_many_come_back_at_once(memory, clock, night, heard):
    """By ids, by reason, or all; each in its tier with its time set again."""
    items = heard(memory, *(f"thing number {number}" for number in range(5)))
    memory.forget(items[0].id)
    clock.advance(days=30)
    night.do(expire)
    memory.rebalance()
    assert len(memory.departures.cliff()) == 4  # the first is gone by now
    assert [item.id for item in memory.departures.restore_many([items[1].id])] == [items[1].id]
    memory.forget(items[1].id)
    back = memory.departures.restore_many(reason="expired")
    assert {item.id for item in back} == {item.id for item in items[2:]}
    assert {item.expires_at for item in back} == {clock() + 30 * 86_400}
    assert [item.id for item in memory.departures.restore_many()] == [items[1].id]
    assert memory.departures.restore_many() == []
    assert len(memory.search("thing number", 10)) == 4
    with pytest.raises(InvalidInputError):
        memory.departures.restore_many([items[1].id], reason="expired")
    with pytest.raises(InvalidInputError):
        memory.departures.restore_many(reason="boredom")
    with pytest.raises(NotFoundError):
        memory.departures.restore_many(["nobody"])
    assert memory.maintenance.check() == []
