"""limits: how much of the self may change in one day, before and while something is approved."""

from __future__ import annotations

from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.proposals import Proposal, ProposalKind
from celestial_engine.core.self.self_state import change_limit, weight
from celestial_engine.errors import Problem, ProposalNotFoundError
from celestial_engine.flow.self.tend import self_of
from celestial_engine.ports import ItemStore, Reader


def limit_problem(
    store: ItemStore, owner: Owner, proposal_id: str, session_id: str | None, now: float
) -> Problem | None:
    """Return the daily limit that an approval would exceed now; None if it would be carried out."""
    with store.read() as session:
        proposal = session.self.proposal(owner, proposal_id)
        if proposal is None:
            raise ProposalNotFoundError(item_id=proposal_id)
        return over_the_limit(session, owner, proposal, session_id, now)


def over_the_limit(
    session: Reader, owner: Owner, proposal: Proposal, session_id: str | None, now: float
) -> Problem | None:
    if proposal.kind is ProposalKind.SELF_ROLLBACK:
        return None
    formed, altered = weight(proposal.changes, self_of(session, owner).memories)
    room = change_limit(session.self.versions(owner), session_id, now)
    return None if room.allows(formed, altered) else room.problem_with(altered)
