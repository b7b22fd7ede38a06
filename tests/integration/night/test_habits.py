"""Nights after nights of the same: one essence that grows, and none that is lost for being told too often."""

from __future__ import annotations

from celestial_engine import Tier
from celestial_engine.core.record.events import EventType


def test_the_same_essence_again_adds_to_the_first(memory, clock):
    """No twin is made that the next night would have to merge; it can be undone."""
    for days in ((3, 5, 8), (21, 24, 26)):
        for day in days:
            memory.store(f"준호는 2월 {day}일에 카페에서 커피를 마셨다", tier=Tier.M30)
        clock.advance(days=8)
        assert memory.sleep().count("promoted") == 1
    (essence,) = [item for item in memory.list() if item.links.promoted_from]
    assert essence.content == "준호는 카페에서 커피를 마셨다 (6번)"
    assert (len(essence.links.promoted_from), essence.mention_count) == (6, 1)
    assert memory.sleep(force=True).count("merged") == 0
    newest = memory.ledger.history(essence.id)[0]
    assert newest.type is EventType.PROMOTED
    undone = memory.ledger.undo(newest.number)
    assert undone.content == "준호는 카페에서 커피를 마셨다 (3번)"
    assert (len(undone.links.promoted_from), undone.mention_count) == (3, 0)


def test_a_habit_told_very_often_is_distilled_too(memory, clock):
    """More sources than one essence may have become parts that say the same; a second night finds nothing new."""
    for day in range(1, 17):
        memory.store(f"2월 {day}일에 준호는 카페에서 커피를 마셨다", tier=Tier.M30)
    assert memory.sleep().count("promoted") == 2
    (essence,) = [item for item in memory.list(100) if item.links.promoted_from]
    assert len(essence.links.promoted_from) == 16
    assert essence.content == "준호는 카페에서 커피를 마셨다 (16번)"
    assert memory.sleep(force=True).count("promoted") == 0
