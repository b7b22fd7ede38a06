"""The self as JSON and back, for whoever stores it; and what is left of it when a memory is purged."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TypeVar

from celestial_engine.core.codec import decode, encode
from celestial_engine.core.self.proposals import Proposal, ProposalStatus

T = TypeVar("T")


def packed(value: object) -> str:
    return json.dumps(encode(value, sparse=True), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def unpacked(kind: type[T], text: str) -> T:
    return decode(kind, json.loads(text))


def names(text: str, item_id: str) -> bool:
    """Whether a packed text names a memory."""
    return json.dumps(item_id, ensure_ascii=False) in text


def without_memory(proposal: Proposal, item_id: str) -> Proposal:
    """What it said about the memory is gone, and if it waited it waits no more."""
    status = ProposalStatus.WITHDRAWN if proposal.status is ProposalStatus.PENDING else proposal.status
    evidence = tuple(one for one in proposal.evidence if one != item_id)
    return replace(proposal, changes=(), reasons={}, evidence=evidence, status=status, nonce=None)
