"""The claims of the memory function, for every memory there could be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from celestial_engine import CelestialItem, CelestialMemoryFunction

DAY = 86_400.0
T0 = 1_750_000_000.0
FN = CelestialMemoryFunction()

items = st.builds(
    lambda count, importance, context: CelestialItem(
        "m", "text", T0, T0, recall_count=count, arbitrary_importance=importance, context_score=context
    ),
    st.integers(0, 10**9),
    st.floats(0, 1),
    st.floats(0, 1),
)
idle = st.floats(0, 400 * DAY)


@given(items, idle)
def test_bounds(item, seconds):
    """R in [0, 1), F in [-1, 0], I in [-0.3, 0.7)."""
    score = FN.calculate(item, T0 + seconds)
    assert 0.0 <= score.recall_score < 1.0
    assert -1.0 <= score.freshness_score <= 0.0
    assert -0.30 <= score.total < 0.70


@given(items, idle, idle)
def test_without_a_recall_a_score_never_rises(item, one, other):
    early, late = sorted((one, other))
    assert FN.score(item, T0 + late) <= FN.score(item, T0 + early)


@given(items)
def test_the_first_idle_day_pushes_every_memory_outward(item):
    """No black hole: whoever is not in the cloud yet is further out a day later."""
    today, tomorrow = FN.calculate(item, T0), FN.calculate(item, T0 + DAY)
    assert today.target_zone == 4 or tomorrow.target_zone > today.target_zone


@given(items, st.floats(1, 90), st.floats(1, 90))
def test_idle_days_stay_apart_until_the_horizon(item, one, other):
    """Day 7 and day 60 are told apart; a hard floor after one day would make them equal."""
    early, late = sorted((one, other))
    if late - early > 0.01:
        assert FN.freshness_score(T0, T0 + late * DAY) < FN.freshness_score(T0, T0 + early * DAY)


@given(st.floats(0, 1), st.integers(0, 2000), st.floats(0, 1))
def test_recalled_daily_never_less_central_than_the_day_before(importance, count, context):
    """At the moment of each recall."""
    item = CelestialItem("m", "t", T0, T0, recall_count=count, arbitrary_importance=importance, context_score=context)
    before = FN.calculate(item, T0)
    item.recall_count += 1
    item.last_recalled_at = T0 + DAY
    after = FN.calculate(item, T0 + DAY)
    assert after.total >= before.total
    assert after.target_zone <= before.target_zone


@given(items, st.floats(-10 * DAY, 200 * DAY), st.floats(0, 200 * DAY))
def test_until_its_next_moment_a_memory_stays_on_its_line_and_in_its_zone(item, offset, ahead):
    """What rebalancing relies on."""
    now = T0 + offset
    course = FN.course(item, now)
    assert course.next_moment is None or course.next_moment > now
    later = now + ahead
    if course.next_moment is not None and later >= course.next_moment:
        later = now + (course.next_moment - now) * 0.999
        if not now <= later < course.next_moment:
            return
    assert abs(FN.score_at(course.piece, course.level, later) - FN.score(item, later)) < 1e-9
    assert FN.zones.zone_of(FN.score(item, later)) == FN.zones.zone_of(FN.score(item, now))


@given(items, st.floats(0, 100 * DAY))
def test_crossings_agree_with_the_score(item, offset):
    now = T0 + offset
    crossings = FN.crossings(item, now)
    zone = FN.calculate(item, now).target_zone
    for crossing in crossings:
        assert crossing.zone > zone
        assert crossing.at >= now
        assert FN.calculate(item, crossing.at + 0.01).target_zone == crossing.zone
        if crossing.at - 0.01 > now:
            assert FN.calculate(item, crossing.at - 0.01).target_zone == zone
        zone = crossing.zone
    assert FN.calculate(item, now + 10**9).target_zone == zone
