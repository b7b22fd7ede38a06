"""What a store keeps of the self: proposals, islands, beliefs, every approved version, and the file last seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.core.self.beliefs import Belief
    from celestial_engine.core.self.islands import Island
    from celestial_engine.core.self.proposals import Proposal, ProposalStatus
    from celestial_engine.core.self.self_state import SelfVersion


class SelfReading(Protocol):
    """Asked for by owner first, as memories are."""

    def islands(self, owner: Owner) -> list[Island]:
        """The oldest first."""
        ...

    def beliefs(self, owner: Owner) -> list[Belief]:
        """The oldest first."""
        ...

    def proposal(self, owner: Owner, proposal_id: str) -> Proposal | None: ...
    def proposals(self, owner: Owner, status: ProposalStatus | None, limit: int) -> list[Proposal]:
        """Newest first."""
        ...

    def proposals_about(self, owner: Owner, about: str) -> list[Proposal]:
        """Newest first."""
        ...

    def self_versions(self, owner: Owner) -> list[SelfVersion]:
        """Newest first."""
        ...

    def soul_seen(self, owner: Owner, path: str) -> str | None:
        """The digest of the file as it was last written or read."""
        ...


class SelfWriting(Protocol):
    """Within one transaction. A purged memory is no founder, no support and no evidence any more."""

    def put_island(self, owner: Owner, island: Island) -> None: ...
    def drop_island(self, owner: Owner, island_id: str) -> None: ...
    def put_belief(self, owner: Owner, belief: Belief) -> None: ...
    def drop_belief(self, owner: Owner, belief_id: str) -> None: ...
    def put_proposal(self, owner: Owner, proposal: Proposal) -> None: ...
    def add_self_version(self, owner: Owner, version: SelfVersion) -> None: ...
    def see_soul(self, owner: Owner, path: str, digest: str) -> None: ...


class SoulFile(Protocol):
    """SOUL.md. Whatever keeps it from being read or written is a SoulError."""

    @property
    def path(self) -> str: ...
    def read(self) -> str | None:
        """None if there is none."""
        ...

    def write(self, text: str) -> None:
        """There completely or not at all."""
        ...
