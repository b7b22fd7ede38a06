"""Leases: who holds a job is known by a name that no other process has."""

from __future__ import annotations

import os

import pytest

from celestial_engine.core.night.leases import CLOCK_TOLERANCE_SECONDS, may_claim
from celestial_engine.engine.schedule.lease import Leases
from celestial_engine.testing.in_memory.jobs import DictJobs

NOON = 1_750_000_000.0


def holder_of(leases: Leases, jobs: DictJobs) -> str:
    with leases.hold("job", NOON):
        return jobs.states("job")["job"].holder


def test_no_two_have_the_same_name():
    """Neither two engines of one process, nor a process and its fork, nor containers with one host name."""
    jobs = DictJobs()
    leases = Leases(jobs)
    first = holder_of(leases, jobs)
    assert holder_of(leases, jobs) == first
    assert holder_of(Leases(jobs), jobs) != first
    assert str(os.getpid()) in first


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_a_fork_has_a_name_of_its_own(monkeypatch):
    jobs = DictJobs()
    leases = Leases(jobs)
    first = holder_of(leases, jobs)
    pid = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: pid + 1)  # as in a child
    assert holder_of(leases, jobs) != first


@pytest.mark.parametrize("ahead", [0.0, 0.5, CLOCK_TOLERANCE_SECONDS])
def test_times_a_little_ahead_count(ahead):
    assert not may_claim(None, NOON + 60 + ahead, NOON, 0.0, 60.0)
    assert not may_claim(NOON + ahead, None, NOON, 300.0, 60.0)


def test_times_far_ahead_came_from_a_wrong_clock():
    ahead = CLOCK_TOLERANCE_SECONDS + 1
    assert may_claim(NOON + ahead, NOON + 60 + ahead, NOON, 300.0, 60.0)


def test_what_is_always_due_is_not_held_back():
    """A job without an interval, such as a night that is asked for, is not stopped by a last run just ahead."""
    assert may_claim(NOON + 1, None, NOON, 0.0, 60.0)
    assert may_claim(None, NOON, NOON, 0.0, 60.0)
