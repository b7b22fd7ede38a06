"""What a store promises about the self."""

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


def a_proposal(proposal_id: str, about: str = "core:a") -> Proposal:
    change = Change(Part.MEMORY, "a", {"tier": "M365", "digest": "d"}, {"tier": "M0", "island": None})
    return Proposal(
        proposal_id, ProposalKind.CORE_PROMOTION, (change,), NOON, NOON + 9, "민지", Channel.AGENT, about,
        {"recalled": 3}, ("a", "b"), 0.5, nonce="n", owner=SOMEBODY,
    )  # fmt: skip


class SelfPromises(StorePromises):
    def test_parts_are_what_was_put(self) -> None:
        """Whole, in the order of their founding, changed in place, and nobody else's."""
        with self.opened() as store:
            with store.write() as session:
                session.put_island(SOMEBODY, AN_ISLAND)
                session.put_island(SOMEBODY, replace(AN_ISLAND, id="i-2"))
                session.put_island(SOMEBODY, replace(AN_ISLAND, name="다른 이름"))
                session.put_belief(SOMEBODY, A_BELIEF)
                session.put_belief(SOMEBODY, replace(A_BELIEF, id="b-2"))
                session.drop_belief(SOMEBODY, "b-2")
                session.drop_island(SOMEBODY_ELSE, "i-1")
            with store.read() as reader:
                assert reader.islands(SOMEBODY) == [
                    replace(AN_ISLAND, name="다른 이름"),
                    replace(AN_ISLAND, id="i-2"),
                ]
                assert reader.beliefs(SOMEBODY) == [A_BELIEF]
                assert reader.islands(SOMEBODY_ELSE) == []
                assert reader.beliefs(SOMEBODY_ELSE) == []

    def test_proposals_are_found_by_status_and_by_what_they_are_about(self) -> None:
        """Newest first, and another owner sees none of them."""
        with self.opened() as store:
            with store.write() as session:
                for proposal_id in ("p", "q", "r"):
                    session.put_proposal(SOMEBODY, a_proposal(proposal_id))
                session.put_proposal(SOMEBODY, replace(a_proposal("q"), status=ProposalStatus.REJECTED, nonce=None))
                session.put_proposal(SOMEBODY, a_proposal("s", "other"))
            with store.read() as reader:
                assert reader.proposal(SOMEBODY, "p") == a_proposal("p")
                assert reader.proposal(SOMEBODY_ELSE, "p") is None
                pending = reader.proposals(SOMEBODY, ProposalStatus.PENDING, 9)
                assert [one.id for one in pending] == ["s", "r", "p"]
                assert [one.id for one in reader.proposals(SOMEBODY, None, 2)] == ["s", "r"]
                assert [one.id for one in reader.proposals_about(SOMEBODY, "core:a")] == ["r", "q", "p"]
                assert reader.proposals(SOMEBODY_ELSE, None, 9) == []

    def test_versions_and_the_file_are_kept(self) -> None:
        """Every version as it was approved, newest first; of the file what was seen last."""
        version = SelfVersion(
            1, NOON, "p", ProposalKind.BELIEF_FORMED, "민지", Channel.CLI, 1, 0, (AN_ISLAND,), (A_BELIEF,), "s"
        )
        with self.opened() as store:
            with store.write() as session:
                session.add_self_version(SOMEBODY, version)
                session.add_self_version(SOMEBODY, replace(version, version=2, islands=()))
                session.see_soul(SOMEBODY, "SOUL.md", "x")
                session.see_soul(SOMEBODY, "SOUL.md", "y")
            with store.read() as reader:
                assert reader.self_versions(SOMEBODY) == [replace(version, version=2, islands=()), version]
                assert reader.self_versions(SOMEBODY_ELSE) == []
                assert reader.soul_seen(SOMEBODY, "SOUL.md") == "y"
                assert reader.soul_seen(SOMEBODY_ELSE, "SOUL.md") is None

    def test_a_purged_memory_is_no_part_of_the_self(self) -> None:
        """No founder, no support, no evidence; what a proposal said about it is gone, and it waits no more."""
        with self.opened() as store:
            with store.write() as session:
                session.add(an_item("a"), a_course())
                session.add(an_item("b"), a_course())
                session.add(an_item("a", owner=SOMEBODY_ELSE), a_course())
                session.put_island(SOMEBODY, AN_ISLAND)
                session.put_belief(SOMEBODY, A_BELIEF)
                session.put_proposal(SOMEBODY, a_proposal("p"))
                session.put_proposal(SOMEBODY, replace(a_proposal("q"), status=ProposalStatus.APPROVED))
                session.put_proposal(SOMEBODY_ELSE, replace(a_proposal("p"), owner=SOMEBODY_ELSE))
            with store.write() as session:
                session.purge(SOMEBODY, "a")
            with store.read() as reader:
                assert reader.islands(SOMEBODY)[0].founders == ("b",)
                belief = reader.beliefs(SOMEBODY)[0]
                assert (belief.supports, belief.lost, belief.confidence) == (("b",), ("c",), 0.55)
                waiting, approved = reader.proposal(SOMEBODY, "p"), reader.proposal(SOMEBODY, "q")
                assert waiting is not None
                assert approved is not None
                assert (waiting.status, waiting.changes, waiting.evidence) == (ProposalStatus.WITHDRAWN, (), ("b",))
                assert (approved.status, approved.changes) == (ProposalStatus.APPROVED, ())
                others = reader.proposal(SOMEBODY_ELSE, "p")
                assert others is not None
                assert others.changes

    def test_an_aborted_change_leaves_the_self_as_it_was(self) -> None:
        """All or nothing."""
        with self.opened() as store:
            with store.write() as session:
                session.put_belief(SOMEBODY, A_BELIEF)
            try:
                with store.write() as session:
                    session.drop_belief(SOMEBODY, "b-1")
                    session.put_island(SOMEBODY, AN_ISLAND)
                    raise RuntimeError
            except RuntimeError:
                pass
            with store.read() as reader:
                assert reader.beliefs(SOMEBODY) == [A_BELIEF]
                assert reader.islands(SOMEBODY) == []
