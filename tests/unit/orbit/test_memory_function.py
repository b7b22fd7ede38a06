"""The memory function: the design's own cases, and its numbers."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from celestial_engine import CelestialItem, CelestialMemory, CelestialMemoryFunction, MemoryFunctionConfig, ZoneConfig
from celestial_engine.errors import ConfigError

DAY = 86_400.0
T0 = 1_750_000_000.0


def item(**fields: object) -> CelestialItem:
    return replace(CelestialItem("m", "text", T0, T0), **fields)  # type: ignore[arg-type]


# -- the three cases of the design, as written ----------------------------------------------------------


def test_blackhole_prevention():
    """A memory that is not recalled must be pushed outward."""
    fn = CelestialMemoryFunction()
    item = CelestialItem.create("test", importance=1.0)
    item.recall_count = 1000

    score_t0 = fn.calculate(item, item.created_at)
    assert score_t0.target_zone <= 1

    score_t1 = fn.calculate(item, item.created_at + 86400)
    assert score_t1.target_zone > score_t0.target_zone

    score_t7 = fn.calculate(item, item.created_at + 86400 * 7)
    assert score_t7.total < score_t1.total


def test_recall_resets_freshness():
    """A recall sets the freshness back to 0."""
    fn = CelestialMemoryFunction()
    item = CelestialItem.create("test")

    score_stale = fn.calculate(item, item.created_at + 86400)

    item.last_recalled_at = item.created_at + 86400
    item.recall_count = 1
    score_fresh = fn.calculate(item, item.created_at + 86400)

    assert score_fresh.freshness_score == 0.0
    assert score_fresh.total > score_stale.total


def test_core_zone_capacity():
    """Core never holds more than 20."""
    memory = CelestialMemory(db_path=":memory:")
    for i in range(30):
        memory.store(f"important memory {i}", importance=1.0)

    stats = memory.stats()
    assert stats["zones"][0]["count"] <= 20
    memory.close()


# -- its scenarios -------------------------------------------------------------------------------------


def test_scenario_used_once_and_left():
    """A=0.5, never recalled: in the cloud after a day."""
    score = CelestialMemoryFunction().calculate(item(arbitrary_importance=0.5), T0 + DAY)
    assert score.total == pytest.approx(-0.285 + 0.125)
    assert score.target_zone == 4


def test_scenario_old_and_important():
    """A=1.0 and R=0.5 but idle for long: the belt, however important."""
    fn = CelestialMemoryFunction()
    count = 31  # log(32) / log(1001) is just above 0.5
    assert fn.recall_score(count) == pytest.approx(0.5, abs=0.005)
    for days in (1, 30, 365):
        assert fn.calculate(item(arbitrary_importance=1.0, recall_count=count), T0 + days * DAY).target_zone == 3


def test_scenario_remembered_again():
    """R=0.5, A=0.5, recalled in the belt: Outer, and Inner with context."""
    fn = CelestialMemoryFunction()
    faint = item(arbitrary_importance=0.5, recall_count=30)
    assert fn.calculate(faint, T0 + 5 * DAY).target_zone == 3
    back = replace(faint, recall_count=31, last_recalled_at=T0 + 5 * DAY)
    assert fn.calculate(back, T0 + 5 * DAY).total == pytest.approx(0.25, abs=0.005)
    assert fn.calculate(back, T0 + 5 * DAY).target_zone == 2
    assert fn.calculate(replace(back, context_score=0.9), T0 + 5 * DAY).target_zone == 1


# -- its numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "expected"), [(0, 0.0), (1, 0.1003), (100, 0.668), (500, 0.8997), (999, 0.9999)])
def test_recall_score(count, expected):
    assert CelestialMemoryFunction().recall_score(count) == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize("count", [999, 1000, 2000, 10**6, 10**12])
def test_recall_score_is_capped(count):
    assert CelestialMemoryFunction().recall_score(count) == CelestialMemoryFunction().recall_score(999) < 1.0


@pytest.mark.parametrize(
    ("days", "expected"), [(0, 0.0), (0.5, -0.475), (1, -0.95), (45.5, -0.975), (90, -1.0), (10_000, -1.0), (-5, 0.0)]
)
def test_freshness(days, expected):
    assert CelestialMemoryFunction().freshness_score(T0, T0 + days * DAY) == pytest.approx(expected)


def test_a_new_memory_of_importance_one_starts_in_outer():
    assert CelestialMemoryFunction().calculate(item(arbitrary_importance=1.0), T0).target_zone == 2


def test_core_needs_recalls_importance_and_context():
    fn = CelestialMemoryFunction()
    best = item(arbitrary_importance=1.0, recall_count=10**6)
    assert fn.calculate(best, T0).target_zone == 1
    assert fn.calculate(replace(best, context_score=1.0), T0).target_zone == 0


def test_context_holds_half_an_hour_then_ends():
    fn = CelestialMemoryFunction()
    held = item(context_score=1.0)
    assert fn.calculate(held, T0 + 1799.9).context_score == 1.0
    assert fn.calculate(held, T0 + 1800).context_score == 0.0


def test_a_given_context_is_the_clipped_cosine():
    fn = CelestialMemoryFunction()
    toward = item(embedding=[1.0, 0.0])
    assert fn.calculate(toward, T0, [2.0, 0.0]).context_score == pytest.approx(1.0)
    assert fn.calculate(toward, T0, [-1.0, 0.0]).context_score == 0.0
    assert fn.calculate(toward, T0, [1.0, 0.0, 0.0]).context_score == 0.0
    assert fn.calculate(item(), T0, [1.0, 0.0]).context_score == 0.0
    assert fn.calculate(item(embedding=[0.0, 0.0]), T0, [1.0, 0.0]).context_score == 0.0


def test_crossings_tell_the_way_out():
    """Every zone further out, once, in order, at the moment the score falls below its bound."""
    fn = CelestialMemoryFunction()
    hot = item(arbitrary_importance=1.0, recall_count=999, context_score=1.0)
    crossings = fn.crossings(hot, T0)
    assert [crossing.zone for crossing in crossings] == [1, 2]
    assert crossings[0].at == T0 + 1800
    before, after = crossings[1].at - 1, crossings[1].at + 1
    assert fn.calculate(hot, before).target_zone == 1
    assert fn.calculate(hot, after).target_zone == 2


def test_a_bound_that_is_meant_is_reached():
    """0.25 * 0.4 is Outer's bound, by whichever route it is computed."""
    fn = CelestialMemoryFunction()
    at_bound = item(arbitrary_importance=0.4)
    course = fn.course(at_bound, T0)
    assert (
        fn.zones.zone_of(fn.score(at_bound, T0)) == fn.zones.zone_of(fn.score_at(course.piece, course.level, T0)) == 2
    )


