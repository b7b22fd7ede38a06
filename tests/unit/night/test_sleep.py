"""The calendar of sleep, the guard against wipe-outs, and the numbers of a night."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.night.sleep import (
    Census,
    CensusPlace,
    Duty,
    DutyReport,
    DutyStatus,
    Outcome,
    Rhythm,
    SleepReport,
    SleepSettings,
    due_duties,
    in_order,
)
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import ConfigError

DAY = 86_400.0
moments = st.floats(0.0, 4e9)


def at(year: int, month: int, day: int, hour: int = 3) -> float:
    return datetime(year, month, day, hour, tzinfo=timezone.utc).timestamp()


MONDAY = at(2026, 11, 16)


def everything_done(when: float) -> dict[Duty, float]:
    return dict.fromkeys(Duty, when)


# -- the calendar -------------------------------------------------------------------------------------


def test_a_memory_that_never_slept_has_everything_to_do():
    assert due_duties({}, MONDAY) == tuple(Duty)


def test_nothing_is_done_twice_a_day():
    assert due_duties(everything_done(MONDAY), MONDAY + 20 * 3_600) == ()


def test_the_next_night_has_the_daily_duties():
    """Promotion waits for its week, its month; expiry does not."""
    due = due_duties(everything_done(MONDAY), MONDAY + DAY)
    assert set(due) == {duty for duty in Duty if duty.rhythm is Rhythm.DAILY}
    assert Duty.EXPIRE in due


@pytest.mark.parametrize(
    ("later", "also"),
    [
        (at(2026, 11, 22), set()),  # Sunday
        (at(2026, 11, 23), {Duty.PROMOTE_M90}),
        (at(2026, 12, 1), {Duty.PROMOTE_M90, Duty.PROMOTE_M365, Duty.NOMINATE}),
        (at(2027, 1, 1), {Duty.PROMOTE_M90, Duty.PROMOTE_M365, Duty.NOMINATE, Duty.REPORT}),
    ],
)
def test_weeks_months_and_years(later, also):
    daily = {duty for duty in Duty if duty.rhythm is Rhythm.DAILY}
    assert set(due_duties(everything_done(MONDAY), later)) == daily | also


def test_a_month_of_missed_nights_is_made_up_for_once_and_in_order():
    """Who would have been promoted is promoted before anybody's time is up."""
    due = due_duties(everything_done(MONDAY), MONDAY + 31 * DAY)
    assert len(due) == len(set(due))
    assert list(due) == [duty for duty in Duty if duty in due]
    for promotion in (Duty.PROMOTE_M90, Duty.PROMOTE_M365):
        for departure in (Duty.EXPIRE, Duty.FADE, Duty.RETAIN, Duty.REBALANCE):
            assert due.index(promotion) < due.index(departure)
    assert due.index(Duty.REBALANCE) < due.index(Duty.TIDY)  # what is purged is tidied away


def test_a_wrong_clock_does_not_keep_a_memory_awake_for_good():
    """A last run in the future counts for nothing."""
    assert due_duties(everything_done(MONDAY + 3_650 * DAY), MONDAY) == tuple(Duty)


@given(moments, st.sampled_from(Rhythm))
def test_the_next_period_begins_after_this_one(moment, rhythm):
    start = rhythm.next_start(moment)
    assert moment < start <= moment + timedelta(days=366).total_seconds()
    assert rhythm.period(start) != rhythm.period(moment)
    assert rhythm.period(start - 1) == rhythm.period(moment)


@given(moments, st.floats(0.0, 800 * DAY), st.sampled_from(Duty))
def test_the_status_says_when_a_duty_is_due(last, later, duty):
    status = DutyStatus.of(duty, last, last + later)
    assert (status.next_run == last + later) == duty.is_due(last, last + later)
    assert duty.is_due(last, status.next_run)


def test_duties_are_named_in_any_order_and_done_in_theirs():
    assert in_order(["fade", Duty.SUPERSEDE, "fade"]) == (Duty.SUPERSEDE, Duty.FADE)
    with pytest.raises(ValueError, match="dance"):
        in_order(["dance"])


# -- the guard ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("leaving", "in_orbit", "allowed"),
    [(5, 5, True), (6, 5, False), (20, 100, True), (21, 100, False), (745, 931, False), (0, 0, True)],
)
def test_a_fifth_may_leave_unasked_and_of_a_few_a_few(leaving, in_orbit, allowed):
    assert SleepSettings().allows(leaving, in_orbit) is allowed


def test_bad_settings_are_told_together():
    with pytest.raises(ConfigError, match=r"max_leaving_share.*always_allowed"):
        SleepSettings(1.5, -1)


# -- numbers ------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.sampled_from(State), st.integers(0, 4), st.sampled_from(Tier), st.integers(1, 9))))
def test_counts_add_up(counted):
    census = Census.of((CensusPlace(*place), count) for *place, count in counted)
    assert sum(census.states.values()) == sum(count for *_, count in counted)
    in_orbit = sum(count for state, count in census.states.items() if state.in_orbit)
    assert census.in_orbit == in_orbit == sum(census.tiers.values())
    assert Census.from_dict(census.to_dict()) == census


def test_a_night_is_told_in_the_ledger_in_numbers():
    """And can be read again; who left is not written down a second time."""
    census = Census({State.ACTIVE: 2}, {3: 2}, {Tier.M30: 2})
    done = DutyReport(Duty.FADE, Outcome.DONE, {"inactive": 1}, 0.5, ("id-of-a-memory",))
    report = SleepReport(Owner(), MONDAY, census, census, (done,))
    detail = report.to_detail()
    assert "id-of-a-memory" not in str(detail)
    again = SleepReport.from_event(Event(EventType.SLEPT, Owner(), MONDAY, None, detail))
    assert (again.before, again.at, again.count("inactive"), again.seconds) == (census, MONDAY, 1, 0.5)


def test_the_report_of_the_year_counts_other_nights():
    duties = (
        DutyReport(Duty.REBALANCE, Outcome.DONE, {"purged": 1}),
        DutyReport(Duty.REPORT, Outcome.DONE, {"purged": 9}),
    )
    assert SleepReport(Owner(), MONDAY, duties=duties).count("purged") == 1
