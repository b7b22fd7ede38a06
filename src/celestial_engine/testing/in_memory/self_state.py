"""The self on dictionaries."""

from __future__ import annotations

from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.beliefs import Belief
from celestial_engine.core.self.codec import without_memory
from celestial_engine.core.self.islands import Island
from celestial_engine.core.self.proposals import Proposal, ProposalStatus
from celestial_engine.core.self.self_state import SelfVersion
from celestial_engine.testing.in_memory.transaction import Transaction


class DictSelf:
    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def islands(self, owner: Owner) -> list[Island]:
        return [island for (whose, _), island in self._tx.data.islands.items() if whose == owner]

    def beliefs(self, owner: Owner) -> list[Belief]:
        return [belief for (whose, _), belief in self._tx.data.beliefs.items() if whose == owner]

    def proposal(self, owner: Owner, proposal_id: str) -> Proposal | None:
        return self._tx.data.proposals.get((owner, proposal_id))

    def proposals(self, owner: Owner, status: ProposalStatus | None, limit: int) -> list[Proposal]:
        matching = [each for each in self._proposals_of(owner) if status is None or each.status is status]
        return matching[:limit]

    def proposals_about(self, owner: Owner, about: str) -> list[Proposal]:
        return [candidate for candidate in self._proposals_of(owner) if candidate.about == about]

    def versions(self, owner: Owner) -> list[SelfVersion]:
        own_versions = [version for (whose, _), version in self._tx.data.self_versions.items() if whose == owner]
        return sorted(own_versions, key=lambda version: -version.version)

    def soul_digest(self, owner: Owner, path: str) -> str | None:
        return self._tx.data.soul_digests.get((owner, path))

    def put_island(self, owner: Owner, island: Island) -> None:
        self._tx.check_writes(owner)
        self._tx.data.islands[(owner, island.id)] = island

    def remove_island(self, owner: Owner, island_id: str) -> None:
        self._tx.check_writes(owner)
        self._tx.data.islands.pop((owner, island_id), None)

    def put_belief(self, owner: Owner, belief: Belief) -> None:
        self._tx.check_writes(owner)
        self._tx.data.beliefs[(owner, belief.id)] = belief

    def remove_belief(self, owner: Owner, belief_id: str) -> None:
        self._tx.check_writes(owner)
        self._tx.data.beliefs.pop((owner, belief_id), None)

    def put_proposal(self, owner: Owner, proposal: Proposal) -> None:
        self._tx.check_writes(owner)
        self._tx.data.proposals[(owner, proposal.id)] = proposal

    def add_version(self, owner: Owner, version: SelfVersion) -> None:
        self._tx.check_writes(owner)
        self._tx.data.self_versions[(owner, version.version)] = version

    def set_soul_digest(self, owner: Owner, path: str, digest: str) -> None:
        self._tx.check_writes(owner)
        self._tx.data.soul_digests[(owner, path)] = digest

    def forget_item(self, owner: Owner, item_id: str) -> None:
        """Remove it from founders, supports and evidence."""
        for key, island in list(self._tx.data.islands.items()):
            if key[0] == owner:
                self._tx.data.islands[key] = island.without_memory(item_id)
        for key, belief in list(self._tx.data.beliefs.items()):
            if key[0] == owner and item_id in (*belief.supports, *belief.lost):
                self._tx.data.beliefs[key] = belief.without_memory(item_id)
        for key, proposal in list(self._tx.data.proposals.items()):
            texts = (*proposal.memories, *(str(change.to_dict()) for change in proposal.changes))
            if key[0] == owner and any(item_id in text for text in texts):
                self._tx.data.proposals[key] = without_memory(proposal, item_id)

    def _proposals_of(self, owner: Owner) -> list[Proposal]:
        return [candidate for (whose, _), candidate in reversed(self._tx.data.proposals.items()) if whose == owner]
