"""Conformance tests for jobs that one process runs for all, and for the budget of language models."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from celestial_engine.ports import JobState, Spent
from celestial_engine.testing.conformance.base import NOON, StorePromises

DAY = 86_400.0
TODAY, TOMORROW = 20_000, 20_001


class JobPromises(StorePromises):
    def test_one_of_many_does_the_job(self) -> None:
        """A claimed job is locked until it is finished or its lease expires; then it waits for its interval."""
        with self.opened() as store:
            jobs = store.jobs
            assert jobs.claim("job", "a", NOON, every=300, lease=60)
            assert not jobs.claim("job", "b", NOON + 59, every=300, lease=60)
            jobs.finish("job", "b", NOON + 59)  # not the holder: no effect
            assert not jobs.claim("job", "b", NOON + 59, every=300, lease=60)
            jobs.finish("job", "a", NOON + 59)
            assert not jobs.claim("job", "b", NOON + 300, every=300, lease=60)
            assert jobs.claim("job", "b", NOON + 359, every=300, lease=60)
            assert jobs.claim("job", "c", NOON + 420, every=300, lease=60), "b died with the lease"

    def test_a_job_that_failed_is_still_due(self) -> None:
        """A job released without running can be claimed at once."""
        with self.opened() as store:
            assert store.jobs.claim("job", "a", NOON, every=300, lease=60)
            store.jobs.finish("job", "a", None)
            assert store.jobs.claim("job", "b", NOON, every=300, lease=60)

    def test_a_wrong_clock_does_not_block_a_job(self) -> None:
        """Times in the future are ignored."""
        with self.opened() as store:
            assert store.jobs.claim("job", "a", NOON + 10**9, every=300, lease=60)
            assert store.jobs.claim("job", "b", NOON, every=300, lease=60)
            store.jobs.finish("job", "b", NOON + 10**9)
            assert store.jobs.claim("job", "c", NOON, every=300, lease=60)

    def test_a_clock_that_is_behind_takes_no_lease(self) -> None:
        """A process whose clock is behind by seconds or minutes neither takes a lease over nor repeats a job."""
        with self.opened() as store:
            for behind in (0.5, 60.0, 240.0):
                assert store.jobs.claim(f"job {behind}", "a", NOON, every=300, lease=60)
                assert not store.jobs.claim(f"job {behind}", "b", NOON - behind, every=300, lease=60)
                store.jobs.finish(f"job {behind}", "a", NOON)
                assert not store.jobs.claim(f"job {behind}", "b", NOON - behind, every=300, lease=60)
                assert store.jobs.claim(f"job {behind}", "b", NOON + 300, every=300, lease=60)

    def test_a_clock_that_is_ahead_takes_no_extended_lease(self) -> None:
        """Whoever extends a lease in time keeps it from a process whose clock is ahead by less than is left of it."""
        with self.opened() as store:
            assert store.jobs.claim("job", "a", NOON, every=0.0, lease=600)
            for minute in range(2, 20, 2):
                assert store.jobs.extend("job", "a", NOON + minute * 60, 600)
                assert not store.jobs.claim("job", "b", NOON + minute * 60 + 240, every=0.0, lease=600)

    def test_the_database_has_a_clock(self) -> None:
        """Its now is what leases and due times are compared with; it goes on."""
        with self.opened() as store:
            first = store.jobs.now(NOON)
            assert store.jobs.now(NOON + 1) >= first

    def test_a_lease_is_held_by_whoever_extends_it(self) -> None:
        """A lease can be extended until it expires; after that another process may claim the job."""
        with self.opened() as store:
            jobs = store.jobs
            assert jobs.claim("sleep", "a", NOON, 0.0, 100.0)
            assert jobs.extend("sleep", "a", NOON + 90, 100.0)
            assert not jobs.claim("sleep", "b", NOON + 110, 0.0, 100.0)
            assert jobs.states("sleep") == {"sleep": JobState(None, "a", NOON + 190)}
            assert jobs.claim("sleep", "b", NOON + 190, 0.0, 100.0)
            assert not jobs.extend("sleep", "a", NOON + 191, 100.0)
            jobs.finish("sleep", "b", NOON)
            assert jobs.states("sleep") == {"sleep": JobState(NOON, None, None)}

    def test_work_done_under_another_lease_is_noted(self) -> None:
        """Runs are recorded by name and found by prefix."""
        with self.opened() as store:
            store.jobs.note({"sleep/fade a": NOON, "sleep/expire a": NOON, "rebalance": NOON})
            store.jobs.note({"sleep/fade a": NOON + DAY})
            last_runs = {name: state.last_run for name, state in store.jobs.states("sleep/").items()}
            assert last_runs == {"sleep/fade a": NOON + DAY, "sleep/expire a": NOON}


class SpendingPromises(StorePromises):
    def test_calls_and_tokens_are_counted_by_day(self) -> None:
        """Each day is counted separately."""
        with self.opened() as store:
            assert store.spending.spent(TODAY) == Spent(0, 0)
            assert store.spending.spend(TODAY, 100, None, None)
            assert store.spending.spend(TODAY, 20, 2, 120)
            assert store.spending.spent(TODAY) == Spent(2, 120)
            assert store.spending.spent(TOMORROW) == Spent(0, 0)

    def test_nothing_is_spent_beyond_a_limit(self) -> None:
        """Spending over the limit is refused completely, by calls and by tokens."""
        with self.opened() as store:
            assert store.spending.spend(TODAY, 60, 2, 100)
            assert not store.spending.spend(TODAY, 60, 2, 100)
            assert store.spending.spend(TODAY, 40, 2, 100)
            assert not store.spending.spend(TODAY, 0, 2, 100)
            assert not store.spending.spend(TOMORROW, 0, 0, None)
            assert store.spending.spent(TODAY) == Spent(2, 100)

    def test_tokens_are_corrected_when_they_are_known(self) -> None:
        """Corrections go up and down, never below zero, and do not create a day."""
        with self.opened() as store:
            assert store.spending.spend(TODAY, 100, None, None)
            store.spending.correct(TODAY, -70)
            assert store.spending.spent(TODAY) == Spent(1, 30)
            store.spending.correct(TODAY, -70)
            assert store.spending.spent(TODAY) == Spent(1, 0)
            store.spending.correct(TOMORROW, 5)
            assert store.spending.spent(TOMORROW) == Spent(0, 0)

    def test_many_at_once_spend_no_more_than_the_limit(self) -> None:
        """Concurrent threads share one count."""
        with self.opened() as store, ThreadPoolExecutor(8) as threads:
            granted = list(threads.map(lambda _: store.spending.spend(TODAY, 1, 10, None), range(24)))
            assert sum(granted) == store.spending.spent(TODAY).calls == 10
