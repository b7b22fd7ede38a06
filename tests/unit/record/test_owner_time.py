"""Days with the owner: which days count, and what an absence or a wrong clock changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.record.labels import Attribute, Lifetime
from celestial_engine.core.record.lifetimes import Source, Tier, TierReason, first_tier, is_lasting
from celestial_engine.core.record.owner_time import counted_until, missed_days
from celestial_engine.core.record.reading import ReadBy, Reading

DAY = 86_400.0
MIDNIGHT = 20_000 * DAY
moments = st.floats(-10 * 365 * DAY, 150 * 365 * DAY)


@pytest.mark.parametrize(
    ("last", "now", "until", "missed"),
    [
        (MIDNIGHT, MIDNIGHT + 5, MIDNIGHT + 5, 0),
        (MIDNIGHT + 1, MIDNIGHT + DAY - 1, MIDNIGHT + DAY - 1, 0),
        (MIDNIGHT + 1, MIDNIGHT + 2 * DAY - 1, MIDNIGHT + DAY, 0),  # the next day, before the owner comes
        (MIDNIGHT + DAY - 1, MIDNIGHT + 2 * DAY, MIDNIGHT + DAY, 1),
        (MIDNIGHT, MIDNIGHT + 30 * DAY, MIDNIGHT + DAY, 29),
        (MIDNIGHT + 30 * DAY, MIDNIGHT, MIDNIGHT, -29),
        (MIDNIGHT, MIDNIGHT - 1, MIDNIGHT - 1, 0),
    ],
)
def test_days_without_the_owner_do_not_count(last, now, until, missed):
    assert (counted_until(last, now), missed_days(last, now)) == (until, missed)


@given(moments, moments)
def test_there_and_back_changes_nothing(here, there):
    assert missed_days(here, there) + missed_days(there, here) == 0


@given(moments, moments)
def test_the_owners_time_goes_on_where_it_stopped(last, now):
    """A clock that was not over while the owner was away is not over when they are back, but for the day itself."""
    back = max(last, now)
    stopped = counted_until(last, back)
    assert stopped - DAY <= counted_until(back, back) - missed_days(last, back) * DAY <= stopped + DAY


def test_nothing_is_known_of_an_owner_who_was_never_seen():
    assert counted_until(None, 5.0) == 5.0


@pytest.mark.parametrize(
    ("source", "lifetime", "asked", "expected"),
    [
        (Source.CONVERSATION, Lifetime.PASSING, False, (Tier.M30, TierReason.PASSING)),
        (Source.OBSERVATION, Lifetime.SEASON, False, (Tier.M90, TierReason.SEASON)),
        (Source.CONVERSATION, Lifetime.LASTING, False, (Tier.M365, TierReason.LASTING)),
        (Source.CONVERSATION, Lifetime.PASSING, True, (Tier.M365, TierReason.ASKED)),
        (Source.USER, Lifetime.PASSING, False, (Tier.M90, TierReason.DELIBERATE)),
        (Source.IMPORT, Lifetime.PASSING, False, (Tier.M90, TierReason.DELIBERATE)),
        (Source.IMPORT, Lifetime.LASTING, False, (Tier.M365, TierReason.LASTING)),
        (Source.USER, None, False, (Tier.M90, TierReason.SEASON)),
        (Source.DISTILLATION, Lifetime.LASTING, True, (Tier.M90, TierReason.DISTILLED)),
        (Source.IMAGINATION, Lifetime.LASTING, True, (Tier.M30, TierReason.IMAGINED)),
    ],
)
def test_the_first_tier_is_how_long_it_stays_true(source, lifetime, asked, expected):
    assert first_tier(source, lifetime, requested=asked) == expected


@pytest.mark.parametrize(("source", "tier"), [(Source.CONVERSATION, Tier.M30), (Source.USER, Tier.M90)])
def test_what_looks_like_an_instruction_gains_nothing_by_asking(source, tier):
    assert first_tier(source, Lifetime.LASTING, requested=True, trusted=False)[0] is tier


@pytest.mark.parametrize(
    ("reading", "lifetime"),
    [
        (Reading(keep=0.9, lifetime=Lifetime.LASTING, read_by=ReadBy.MODEL), Lifetime.LASTING),
        (Reading(keep=0.1, lifetime=Lifetime.LASTING, read_by=ReadBy.MODEL), Lifetime.SEASON),
        (Reading(keep=0.1, lifetime=Lifetime.PASSING, read_by=ReadBy.MODEL), Lifetime.PASSING),
        (
            Reading(keep=0.9, lifetime=Lifetime.LASTING, attribute=Attribute.MOOD, read_by=ReadBy.MODEL),
            Lifetime.SEASON,
        ),
        (Reading(keep=0.0, lifetime=Lifetime.LASTING, read_by=ReadBy.LANGUAGE_MODEL), Lifetime.LASTING),
    ],
)
def test_small_talk_is_not_lasting(reading, lifetime):
    assert reading.credible_lifetime is lifetime


@pytest.mark.parametrize(
    ("tier", "reason", "superseded", "lasting"),
    [
        (Tier.M365, TierReason.LASTING, False, True),
        (Tier.M365, TierReason.ASKED, False, True),
        (Tier.M365, None, False, True),  # stored before reasons were
        (Tier.M365, TierReason.GIVEN, False, False),
        (Tier.M365, TierReason.DECLINED, False, False),
        (Tier.M365, TierReason.PROMOTED_RECALLED, False, False),
        (Tier.M365, TierReason.LASTING, True, False),
        (Tier.M90, None, False, False),
    ],
)
def test_lasting_facts(tier, reason, superseded, lasting):
    assert is_lasting(tier, Lifetime.LASTING, reason, superseded=superseded) is lasting
