"""The plan of a retention policy: who leaves, who is archived, and who is never asked."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.keeping.retention import (
    COORDINATES_V1,
    Limit,
    RetentionPolicy,
    RetentionRow,
    plan_retention,
)
from celestial_engine.core.record.forgetting import DepartureReason
from celestial_engine.errors import ConfigError

NOW = 1_750_000_000.0
DAY = 86_400.0
_numbers = count()


def held(session="s", days=10.0, importance=0.5, size=100, protected=False, archived=False):
    return RetentionRow(f"m{next(_numbers)}", session, NOW - days * DAY, importance, size, protected, archived)


def ids(leaving):
    return [one.holding.item_id for one in leaving]


def test_the_preset_has_its_published_numbers():
    assert (COORDINATES_V1.max_sessions, COORDINATES_V1.max_memories_per_session) == (10, 500)
    assert (COORDINATES_V1.max_total_size_mb, COORDINATES_V1.protected_days) == (100, 7)
    assert (COORDINATES_V1.archive_after_days, COORDINATES_V1.delete_after_days) == (30, 180)


def test_a_policy_that_cannot_work_names_everything_that_is_wrong():
    with pytest.raises(ConfigError) as caught:
        RetentionPolicy(max_sessions=0, max_total_size_mb=-1, delete_after_days=True, protected_days=-1)
    for name in ("max_sessions", "max_total_size_mb", "delete_after_days", "protected_days"):
        assert name in str(caught.value)
    with pytest.raises(ConfigError, match="nothing is ever archived"):
        RetentionPolicy(archive_after_days=30, delete_after_days=30)


def test_no_limit_asks_nobody():
    assert not RetentionPolicy()
    plan = plan_retention([held(days=9_999, size=10**9)], RetentionPolicy(), NOW)
    assert (plan.leaving, plan.archiving, plan.memories) == ((), (), 1)


def test_the_sessions_that_were_touched_last_stay_whole():
    holdings = [held(f"s{day}", days=day) for day in (50, 40, 30, 20, 10) for _ in range(10)]
    plan = plan_retention(holdings, RetentionPolicy(max_sessions=3), NOW)
    assert {one.holding.session_id for one in plan.leaving} == {"s50", "s40"}
    assert {one.limit for one in plan.leaving} == {Limit.SESSIONS}
    assert (plan.sessions, plan.memories) == (3, 30)


def test_one_recalled_memory_keeps_its_old_session():
    """Least recently used, not first made."""
    holdings = [held("old", days=90), held("old", days=8), held("idle", days=60), held("new", days=9)]
    plan = plan_retention(holdings, RetentionPolicy(max_sessions=2), NOW)
    assert {one.holding.session_id for one in plan.leaving} == {"idle"}


def test_the_protected_stay_and_the_last_days_are_safe_from_the_size_limit():
    pinned, young = held("s1", days=300, protected=True), held("s2", days=6.9)
    policy = RetentionPolicy(max_sessions=2, max_total_size_mb=0.0001, archive_after_days=30, delete_after_days=31)
    plan = plan_retention([pinned, young, held("s3", days=0)], policy, NOW)
    assert (plan.leaving, plan.archiving, plan.memories) == ((), (), 3)
    assert Limit.SIZE in plan.still_over, "it is told that the limit is not met"


def test_the_last_days_are_not_safe_from_the_limits_on_sessions():
    older, newer = held("s1", days=0.2), held("s2", days=0.1)
    assert ids(plan_retention([older, newer], RetentionPolicy(max_sessions=1), NOW).leaving) == [older.item_id]
    low, high = held("s", days=0.1, importance=0.1), held("s", days=0.2, importance=0.9)
    plan = plan_retention([high, low], RetentionPolicy(max_memories_per_session=1), NOW)
    assert (ids(plan.leaving), plan.still_over) == ([low.item_id], ())
    archived = plan_retention([held("idle", days=2)], RetentionPolicy(archive_after_days=1), NOW).archiving
    assert [one.session_id for one in archived] == ["idle"]


def test_of_sessions_touched_at_the_same_moment_the_one_stored_last_stays():
    rows = [held(f"s{number // 10}", days=0) for number in range(50)]
    plan = plan_retention(rows, RetentionPolicy(max_sessions=3), NOW)
    assert {one.holding.session_id for one in plan.leaving} == {"s0", "s1"}


def test_within_a_session_the_least_important_leave_then_the_oldest():
    low, old, new = held(importance=0.1, days=9), held(days=30), held(days=20)
    plan = plan_retention([new, old, low, held(importance=0.9)], RetentionPolicy(max_memories_per_session=2), NOW)
    assert ids(plan.leaving) == [low.item_id, old.item_id]


def test_over_the_size_the_least_important_leave_whatever_their_session():
    half = 500_000
    holdings = [held(None, importance=0.2, size=half), held("a", importance=0.1, size=half), held("b", size=half)]
    plan = plan_retention(holdings, RetentionPolicy(max_total_size_mb=1), NOW)
    assert ids(plan.leaving) == [holdings[1].item_id]
    assert plan.size_bytes == 2 * half


def test_what_can_be_archived_is_not_forgotten():
    """Idle sessions leave the database before the limits on it are looked at."""
    holdings = [held("idle", days=31), held("idle", days=40), held("a", days=8), held("b", days=9)]
    plan = plan_retention(holdings, RetentionPolicy(max_sessions=2, archive_after_days=30), NOW)
    assert [(one.session_id, len(one.holdings)) for one in plan.archiving] == [("idle", 2)]
    assert plan.leaving == ()


def test_old_age_takes_archived_memories_too_and_those_of_no_session():
    holdings = [held(None, days=181), held("s", days=200, archived=True), held("s", days=179, archived=True)]
    plan = plan_retention(holdings, RetentionPolicy(delete_after_days=180), NOW)
    assert sorted(ids(plan.leaving)) == sorted(one.item_id for one in holdings[:2])
    assert {one.limit.reason for one in plan.leaving} == {DepartureReason.EXPIRED}


memories = st.lists(
    st.builds(
        held,
        session=st.sampled_from(["a", "b", "c", None]),
        days=st.floats(0, 400),
        importance=st.floats(0, 1),
        size=st.integers(0, 10**6),
        protected=st.booleans(),
        archived=st.booleans(),
    ),
    max_size=30,
)
policies = st.builds(
    RetentionPolicy,
    max_sessions=st.none() | st.integers(1, 3),
    max_memories_per_session=st.none() | st.integers(1, 5),
    max_total_size_mb=st.none() | st.floats(0.1, 5),
    archive_after_days=st.none() | st.floats(1, 30),
    delete_after_days=st.none() | st.floats(31, 300),
    protected_days=st.floats(0, 10),
)


@given(memories, policies)
def test_whatever_the_policy(holdings, policy):
    """Nobody leaves twice, nobody protected leaves, everybody is accounted for, and a second run asks nobody."""
    plan = plan_retention(holdings, policy, NOW)
    gone = [one.holding for one in plan.leaving] + [one for part in plan.archiving for one in part.holdings]
    assert len({one.item_id for one in gone}) == len(gone)
    assert not any(one.protected for one in gone)
    too_much = [one.holding for one in plan.leaving if one.limit is Limit.SIZE]
    assert all(one.touched_at <= NOW - policy.protected_days * DAY for one in too_much)
    assert plan.memories == len([one for one in holdings if not one.archived and one not in gone])
    archived = [one._replace(archived=True) for part in plan.archiving for one in part.holdings]
    rest = [one for one in holdings if one not in gone] + archived
    again = plan_retention(rest, policy, NOW)
    assert (again.leaving, again.archiving) == ((), ())
