"""Proposals: changes of the self that wait for the user's approval.

Any caller may propose. Only the user approves, once, with a token that is valid for exactly this diff.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from typing import Any

from celestial_engine.core.record.owner import LOCAL_OWNER, Owner

DECIDE_WITHIN = timedelta(days=30)
DECIDE_ABOUT_LASTING_WITHIN = timedelta(days=365)  # the memory waits as well; then it is proposed again
LASTING = "lasting"  # the reason of a proposal about a lasting fact whose year ends
MOST_PENDING = 200
MOST_REASONING = 4_000  # characters of a diff: a person must be able to read it


class ProposalKind(str, Enum):
    """What an approval would do."""

    CORE_PROMOTION = "core_promotion"  # a memory becomes a core memory
    CORE_CHANGE = "core_change"
    CORE_DELETION = "core_deletion"
    ISLAND_FOUNDED = "island_founded"
    ISLAND_CHANGED = "island_changed"
    BELIEF_FORMED = "belief_formed"
    BELIEF_CHANGED = "belief_changed"
    SOUL_EDIT = "soul_edit"  # an edit of SOUL.md
    SELF_ROLLBACK = "self_rollback"  # islands and beliefs of an earlier version


class ProposalStatus(str, Enum):
    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"  # not decided in time
    WITHDRAWN = "withdrawn"  # its subject no longer exists


class Channel(str, Enum):
    """The interface a request came through. Only some of them can speak for the user."""

    CLI = "cli"
    DASHBOARD = "dashboard"
    MCP = "mcp"  # a client that asks its user
    REST = "rest"  # with a token that has the scope "approve"
    HOST = "host"  # the program that opened the engine, on its user's behalf
    SOUL = "soul"  # the file
    SLEEP = "sleep"  # the engine itself, during sleep
    AGENT = "agent"

    @property
    def is_the_users(self) -> bool:
        return self in _USERS


_USERS = frozenset({Channel.CLI, Channel.DASHBOARD, Channel.MCP, Channel.REST, Channel.HOST})


class Part(str, Enum):
    """The kind of object that a change is about."""

    MEMORY = "memory"
    ISLAND = "island"
    BELIEF = "belief"


@dataclass(frozen=True)
class Change:
    """One object before and after; None if it does not exist then."""

    on: Part
    id: str
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        return {"on": self.on.value, "id": self.id, "before": self.before, "after": self.after}


@dataclass(frozen=True)
class Proposal:
    """A requested change of the self."""

    id: str
    kind: ProposalKind
    changes: tuple[Change, ...]
    proposed_at: float
    expires_at: float
    proposed_by: str
    channel: Channel
    about: str  # a key of its subject, so that the same is not proposed again
    reasons: dict[str, Any] = field(default_factory=dict)  # numbers and ids, no texts
    evidence: tuple[str, ...] = ()  # memories
    confidence: float | None = None  # of a belief that is not yet approved
    status: ProposalStatus = ProposalStatus.PENDING
    nonce: str | None = field(default=None, repr=False)  # of the last token issued
    decided_at: float | None = None
    decided_by: str | None = None
    decided_through: Channel | None = None
    owner: Owner = LOCAL_OWNER

    @property
    def diff(self) -> str:
        """The changes as canonical JSON; tokens are bound to it."""
        return canonical_changes(change.to_dict() for change in self.changes)

    @property
    def memories(self) -> tuple[str, ...]:
        """The ids of every memory in the proposal."""
        changed = (change.id for change in self.changes if change.on is Part.MEMORY)
        return tuple(dict.fromkeys((*changed, *self.evidence)))

    def is_over(self, now: float) -> bool:
        return self.expires_at <= now


def canonical_changes(changes: Iterable[Mapping[str, Any]]) -> str:
    return json.dumps(list(changes), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def token_for(proposal: Proposal, nonce: str) -> str:
    """Returns the approval token for this diff; a new nonce invalidates earlier tokens."""
    payload = "\0".join((proposal.owner.user_id, proposal.owner.agent_id, proposal.id, proposal.diff, nonce))
    return hashlib.sha256(payload.encode("utf-8", "surrogatepass")).hexdigest()


def is_token_for(proposal: Proposal, token: object) -> bool:
    if proposal.nonce is None or not isinstance(token, str) or not token.isascii():
        return False
    return hmac.compare_digest(token_for(proposal, proposal.nonce), token)


def digest_of_text(text: str) -> str:
    """Returns a digest that shows whether a memory's text changed, without revealing it."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
