"""Conformance tests for idea patterns and their strength."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.imagination.rules import PatternStrength
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item

A_WALK = PatternStrength("walk", 0.65, liked=1, rejected=2, ignored=3, last_at=NOON, waiting="m0")


class IdeaPromises(StorePromises):
    def test_a_pattern_is_kept_as_it_was_put(self) -> None:
        """Patterns are per owner; putting one again replaces it."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.ideas.put_pattern(SOMEBODY, A_WALK)
                session.ideas.put_pattern(SOMEBODY, PatternStrength("music"))
                session.ideas.put_pattern(SOMEBODY_ELSE, replace(A_WALK, strength=0.1))
                session.ideas.put_pattern(SOMEBODY, replace(A_WALK, strength=0.7))
            with store.read() as reader:
                assert reader.ideas.patterns(SOMEBODY) == {
                    "music": PatternStrength("music"),
                    "walk": replace(A_WALK, strength=0.7),
                }
                assert reader.ideas.patterns(SOMEBODY_ELSE)["walk"].strength == 0.1

    def test_a_purged_imagination_waits_for_no_answer(self) -> None:
        """No pattern refers to a purged memory; the pattern's strength stays."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.items.add(an_item("m0"), a_course())
                session.ideas.put_pattern(SOMEBODY, A_WALK)
                session.ideas.put_pattern(SOMEBODY_ELSE, A_WALK)
                session.items.purge(SOMEBODY, "m0")
            with store.read() as reader:
                assert reader.ideas.patterns(SOMEBODY) == {"walk": replace(A_WALK, waiting=None)}
                assert reader.ideas.patterns(SOMEBODY_ELSE) == {"walk": A_WALK}
            assert store.check() == []

    def test_a_failed_transaction_changes_no_pattern(self) -> None:
        """A failed transaction changes nothing."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.ideas.put_pattern(SOMEBODY, A_WALK)
            try:
                with store.write(SOMEBODY) as session:
                    session.ideas.put_pattern(SOMEBODY, replace(A_WALK, strength=0.9))
                    raise RuntimeError("power cut")
            except RuntimeError:
                pass
            with store.read() as reader:
                assert reader.ideas.patterns(SOMEBODY) == {"walk": A_WALK}
