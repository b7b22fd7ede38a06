"""Converts the self to JSON and back for storage, and removes purged memories from proposals."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TypeVar

from celestial_engine.core.codec import decode, encode
from celestial_engine.core.self.proposals import Proposal, ProposalStatus

T = TypeVar("T")


def to_json_text(value: object) -> str:
    return json.dumps(encode(value, sparse=True), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def from_json_text(kind: type[T], text: str) -> T:
    return decode(kind, json.loads(text))


def mentions_memory(text: str, item_id: str) -> bool:
    """Whether a packed text contains the id of a memory."""
    return json.dumps(item_id, ensure_ascii=False) in text


def without_memory(proposal: Proposal, item_id: str) -> Proposal:
    """Removes all data about a purged memory; a pending proposal is withdrawn."""
    status = ProposalStatus.WITHDRAWN if proposal.status is ProposalStatus.PENDING else proposal.status
    evidence = tuple(memory_id for memory_id in proposal.evidence if memory_id != item_id)
    return replace(proposal, changes=(), reasons={}, evidence=evidence, status=status, nonce=None)