# -- settings ------------------------------------------------------------------------------------------


def test_every_bad_setting_is_named():
    with pytest.raises(ConfigError) as caught:
        MemoryFunctionConfig(
            w_recall=2, w_context=float("nan"), max_recall_cap=1, freshness_floor=1.0, context_hold=timedelta(-1)
        )
    for name in ("w_recall", "w_context", "max_recall_cap", "freshness_floor", "context_hold"):
        assert name in str(caught.value)


@pytest.mark.parametrize(
    ("zones", "said"),
    [
        ([ZoneConfig(0, "a", None, 0.0)], "every score"),
        ([ZoneConfig(0, "a", 5, float("-inf"))], "cannot be limited"),
        ([ZoneConfig(1, "a", None, float("-inf"))], "without gaps"),
        ([ZoneConfig(0, "a", None, 0.5), ZoneConfig(1, "b", 5, 0.1), ZoneConfig(2, "c", None, float("-inf"))], "outside"),
        ([ZoneConfig(0, "a", 0, 0.5), ZoneConfig(1, "b", None, float("-inf"))], "at least 1"),
        ([ZoneConfig(0, "a", 5, 0.1), ZoneConfig(1, "b", None, 0.5), ZoneConfig(2, "c", None, float("-inf"))], "fall"),
    ],
)  # fmt: skip
def test_zones_that_cannot_work_are_refused(zones, said):
    with pytest.raises(ConfigError, match=said):
        CelestialMemoryFunction(zones=zones)
