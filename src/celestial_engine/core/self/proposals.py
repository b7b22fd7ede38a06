"""Proposals: what may change of the self, waiting for the user's word, and the word itself.

Whoever likes may propose. A proposal is approved once, by the user, with a token that stands for exactly its diff.
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
MOST_PENDING = 200
MOST_REASONING = 4_000  # characters of a diff: a proposal is there to be read


class ProposalKind(str, Enum):
    """What an approval would do."""

    CORE_PROMOTION = "core_promotion"  # a memory becomes a core memory
    CORE_CHANGE = "core_change"
    CORE_DELETION = "core_deletion"
    ISLAND_FOUNDED = "island_founded"
    ISLAND_CHANGED = "island_changed"
    BELIEF_FORMED = "belief_formed"
    BELIEF_CHANGED = "belief_changed"
    SOUL_EDIT = "soul_edit"  # what somebody wrote into SOUL.md
    SELF_ROLLBACK = "self_rollback"  # islands and beliefs as they were


class ProposalStatus(str, Enum):
    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"  # nobody decided in time
    WITHDRAWN = "withdrawn"  # what it was about is gone


class Channel(str, Enum):
    """By which way somebody speaks. Only some of them can be the user."""

    CLI = "cli"
    DASHBOARD = "dashboard"
    MCP = "mcp"  # asked by a client, in front of the user
    REST = "rest"  # with a token that may approve
    HOST = "host"  # the program that has opened the memory, on its user's behalf
    SOUL = "soul"  # the file
    SLEEP = "sleep"  # the engine, at night
    AGENT = "agent"

    @property
    def is_the_users(self) -> bool:
        return self in _USERS


_USERS = frozenset({Channel.CLI, Channel.DASHBOARD, Channel.MCP, Channel.REST, Channel.HOST})


class Part(str, Enum):
    """What a change is about."""

    MEMORY = "memory"
    ISLAND = "island"
    BELIEF = "belief"


@dataclass(frozen=True)
class Change:
    """One part before and after; None where there is none of it."""

    on: Part
    id: str
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        return {"on": self.on.value, "id": self.id, "before": self.before, "after": self.after}


@dataclass(frozen=True)
class Proposal:
    """A change of the self that somebody wishes for."""

    id: str
    kind: ProposalKind
    changes: tuple[Change, ...]
    proposed_at: float
    expires_at: float
    proposed_by: str
    channel: Channel
    about: str  # what it is about, so that the same is not proposed over and over
    reasons: dict[str, Any] = field(default_factory=dict)  # numbers and ids, no texts
    evidence: tuple[str, ...] = ()  # memories
    confidence: float | None = None  # of a belief that is not formed yet
    status: ProposalStatus = ProposalStatus.PENDING
    nonce: str | None = field(default=None, repr=False)  # of the token that was given last
    decided_at: float | None = None
    decided_by: str | None = None
    decided_through: Channel | None = None
    owner: Owner = LOCAL_OWNER

    @property
    def diff(self) -> str:
        """The changes as canonical JSON: what a token stands for."""
        return canonical(change.to_dict() for change in self.changes)

    @property
    def memories(self) -> tuple[str, ...]:
        """Every memory that it names."""
        named = (change.id for change in self.changes if change.on is Part.MEMORY)
        return tuple(dict.fromkeys((*named, *self.evidence)))

    def is_over(self, now: float) -> bool:
        return self.expires_at <= now


def canonical(changes: Iterable[Mapping[str, Any]]) -> str:
    return json.dumps(list(changes), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def token_for(proposal: Proposal, nonce: str) -> str:
    """Stands for this diff and no other, and only until another one is given."""
    told = "\0".join((proposal.owner.user_id, proposal.owner.agent_id, proposal.id, proposal.diff, nonce))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def is_token_for(proposal: Proposal, token: object) -> bool:
    if proposal.nonce is None or not isinstance(token, str) or not token.isascii():
        return False
    return hmac.compare_digest(token_for(proposal, proposal.nonce), token)


def digest_of_text(text: str) -> str:
    """Tells whether a memory still says the same, without saying what."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
