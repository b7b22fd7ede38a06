"""`memory.self`: the inbox of proposals, and the self that the user has approved, for people, prompts and SOUL.md."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from celestial_engine.core.checks import check_budget, check_choice, check_id, check_limit, check_text
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.proposals import (
    MOST_PENDING,
    Channel,
    Part,
    Proposal,
    ProposalKind,
    ProposalStatus,
)
from celestial_engine.engine.parts import Area, Parts
from celestial_engine.engine.proposals import ProposalArea, channel_named, named, one_line
from celestial_engine.errors import AmbiguousIdError, Problem, ProposalNotFoundError
from celestial_engine.flow.base.placement import get_item
from celestial_engine.flow.night import nominate
from celestial_engine.flow.self import approve, draft, tend
from celestial_engine.ports import Reader

if TYPE_CHECKING:
    from celestial_engine.core.self.beliefs import Belief
    from celestial_engine.core.self.islands import Island
    from celestial_engine.core.self.self_state import Self, SelfVersion
    from celestial_engine.flow.turn.record import Rewording


class SelfArea(Area):
    """The agent's self as the user has approved it. `by` names who decides."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self.propose = ProposalArea(parts)

    # -- the inbox ----------------------------------------------------------------------------------

    def inbox(
        self, status: ProposalStatus | str | None = ProposalStatus.PENDING, limit: int = 100
    ) -> Sequence[Proposal]:
        """Returns proposals that wait for the user, newest first; None: all there ever were."""
        chosen = None if status is None else check_choice(ProposalStatus, status, "status")
        now = self._parts.now()
        with self._parts.store.read() as session:
            proposals = session.self.proposals(self._parts.owner, chosen, check_limit(limit))
        waiting = chosen is ProposalStatus.PENDING
        return [proposal for proposal in proposals if not (waiting and proposal.is_over(now))]

    def proposal(self, proposal_id: str) -> Proposal:
        """Returns one proposal, by its id or a prefix of it."""
        proposal_id = check_id(proposal_id)
        with self._parts.store.read() as session:
            return _proposal_by_prefix(session, self._parts.owner, proposal_id)

    def approval_token(self, proposal_id: str, *, channel: Channel | str = Channel.HOST) -> str:
        """Returns the token that an approval needs: valid once, for exactly the current diff."""
        parts = self._parts
        return approve.issue_token(
            parts.store, parts.owner, check_id(proposal_id), channel_named(channel), parts.now()
        )

    def limit_problem(self, proposal_id: str) -> Problem | None:
        """Returns the limit of changes that approving would exceed now; None if it would be carried out."""
        parts = self._parts
        return tend.limit_problem(parts.store, parts.owner, check_id(proposal_id), parts.session_id, parts.now())

    def approve(
        self,
        proposal_id: str,
        token: str,
        *,
        by: str,
        channel: Channel | str = Channel.HOST,
        session_id: str | None = None,
    ) -> Proposal:
        """Applies a proposal, decided by the user whom `by` names."""
        parts = self._parts
        decision = approve.UserDecision(named(by), channel_named(channel), session_id or parts.session_id)
        reworded = self._reworded(check_id(proposal_id))
        parts.be_present()
        return approve.approve(
            parts.store, parts.law(), parts.owner, proposal_id, token, decision, parts.now(), reworded
        )

    def reject(self, proposal_id: str, *, by: str, channel: Channel | str = Channel.HOST) -> Proposal:
        """Rejects a proposal; the same is not proposed again without much more evidence."""
        parts = self._parts
        decision = approve.UserDecision(named(by), channel_named(channel))
        parts.be_present()
        return approve.reject(parts.store, parts.law(), parts.owner, check_id(proposal_id), decision, parts.now())

    def nominations(self) -> Sequence[CelestialItem]:
        """Returns memories that could become core memories and wait for the user's decision."""
        with self._parts.store.read() as session:
            waiting = nominate.nominations(session, self._parts.owner, self._parts.now())
        return self._parts.scored(waiting)

    def approve_core(self, item_id: str, *, by: str, channel: Channel | str = Channel.HOST) -> CelestialItem:
        """Makes a memory of the tier M365 a core memory, decided by the user whom `by` names."""
        by, item = check_text(by, "by"), self._item(check_id(item_id))
        if item.tier is not Tier.M0:
            waiting = (one for one in self.inbox(limit=MOST_PENDING) if one.about == f"core:{item.id}")
            proposal = next(waiting, None) or self.propose.core(item.id, by=by, channel=Channel.AGENT)
            token = self.approval_token(proposal.id, channel=channel)
            self.approve(proposal.id, token, by=by, channel=channel)
        return self._item(item.id)

    # -- the approved self ----------------------------------------------------------------------------

    def islands(self) -> Sequence[Island]:
        """Returns the islands, oldest first, including collapsed ones."""
        with self._parts.store.read() as session:
            return session.self.islands(self._parts.owner)

    def beliefs(self) -> Sequence[Belief]:
        """Returns the beliefs, oldest first."""
        with self._parts.store.read() as session:
            return session.self.beliefs(self._parts.owner)

    def context(self, tokens: int = 400) -> str:
        """Returns the approved self for a prompt, in at most so many tokens; "" if there is none yet."""
        from celestial_engine.core.self.context import context_of
        from celestial_engine.flow.self.tend import self_of

        budget = check_budget(tokens)
        with self._parts.store.read() as session:
            return context_of(self_of(session, self._parts.owner), budget)

    def versions(self) -> Sequence[SelfVersion]:
        """Returns every approved version of the self, newest first."""
        with self._parts.store.read() as session:
            return session.self.versions(self._parts.owner)

    def shaken_by(self, item_id: str) -> Self:
        """Returns the islands that would lose their last founder, and the beliefs that would lose a support."""
        with self._parts.store.read() as session:
            return draft.shaken_by(session, self._parts.owner, check_id(item_id))

    # -- SOUL.md ------------------------------------------------------------------------------------

    def soul(self) -> str:
        """Returns SOUL.md as it would be written now."""
        from celestial_engine.flow.self import soul  # rarely needed

        with self._parts.store.read() as session:
            return soul.rendered(session, self._parts.owner)

    def soul_diff(self, path: str | None = None) -> str:
        """Returns what `write_soul` would change in the file, as a unified diff."""
        from celestial_engine.flow.self import soul

        owner = self._parts.owner
        return soul.diff(self._parts.store, owner, self._parts.soul_file(owner, path))

    def write_soul(self, path: str | None = None) -> str:
        """Writes SOUL.md and returns its path. Edits in the file are not overwritten: read them first."""
        from celestial_engine.flow.self import soul

        owner = self._parts.owner
        return soul.write(self._parts.store, owner, self._parts.soul_file(owner, path))

    def read_soul(self, path: str | None = None, *, by: str = "SOUL.md") -> Sequence[Proposal]:
        """Reads the edits in SOUL.md as proposals."""
        from celestial_engine.flow.self import soul

        parts = self._parts
        file = parts.soul_file(parts.owner, path)
        return soul.read_back(parts.store, parts.owner, file, named(by), parts.now(), partial(one_line, parts))

    def propose_soul(self, text: str, *, by: str, channel: Channel | str = Channel.HOST) -> Sequence[Proposal]:
        """Reads the edits in the text of a SOUL.md as proposals, without a file."""
        from celestial_engine.flow.self import soul

        parts, text = self._parts, check_text(text, "text")
        checks = partial(one_line, parts)
        return soul.propose(parts.store, parts.owner, text, named(by), channel_named(channel), parts.now(), checks)

    # -- within -------------------------------------------------------------------------------------

    def _item(self, item_id: str) -> CelestialItem:
        with self._parts.store.read() as session:
            item = get_item(session, self._parts.owner, item_id)
        return self._parts.scored([item])[0]

    def _reworded(self, proposal_id: str) -> Rewording | None:
        """Analyses the new text of a core memory before anything is locked."""
        parts = self._parts
        with parts.store.read() as session:
            proposal = session.self.proposal(parts.owner, proposal_id)
            if proposal is None or proposal.kind is not ProposalKind.CORE_CHANGE or not proposal.changes:
                return None
            item = session.items.get(parts.owner, proposal.changes[0].id)
        after = proposal.changes[0].after
        if item is None or after is None or proposal.changes[0].on is not Part.MEMORY:
            return None
        return parts.recorder.reword(str(after["content"]), item)


def _proposal_by_prefix(session: Reader, owner: Owner, proposal_id: str) -> Proposal:
    exact = session.self.proposal(owner, proposal_id)
    if exact is not None:
        return exact
    proposals = session.self.proposals(owner, None, 10_000) if proposal_id else []
    matches = [proposal for proposal in proposals if proposal.id.startswith(proposal_id)]
    if not matches:
        raise ProposalNotFoundError(item_id=proposal_id)
    if len(matches) > 1:
        raise AmbiguousIdError(count=len(matches), prefix=proposal_id)
    return matches[0]
