"""Conformance tests for access over a network: tokens, rate limits, and whether the store is ready."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from celestial_engine.core.access import Grant, Scope
from celestial_engine.ports import ItemStore
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises

SLOW = 1e-9  # requests per second: nothing comes back during a test


class GrantPromises(StorePromises):
    def test_a_token_is_found_by_its_digest(self) -> None:
        """A grant is found by its digest, and by no other."""
        grant = Grant("g1", "laptop", SOMEBODY, frozenset({Scope.READ, Scope.WRITE}), NOON)
        with self.opened() as store:
            store.grants.add(grant, "digest-1")
            store.grants.add(Grant("g2", "전화", SOMEBODY_ELSE, frozenset({Scope.ADMIN}), NOON + 1), "digest-2")
            assert store.grants.of_digest("digest-1") == grant
            assert store.grants.of_digest("digest-3") is None
            assert [grant.id for grant in store.grants.all()] == ["g1", "g2"]

    def test_a_revoked_token_stays_revoked(self) -> None:
        """Revoking works once, is stored, and ends the token's permissions."""
        with self.opened() as store:
            store.grants.add(Grant("g1", "laptop", SOMEBODY, frozenset({Scope.READ}), NOON), "digest-1")
            store.grants.used("g1", NOON + 5)
            assert store.grants.revoke("g1", NOON + 9)
            assert not store.grants.revoke("g1", NOON + 10)
            assert not store.grants.revoke("nobody", NOON)
            found = store.grants.of_digest("digest-1")
            assert found is not None
            assert (found.last_used_at, found.revoked_at) == (NOON + 5, NOON + 9)
            assert not found.allows(Scope.READ)

    def test_a_session_that_ended_is_let_go_of(self) -> None:
        """The expiry is stored; expired grants are dropped, those without expiry stay."""
        with self.opened() as store:
            for name, ends in (("lasting", None), ("short", NOON + 10), ("long", NOON + 99), ("revoked", NOON + 10)):
                store.grants.add(Grant(name, name, SOMEBODY, frozenset({Scope.READ}), NOON, expires_at=ends), name)
            store.grants.revoke("revoked", NOON + 1)
            found = store.grants.of_digest("short")
            assert found is not None
            assert found.holds_at(NOON + 9)
            assert not found.holds_at(NOON + 10)
            store.grants.drop_ended(NOON + 10)
            assert sorted(grant.id for grant in store.grants.all()) == ["lasting", "long"]
            assert store.grants.of_digest("short") is None

    def test_a_login_key_is_taken_once_and_in_time(self) -> None:
        """A key returns its owner once: not again, not after its expiry, and not for another key."""
        with self.opened() as store:
            store.grants.add_key("one", SOMEBODY, NOON + 10)
            store.grants.add_key("two", SOMEBODY_ELSE, NOON + 10)
            assert store.grants.take_key("three", NOON) is None
            assert store.grants.take_key("one", NOON + 9) == SOMEBODY
            assert store.grants.take_key("one", NOON + 9) is None
            assert store.grants.take_key("two", NOON + 10) is None
            assert store.grants.take_key("two", NOON) is None


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
