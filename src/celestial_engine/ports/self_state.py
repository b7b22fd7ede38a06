"""Session group `self`: islands, beliefs, proposals, approved versions, and the last seen SOUL.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.core.self.beliefs import Belief
    from celestial_engine.core.self.islands import Island
    from celestial_engine.core.self.proposals import Proposal, ProposalStatus
    from celestial_engine.core.self.self_state import SelfVersion


class SelfState(Protocol):
    """The self of one owner at a time. Consistency: the state at the start of the session."""

    def islands(self, owner: Owner) -> list[Island]:
        """Oldest first, by when each was first written."""
        ...

    def beliefs(self, owner: Owner) -> list[Belief]:
        """Oldest first, by when each was first written."""
        ...

    def proposal(self, owner: Owner, proposal_id: str) -> Proposal | None:
        """One proposal; None if the owner has none with this id."""
        ...

    def proposals(self, owner: Owner, status: ProposalStatus | None, limit: int) -> list[Proposal]:
        """Newest first, at most `limit`; with a status only those that have it."""
        ...

    def proposals_about(self, owner: Owner, about: str) -> list[Proposal]:
        """Every proposal whose `about` equals this, newest first."""
        ...

    def versions(self, owner: Owner) -> list[SelfVersion]:
        """Every approved version, highest first."""
        ...

    def soul_digest(self, owner: Owner, path: str) -> str | None:
        """The digest of the file at `path` as it was last written or read; None if it never was."""
        ...


class SelfWriter(SelfState, Protocol):
    """Reads and writes; reads see what this session wrote.

    Purging a memory removes it from the founders, supports and evidence of every part of its owner's self.
    """

    def put_island(self, owner: Owner, island: Island) -> None:
        """Inserts or replaces it by its id; a replaced island keeps its place in the order."""
        ...

    def remove_island(self, owner: Owner, island_id: str) -> None:
        """Deletes it; does nothing if there is none."""
        ...

    def put_belief(self, owner: Owner, belief: Belief) -> None:
        """Inserts or replaces it by its id; a replaced belief keeps its place in the order."""
        ...

    def remove_belief(self, owner: Owner, belief_id: str) -> None:
        """Deletes it; does nothing if there is none."""
        ...

    def put_proposal(self, owner: Owner, proposal: Proposal) -> None:
        """Inserts or replaces it by its id; a replaced proposal keeps its place in the order."""
        ...

    def add_version(self, owner: Owner, version: SelfVersion) -> None:
        """Adds an approved version; the caller has chosen an unused number."""
        ...

    def set_soul_digest(self, owner: Owner, path: str, digest: str) -> None:
        """Inserts or replaces the digest of the file at `path`."""
        ...
