"""answer: accept a peer's message, and send ours in return."""

from __future__ import annotations

from celestial_engine.core.federation.messages import BadMessageError, Rejection
from celestial_engine.flow.base.gossip_messages import read_message, write_message
from celestial_engine.flow.base.gossip_node import Node


def answer(node: Node, raw: bytes) -> bytes:
    """Return our message to the sender of this one; raises BadMessageError."""
    message = read_message(node, raw)
    outgoing = write_message(node, message.sender.hex(), message.nonce)
    if outgoing is None:
        raise BadMessageError(Rejection.SWITCHED_OFF)
    return outgoing.raw
