"""Conformance tests for access tokens."""

from __future__ import annotations

from celestial_engine.core.access import Grant, Scope
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises


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
