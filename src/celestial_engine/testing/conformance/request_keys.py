"""Conformance tests for idempotency keys."""

from __future__ import annotations

from celestial_engine.core.record.versions import UsedKey
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item

DAY = 86_400.0
USED = UsedKey("digest", "a")


class RequestKeyPromises(StorePromises):
    def test_a_key_is_kept_for_its_owner(self) -> None:
        """A key is found by its owner within the requested period."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.items.add(an_item("a"), a_course())
                session.keys.put(SOMEBODY, "k", USED, NOON, NOON - DAY)
            with store.read() as reader:
                assert reader.keys.get(SOMEBODY, "k", NOON) == USED
                assert reader.keys.get(SOMEBODY, "k", NOON + 1) is None
                assert reader.keys.get(SOMEBODY_ELSE, "k", NOON) is None
                assert reader.keys.get(SOMEBODY, "other", NOON) is None

    def test_old_keys_are_forgotten(self) -> None:
        """Old keys are removed when the next one is stored, and when the memory is purged."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                for name in ("a", "b"):
                    session.items.add(an_item(name), a_course())
                session.keys.put(SOMEBODY, "old", USED, NOON, NOON)
                session.keys.put(SOMEBODY, "new", UsedKey("digest", "b"), NOON + DAY, NOON + DAY)
            with store.read() as reader:
                assert reader.keys.get(SOMEBODY, "old", 0.0) is None
                assert reader.keys.get(SOMEBODY, "new", 0.0) is not None
            with store.write(SOMEBODY) as session:
                session.items.purge(SOMEBODY, "b")
            with store.read() as reader:
                assert reader.keys.get(SOMEBODY, "new", 0.0) is None
