"""Conformance tests for the self: islands, beliefs, proposals and versions."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.self.beliefs import Belief
from celestial_engine.core.self.islands import Island, IslandStatus
from celestial_engine.core.self.proposals import Change, Channel, Part, Proposal, ProposalKind, ProposalStatus
from celestial_engine.core.self.self_state import SelfVersion
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item

AN_ISLAND = Island(
    "i-1", "유대", "🏠", "", ("a", "b"), NOON, IslandStatus.SHAKING, 0.4, NOON, ("c",), ("이름",), 3, NOON
)
A_BELIEF = Belief("b-1", "나는 소중한 존재다", 0.7, ("a", "b"), NOON, "i-1", ("c",))
A_SELF_VERSION = SelfVersion(
    1, NOON, "p", ProposalKind.BELIEF_FORMED, "민지", Channel.CLI, 1, 0, (AN_ISLAND,), (A_BELIEF,), "s"
)


def a_proposal(proposal_id: str, about: str = "core:a") -> Proposal:
    change = Change(Part.MEMORY, "a", {"tier": "M365", "digest": "d"}, {"tier": "M0", "island": None})
    return Proposal(
        proposal_id, ProposalKind.CORE_PROMOTION, (change,), NOON, NOON + 9, "민지", Channel.AGENT, about,
        {"recalled": 3}, ("a", "b"), 0.5, nonce="n", owner=SOMEBODY,
    )  # fmt: skip


class SelfPromises(StorePromises):
    def test_parts_are_what_was_put(self) -> None:
        """Islands and beliefs are stored completely, in insertion order, updated in place, per owner."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.self.put_island(SOMEBODY, AN_ISLAND)
                session.self.put_island(SOMEBODY, replace(AN_ISLAND, id="i-2"))
                session.self.put_island(SOMEBODY, replace(AN_ISLAND, name="다른 이름"))
                session.self.put_belief(SOMEBODY, A_BELIEF)
                session.self.put_belief(SOMEBODY, replace(A_BELIEF, id="b-2"))
                session.self.remove_belief(SOMEBODY, "b-2")
                session.self.remove_island(SOMEBODY_ELSE, "i-1")
            with store.read() as reader:
                assert reader.self.islands(SOMEBODY) == [
                    replace(AN_ISLAND, name="다른 이름"),
                    replace(AN_ISLAND, id="i-2"),
                ]
                assert reader.self.beliefs(SOMEBODY) == [A_BELIEF]
                assert reader.self.islands(SOMEBODY_ELSE) == []
                assert reader.self.beliefs(SOMEBODY_ELSE) == []

    def test_proposals_are_found_by_status_and_by_what_they_are_about(self) -> None:
        """Proposals are newest first and per owner."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                for proposal_id in ("p", "q", "r"):
                    session.self.put_proposal(SOMEBODY, a_proposal(proposal_id))
                session.self.put_proposal(
                    SOMEBODY, replace(a_proposal("q"), status=ProposalStatus.REJECTED, nonce=None)
                )
                session.self.put_proposal(SOMEBODY, a_proposal("s", "other"))
            with store.read() as reader:
                assert reader.self.proposal(SOMEBODY, "p") == a_proposal("p")
                assert reader.self.proposal(SOMEBODY_ELSE, "p") is None
                pending = reader.self.proposals(SOMEBODY, ProposalStatus.PENDING, 9)
                assert [proposal.id for proposal in pending] == ["s", "r", "p"]
                assert [proposal.id for proposal in reader.self.proposals(SOMEBODY, None, 2)] == ["s", "r"]
                assert [proposal.id for proposal in reader.self.proposals_about(SOMEBODY, "core:a")] == [
                    "r",
                    "q",
                    "p",
                ]
                assert reader.self.proposals(SOMEBODY_ELSE, None, 9) == []

    def test_versions_and_the_file_are_kept(self) -> None:
        """Every approved version, newest first; of a file the last digest."""
        version = A_SELF_VERSION
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.self.add_version(SOMEBODY, version)
                session.self.add_version(SOMEBODY, replace(version, version=2, islands=()))
                session.self.set_soul_digest(SOMEBODY, "SOUL.md", "x")
                session.self.set_soul_digest(SOMEBODY, "SOUL.md", "y")
            with store.read() as reader:
                assert reader.self.versions(SOMEBODY) == [replace(version, version=2, islands=()), version]
                assert reader.self.versions(SOMEBODY_ELSE) == []
                assert reader.self.soul_digest(SOMEBODY, "SOUL.md") == "y"
                assert reader.self.soul_digest(SOMEBODY_ELSE, "SOUL.md") is None

    def test_a_purged_memory_is_no_part_of_the_self(self) -> None:
        """A purged memory leaves founders, supports and evidence; proposals about it are no longer pending."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.items.add(an_item("a"), a_course())
                session.items.add(an_item("b"), a_course())
                session.items.add(an_item("a", owner=SOMEBODY_ELSE), a_course())
                session.self.put_island(SOMEBODY, AN_ISLAND)
                session.self.put_belief(SOMEBODY, A_BELIEF)
                session.self.put_proposal(SOMEBODY, a_proposal("p"))
                session.self.put_proposal(SOMEBODY, replace(a_proposal("q"), status=ProposalStatus.APPROVED))
                session.self.put_proposal(SOMEBODY_ELSE, replace(a_proposal("p"), owner=SOMEBODY_ELSE))
            with store.write(SOMEBODY) as session:
                session.items.purge(SOMEBODY, "a")
            with store.read() as reader:
                assert reader.self.islands(SOMEBODY)[0].founders == ("b",)
                belief = reader.self.beliefs(SOMEBODY)[0]
                assert (belief.supports, belief.lost, belief.confidence) == (("b",), ("c",), 0.55)
                waiting, approved = reader.self.proposal(SOMEBODY, "p"), reader.self.proposal(SOMEBODY, "q")
                assert waiting is not None
                assert approved is not None
                assert (waiting.status, waiting.changes, waiting.evidence) == (ProposalStatus.WITHDRAWN, (), ("b",))
                assert (approved.status, approved.changes) == (ProposalStatus.APPROVED, ())
                others = reader.self.proposal(SOMEBODY_ELSE, "p")
                assert others is not None
                assert others.changes

    def test_an_aborted_change_leaves_the_self_as_it_was(self) -> None:
        """A failed transaction changes nothing."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.self.put_belief(SOMEBODY, A_BELIEF)
            try:
                with store.write(SOMEBODY) as session:
                    session.self.remove_belief(SOMEBODY, "b-1")
                    session.self.put_island(SOMEBODY, AN_ISLAND)
                    raise RuntimeError
            except RuntimeError:
                pass
            with store.read() as reader:
                assert reader.self.beliefs(SOMEBODY) == [A_BELIEF]
                assert reader.self.islands(SOMEBODY) == []
