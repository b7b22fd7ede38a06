"""Filters are checked when they are made."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from celestial_engine.core.record.bqi import RhythmPhase
from celestial_engine.core.record.coordinate import Emotion
from celestial_engine.core.record.item_filter import BqiFilter, ItemFilter
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.errors import InvalidInputError

NOON = datetime(2025, 10, 12, 12, tzinfo=timezone.utc)


def test_names_stand_for_choices():
    """What is typed as text becomes what it names."""
    where = ItemFilter(tier="M30", emotion="joy", tags=["a"], bqi={"rhythm_phase": "integration", "emotion": "risk"})
    assert (where.tier, where.emotion, where.tags) == (Tier.M30, Emotion.JOY, ("a",))
    assert where.bqi == BqiFilter(RhythmPhase.INTEGRATION, ("risk",))
    assert hash(where) == hash(ItemFilter(tier=Tier.M30, emotion=Emotion.JOY, tags=("a",), bqi=where.bqi))


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"time_range": (NOON, NOON - timedelta(seconds=1))}, "ends before it starts"),
        ({"time_range": (datetime(2025, 10, 10), None)}, "no time zone"),
        ({"time_range": ("2025-10-10", None)}, "time_range"),
        ({"time_range": NOON}, "time_range"),
        ({"time_range": (NOON,)}, "time_range"),
        ({"emotion": "grumpy"}, "emotion"),
        ({"bqi": {"mood": "good"}}, "bqi has no mood; it takes rhythm_phase, emotion"),
        ({"bqi": {"rhythm_phase": "sleeping"}}, "rhythm_phase"),
        ({"bqi": {"emotion": 3}}, "emotion"),
        ({"bqi": "integration"}, "bqi"),
        ({"tags": "a"}, "tags"),
        ({"tier": "M1"}, "tier"),
        ({"states": ("gone",)}, "states"),
        ({"zone": "core"}, "zone"),
        ({"min_importance": 2}, "Importance"),
        ({"min_importance": float("nan")}, "Importance"),
        ({"session_id": 3}, "session_id"),
        ({"persona_id": ""}, "persona_id"),
        ({"domain": "\ud800"}, "domain"),
    ],
)
def test_nonsense_is_refused(wrong, named):
    with pytest.raises(InvalidInputError, match=named):
        ItemFilter(**wrong)


def test_other_offsets_are_times_too():
    seoul = timezone(timedelta(hours=9))
    where = ItemFilter(time_range=(datetime(2025, 10, 12, 21, tzinfo=seoul), NOON))
    assert where.created_from == where.created_until == NOON.timestamp()
