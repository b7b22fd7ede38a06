"""Proposing: the inbox of the self. Anybody may propose; only the user's word changes anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from celestial_engine.core.checks import check_choice, check_id, check_ids, check_limit, check_text
from celestial_engine.core.guard.guard import Guard
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.proposals import Channel, Part, Proposal, ProposalKind, ProposalStatus
from celestial_engine.errors import AmbiguousIdError, ProposalNotFoundError
from celestial_engine.facade.remembering import Remembering
from celestial_engine.flow.self import approve, draft, inbox
from celestial_engine.ports import Reader

if TYPE_CHECKING:
    from celestial_engine.flow.self.approve import Reworded
    from celestial_engine.flow.self.inbox import Make

_MOST_BY = 200


class Proposing(Remembering):
    """What may change of the self. `by` names who speaks, `channel` says by which way."""

    # -- the inbox ----------------------------------------------------------------------------------

    def inbox(
        self,
        status: ProposalStatus | str | None = ProposalStatus.PENDING,
        limit: int = 100,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Sequence[Proposal]:
        """What waits for the user's word, newest first; None: all that ever did."""
        chosen = None if status is None else check_choice(ProposalStatus, status, "status")
        owner, now = self._owner.but(user_id, agent_id), self._now()
        with self._store.read() as session:
            found = session.self.proposals(owner, chosen, check_limit(limit))
        waiting = chosen is ProposalStatus.PENDING
        return [one for one in found if not (waiting and one.is_over(now))]

    def proposal(self, proposal_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> Proposal:
        """One proposal, by its id or the beginning of it."""
        owner, proposal_id = self._owner.but(user_id, agent_id), check_id(proposal_id)
        with self._store.read() as session:
            return _found(session, owner, proposal_id)

    def approval_token(
        self,
        proposal_id: str,
        *,
        channel: Channel | str = Channel.HOST,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> str:
        """What an approval needs: good once, for exactly the diff that the proposal has now."""
        owner = self._owner.but(user_id, agent_id)
        through = channel_named(channel)
        return approve.issue(self._store, owner, check_id(proposal_id), through, self._now())

    def approve(
        self,
        proposal_id: str,
        token: str,
        *,
        by: str,
        channel: Channel | str = Channel.HOST,
        session_id: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Proposal:
        """Carries out a proposal, on the word of the user whom `by` names."""
        owner = self._owner.but(user_id, agent_id)
        word = approve.Word(named(by), channel_named(channel), session_id or self._session_id)
        reworded = self._reworded_core(owner, check_id(proposal_id))
        return approve.approve(self._store, self._zones.law, owner, proposal_id, token, word, self._now(), reworded)

    def reject(
        self,
        proposal_id: str,
        *,
        by: str,
        channel: Channel | str = Channel.HOST,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Proposal:
        """Turns a proposal down; the same is not proposed again until there is much more to say for it."""
        owner = self._owner.but(user_id, agent_id)
        word = approve.Word(named(by), channel_named(channel))
        return approve.reject(self._store, owner, check_id(proposal_id), word, self._now())

    # -- proposing ----------------------------------------------------------------------------------

    def propose_core(
        self,
        item_id: str,
        *,
        by: str = "host",
        channel: Channel | str = Channel.HOST,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Proposal:
        """A memory to become a core memory; of any lifetime if the user says so, else only after a year's tier."""
        through = channel_named(channel)
        return self._proposed(
            lambda session, owner: draft.core_promotion(session, owner, check_id(item_id), through),
            by, through, user_id, agent_id,
        )  # fmt: skip

    def propose_core_change(
        self,
        item_id: str,
        content: str,
        *,
        by: str = "host",
        channel: Channel | str = Channel.HOST,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Proposal:
        """Another text for a core memory; the reasons tell what it would shake."""
        told = Guard(self._guard_policy).text(check_text(content))
        return self._proposed(
            lambda session, owner: draft.core_change(session, owner, check_id(item_id), told),
            by, channel, user_id, agent_id,
        )  # fmt: skip

    def propose_core_deletion(
        self,
        item_id: str,
        *,
        by: str = "host",
        channel: Channel | str = Channel.HOST,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Proposal:
        """A core memory to be let go; the reasons tell which islands and beliefs it would shake."""
        return self._proposed(
            lambda session, owner: draft.core_deletion(session, owner, check_id(item_id)),
            by, channel, user_id, agent_id,
        )  # fmt: skip

    def propose_island(
        self,
        name: str,
        founders: Iterable[str],
        *,
        emoji: str = "",
        description: str = "",
        by: str = "host",
        channel: Channel | str = Channel.HOST,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Proposal:
        """A new personality island, founded by core memories."""
        part = {
            "name": self._said(name, "name"),
            "emoji": self._said(emoji, "emoji") if emoji else "",
            "description": self._said(description, "description") if description else "",
            "founders": list(check_ids(founders, "founders")),
        }
        return self._proposed(
            lambda session, owner: draft.island_founded(session, owner, part), by, channel, user_id, agent_id
        )

    def propose_island_change(
        self,
        island_id: str,
        *,
        name: str | None = None,
        emoji: str | None = None,
        description: str | None = None,
        founders: Iterable[str] | None = None,
        dissolve: bool = False,
        by: str = "host",
        channel: Channel | str = Channel.HOST,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Proposal:
        """Another name, sign, description or other founders for an island; or its end."""
        given: dict[str, Any] = {
            "name": None if name is None else self._said(name, "name"),
            "emoji": None if emoji is None else (self._said(emoji, "emoji") if emoji else ""),
            "description": (
                None if description is None else (self._said(description, "description") if description else "")
            ),
            "founders": None if founders is None else list(check_ids(founders, "founders")),
        }
        return self._proposed(
            lambda session, owner: draft.island_changed(session, owner, check_id(island_id), given, dissolve),
            by, channel, user_id, agent_id,
        )  # fmt: skip

    def propose_belief(
        self,
        statement: str,
        supports: Iterable[str],
        *,
        island: str | None = None,
        by: str = "host",
        channel: Channel | str = Channel.HOST,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Proposal:
        """A new belief, such as "나는 실수해도 괜찮은 존재다", held up by memories of the tiers M365 and M0."""
        part = {
            "statement": self._said(statement, "statement"),
            "supports": list(check_ids(supports, "supports")),
            "island": None if island is None else check_id(island),
        }
        return self._proposed(
            lambda session, owner: draft.belief_formed(session, owner, part), by, channel, user_id, agent_id
        )

    def propose_belief_change(
        self,
        belief_id: str,
        *,
        statement: str | None = None,
        supports: Iterable[str] | None = None,
        island: str | None = None,
        drop: bool = False,
        by: str = "host",
        channel: Channel | str = Channel.HOST,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Proposal:
        """Other words, supports or another island for a belief; or its end."""
        given: dict[str, Any] = {
            "statement": None if statement is None else self._said(statement, "statement"),
            "supports": None if supports is None else list(check_ids(supports, "supports")),
            "island": None if island is None else check_id(island),
        }
        return self._proposed(
            lambda session, owner: draft.belief_changed(session, owner, check_id(belief_id), given, drop),
            by, channel, user_id, agent_id,
        )  # fmt: skip

    def self_rollback(
        self,
        version: int,
        *,
        by: str = "host",
        channel: Channel | str = Channel.HOST,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Proposal:
        """Proposes islands and beliefs as they were in that version; 0 is before the first. Approving does it."""
        return self._proposed(
            lambda session, owner: draft.rollback(session, owner, version), by, channel, user_id, agent_id
        )

    # -- within -------------------------------------------------------------------------------------

    def _proposed(
        self,
        make: Make,
        by: str,
        channel: Channel | str,
        user_id: str | None,
        agent_id: str | None,
    ) -> Proposal:
        owner = self._owner.but(user_id, agent_id)
        return inbox.propose(self._store, owner, make, named(by), channel_named(channel), self._now())

    def _said(self, text: str, field: str) -> str:
        """What somebody says of the self: one line, without secrets, and nothing hidden in it."""
        from celestial_engine.core.retrieval.framing import harmless

        return harmless(Guard(self._guard_policy).text(check_text(text, field), field))

    def _reworded_core(self, owner: Owner, proposal_id: str) -> Reworded | None:
        """What a new text of a core memory means, found out before anything is locked."""
        from celestial_engine.flow.self.approve import Reworded
        from celestial_engine.flow.turn.evaluate import evaluate

        with self._store.read() as session:
            found = session.self.proposal(owner, proposal_id)
            if found is None or found.kind is not ProposalKind.CORE_CHANGE or not found.changes:
                return None
            item = session.items.get(owner, found.changes[0].id)
        after = found.changes[0].after
        if item is None or after is None or found.changes[0].on is not Part.MEMORY:
            return None
        content = str(after["content"])
        perceived, feeling = self._perceiver.perceive(content), self._felt(content)
        item.content = content
        judged = None if item.importance_source == "given" else evaluate(self._evaluator, item)
        return Reworded(content, self._embedding.passage(content), perceived, judged, feeling)


def _found(session: Reader, owner: Owner, proposal_id: str) -> Proposal:
    exact = session.self.proposal(owner, proposal_id)
    if exact is not None:
        return exact
    every = session.self.proposals(owner, None, 10_000) if proposal_id else []
    fitting = [one for one in every if one.id.startswith(proposal_id)]
    if not fitting:
        raise ProposalNotFoundError(item_id=proposal_id)
    if len(fitting) > 1:
        raise AmbiguousIdError(count=len(fitting), prefix=proposal_id)
    return fitting[0]


def named(by: str) -> str:
    return check_text(by, "by").strip()[:_MOST_BY]


def channel_named(channel: Channel | str) -> Channel:
    """Its name may be followed by more, such as who asked."""
    name = channel.value if isinstance(channel, Channel) else str(channel).partition(",")[0].strip()
    return check_choice(Channel, name, "channel")
