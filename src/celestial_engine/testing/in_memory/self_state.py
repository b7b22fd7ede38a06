"""The self on dictionaries."""

from __future__ import annotations

from dataclasses import dataclass, field

from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.beliefs import Belief
from celestial_engine.core.self.codec import without_memory
from celestial_engine.core.self.islands import Island
from celestial_engine.core.self.proposals import Proposal, ProposalStatus
from celestial_engine.core.self.self_state import SelfVersion


@dataclass
class SelfNotes:
    islands: dict[tuple[Owner, str], Island] = field(default_factory=dict)
    beliefs: dict[tuple[Owner, str], Belief] = field(default_factory=dict)
    proposals: dict[tuple[Owner, str], Proposal] = field(default_factory=dict)  # in the order of proposing
    versions: dict[tuple[Owner, int], SelfVersion] = field(default_factory=dict)
    souls: dict[tuple[Owner, str], str] = field(default_factory=dict)

    def snapshot(self) -> SelfNotes:
        return SelfNotes(
            dict(self.islands), dict(self.beliefs), dict(self.proposals), dict(self.versions), dict(self.souls)
        )

    def forget(self, owner: Owner, item_id: str) -> None:
        """A purged memory holds nothing up, and nothing tells of it any more."""
        for key, island in list(self.islands.items()):
            if key[0] == owner:
                self.islands[key] = island.without_memory(item_id)
        for key, belief in list(self.beliefs.items()):
            if key[0] == owner and item_id in (*belief.supports, *belief.lost):
                self.beliefs[key] = belief.without_memory(item_id)
        for key, proposal in list(self.proposals.items()):
            named = (*proposal.memories, *(str(change.to_dict()) for change in proposal.changes))
            if key[0] == owner and any(item_id in name for name in named):
                self.proposals[key] = without_memory(proposal, item_id)


class DictSelf:
    """The self of a session on dictionaries."""

    _self: SelfNotes

    def islands(self, owner: Owner) -> list[Island]:
        return [island for (whose, _), island in self._self.islands.items() if whose == owner]

    def beliefs(self, owner: Owner) -> list[Belief]:
        return [belief for (whose, _), belief in self._self.beliefs.items() if whose == owner]

    def proposal(self, owner: Owner, proposal_id: str) -> Proposal | None:
        return self._self.proposals.get((owner, proposal_id))

    def proposals(self, owner: Owner, status: ProposalStatus | None, limit: int) -> list[Proposal]:
        return [one for one in self._proposals_of(owner) if status is None or one.status is status][:limit]

    def proposals_about(self, owner: Owner, about: str) -> list[Proposal]:
        return [one for one in self._proposals_of(owner) if one.about == about]

    def self_versions(self, owner: Owner) -> list[SelfVersion]:
        found = [version for (whose, _), version in self._self.versions.items() if whose == owner]
        return sorted(found, key=lambda one: -one.version)

    def soul_seen(self, owner: Owner, path: str) -> str | None:
        return self._self.souls.get((owner, path))

    def put_island(self, owner: Owner, island: Island) -> None:
        self._self.islands[(owner, island.id)] = island

    def drop_island(self, owner: Owner, island_id: str) -> None:
        self._self.islands.pop((owner, island_id), None)

    def put_belief(self, owner: Owner, belief: Belief) -> None:
        self._self.beliefs[(owner, belief.id)] = belief

    def drop_belief(self, owner: Owner, belief_id: str) -> None:
        self._self.beliefs.pop((owner, belief_id), None)

    def put_proposal(self, owner: Owner, proposal: Proposal) -> None:
        self._self.proposals[(owner, proposal.id)] = proposal

    def add_self_version(self, owner: Owner, version: SelfVersion) -> None:
        self._self.versions[(owner, version.version)] = version

    def see_soul(self, owner: Owner, path: str, digest: str) -> None:
        self._self.souls[(owner, path)] = digest

    def _proposals_of(self, owner: Owner) -> list[Proposal]:
        return [one for (whose, _), one in reversed(self._self.proposals.items()) if whose == owner]
