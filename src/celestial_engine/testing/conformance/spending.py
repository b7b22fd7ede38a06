"""Conformance tests for the budget of language models."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from celestial_engine.ports import Spent
from celestial_engine.testing.conformance.base import StorePromises

TODAY, TOMORROW = 20_000, 20_001


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
