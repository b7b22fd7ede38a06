"""Messages between nodes: one fixed layout of bytes, signed as a whole, bound to one recipient and one moment.

A message carries parameters, and numbers that protect them: no text, no id of a memory, no count of words. The layout
has no optional part, so that one message has one encoding, and anything else is refused.
"""

from __future__ import annotations

import math
import struct
import sys
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from celestial_engine.core.federation.parameters import WEIGHTS
from celestial_engine.core.federation.vectors import Vector, is_finite

MAGIC = b"CELGOSSP"
VERSION = 1
KEY_BYTES, NONCE_BYTES, SIGNATURE_BYTES, DIGEST_BYTES = 32, 16, 64, 32
NO_NONCE = bytes(NONCE_BYTES)
# magic, version, flags, sender, recipient, rules, nonce, reply to, round, issued at, expires at, weights
_HEADER = struct.Struct("<8sHH32s32s32s16s16sQddI")
MESSAGE_BYTES = _HEADER.size + 4 * WEIGHTS + SIGNATURE_BYTES
_MOST_ROUND = 1 << 62

Sign = Callable[[bytes], bytes]
Verify = Callable[[bytes, bytes, bytes], bool]  # key, signature, message


class Rejection(str, Enum):
    """Why a message, or the update in it, was not used."""

    TOO_LARGE = "too_large"
    TRUNCATED = "truncated"
    GARBAGE = "garbage"
    VERSION = "version"  # another version of the protocol
    UNKNOWN_FIELD = "unknown_field"
    UNKNOWN_PEER = "unknown_peer"
    NOT_FOR_US = "not_for_us"
    SIGNATURE = "signature"
    EXPIRED = "expired"
    FROM_THE_FUTURE = "from_the_future"  # issued later than our clock allows, or a round ahead of its time
    REPLAYED = "replayed"  # a round that was seen before, or an answer to another question
    RULES = "rules"  # other rules of guard or policy
    WRONG_SHAPE = "wrong_shape"
    NOT_FINITE = "not_finite"
    OUTLIER = "outlier"  # far from what the others learned
    QUARANTINED = "quarantined"
    SWITCHED_OFF = "switched_off"  # this node does not take part at the moment
    UNREACHABLE = "unreachable"
    TOO_MANY = "too_many"  # more connections or requests than the door takes
    TOO_SLOW = "too_slow"


class BadMessageError(ValueError):
    """Bytes that are no acceptable message; `sender` only once the signature was verified."""

    def __init__(self, rejection: Rejection, sender: bytes | None = None) -> None:
        super().__init__(rejection.value)
        self.rejection = rejection
        self.sender = sender


@dataclass(frozen=True)
class Message:
    """What one node sends to another."""

    sender: bytes
    recipient: bytes
    rules: bytes
    nonce: bytes
    round: int
    issued_at: float
    expires_at: float
    update: Vector
    reply_to: bytes = NO_NONCE


def encode(message: Message, sign: Sign) -> bytes:
    """Returns the canonical bytes with their signature."""
    header = _HEADER.pack(
        MAGIC, VERSION, 0, message.sender, message.recipient, message.rules, message.nonce, message.reply_to,
        message.round, message.issued_at, message.expires_at, len(message.update),
    )  # fmt: skip
    body = header + _floats(message.update)
    return body + sign(body)


def decode(raw: bytes, verify: Verify, is_known: Callable[[bytes], bool], recipient: bytes) -> Message:
    """Reads and authenticates a message; raises BadMessageError. Cheap checks come first, the signature before
    anything that counts against the sender."""
    if len(raw) > MESSAGE_BYTES:
        raise BadMessageError(Rejection.TOO_LARGE)
    if raw[: len(MAGIC)] != MAGIC[: len(raw)]:
        raise BadMessageError(Rejection.GARBAGE)
    if len(raw) < _HEADER.size + SIGNATURE_BYTES:
        raise BadMessageError(Rejection.TRUNCATED)
    (_, version, flags, sender, to, rules, nonce, reply_to, number, issued_at, expires_at, count) = (
        _HEADER.unpack_from(raw)
    )
    if version != VERSION:
        raise BadMessageError(Rejection.VERSION)
    if flags:
        raise BadMessageError(Rejection.UNKNOWN_FIELD)
    if not is_known(sender):
        raise BadMessageError(Rejection.UNKNOWN_PEER)
    if to != recipient:
        raise BadMessageError(Rejection.NOT_FOR_US)
    body, signature = raw[:-SIGNATURE_BYTES], raw[-SIGNATURE_BYTES:]
    if count == WEIGHTS and len(raw) != MESSAGE_BYTES:
        raise BadMessageError(Rejection.TRUNCATED)
    if not verify(sender, signature, body):
        raise BadMessageError(Rejection.SIGNATURE)
    if count != WEIGHTS:
        raise BadMessageError(Rejection.WRONG_SHAPE, sender)
    update = _vector(body[_HEADER.size :])
    if not (is_finite(update) and math.isfinite(issued_at) and math.isfinite(expires_at)) or number > _MOST_ROUND:
        raise BadMessageError(Rejection.NOT_FINITE, sender)
    return Message(sender, to, rules, nonce, number, issued_at, expires_at, update, reply_to)


def check_moment(message: Message, last_round: int, now: float, lifetime: float) -> None:
    """Raises BadMessageError for a message that is too old, from the future, or was seen before.

    Rounds rise with every message of one sender to one recipient, and never run ahead of the clock: so no message can
    be replayed, and none can make later ones look old.
    """
    if message.issued_at > now + lifetime or message.round > now + lifetime:
        raise BadMessageError(Rejection.FROM_THE_FUTURE, message.sender)
    if now > min(message.expires_at, message.issued_at + lifetime) + lifetime:
        raise BadMessageError(Rejection.EXPIRED, message.sender)
    if message.round <= last_round:
        raise BadMessageError(Rejection.REPLAYED, message.sender)


def next_round(last: int, now: float) -> int:
    """Returns the number of the next message: the time in seconds, or one more than the last.

    By the clock, a node that was restored from a backup goes on above what its peers have seen.
    """
    return max(last + 1, int(now))


def _floats(update: Vector) -> bytes:
    packed = array("f", update)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def _vector(raw: bytes) -> Vector:
    values = array("f")
    values.frombytes(raw)
    if sys.byteorder == "big":
        values.byteswap()
    return tuple(values)
