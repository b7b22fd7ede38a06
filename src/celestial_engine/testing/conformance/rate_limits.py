"""Conformance tests for rate limits that all servers share, and for whether the store is ready."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from celestial_engine.ports import ItemStore
from celestial_engine.testing.conformance.base import NOON, StorePromises

SLOW = 1e-9  # requests per second: nothing comes back during a test


class RateLimitPromises(StorePromises):
    def test_a_caller_gets_what_the_bucket_holds(self) -> None:
        """All servers together admit exactly the burst, and then say how long to wait."""
        with self.opened() as store:
            admitted = _admitted(store, "a", 100)
            refused = store.rate_limits.take("a", NOON, SLOW, 100)
            assert (admitted, refused.requests) == (100, 0)
            assert refused.wait_seconds > 0

    def test_one_server_does_not_take_all(self) -> None:
        """A server takes a small part at once, so that others find some too."""
        with self.opened() as store:
            assert 1 <= store.rate_limits.take("a", NOON, SLOW, 200).requests <= 20

    def test_callers_are_counted_separately(self) -> None:
        """An exhausted bucket does not hold up another caller."""
        with self.opened() as store:
            assert _admitted(store, "a", 3) == 3
            assert store.rate_limits.take("a", NOON, SLOW, 3).requests == 0
            assert store.rate_limits.take("b", NOON, SLOW, 3).requests == 1

    def test_many_servers_admit_no_more_than_the_burst(self) -> None:
        """Concurrent servers never take the same requests twice."""
        with self.opened() as store, ThreadPoolExecutor(8) as threads:
            taken = threads.map(lambda _: store.rate_limits.take("a", NOON, SLOW, 50).requests, range(80))
            assert sum(taken) == 50

    def test_the_store_is_ready_while_it_is_open(self) -> None:
        """A store that can be read, with the schema of this version, raises nothing."""
        with self.opened() as store:
            store.check_ready()


def _admitted(store: ItemStore, caller: str, burst: int) -> int:
    admitted = 0
    for _ in range(burst + 1):
        taken = store.rate_limits.take(caller, NOON, SLOW, burst).requests
        if not taken:
            break
        admitted += taken
    return admitted
