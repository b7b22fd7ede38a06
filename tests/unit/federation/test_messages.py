"""Messages: one encoding, authentic, bound to a recipient and a moment; everything else is refused with a reason."""

from __future__ import annotations

import math
import struct
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.federation.messages import (
    MESSAGE_BYTES,
    SIGNATURE_BYTES,
    BadMessageError,
    Message,
    Rejection,
    check_moment,
    decode,
    encode,
    next_round,
)
from celestial_engine.core.federation.parameters import WEIGHTS
from celestial_engine.providers.gossip import Ed25519Identity

ALICE, BOB, MALLORY = (Ed25519Identity(bytes([number]) * 32) for number in (1, 2, 3))
NOW = 1_800_000_000.0
MESSAGE = Message(
    ALICE.key, BOB.key, b"r" * 32, b"n" * 16, int(NOW), NOW, NOW + 300, tuple(0.5 * (i % 3) for i in range(WEIGHTS))
)
RAW = encode(MESSAGE, ALICE.sign)


def read(raw: bytes, known: tuple[bytes, ...] = (ALICE.key,)) -> Message:
    return decode(raw, BOB.verify, lambda key: key in known, BOB.key)


def refusal(raw: bytes, known: tuple[bytes, ...] = (ALICE.key,)) -> Rejection:
    with pytest.raises(BadMessageError) as refused:
        read(raw, known)
    return refused.value.rejection


def signed(raw: bytes, identity: Ed25519Identity = ALICE) -> bytes:
    body = raw[:-SIGNATURE_BYTES]
    return body + identity.sign(body)


def changed(offset: int, value: bytes, *, sign: bool = True) -> bytes:
    raw = RAW[:offset] + value + RAW[offset + len(value) :]
    return signed(raw) if sign else raw


def test_what_was_written_is_read():
    assert read(RAW) == MESSAGE
    assert len(RAW) == MESSAGE_BYTES == 5_496


def test_one_message_has_one_encoding():
    assert encode(read(RAW), ALICE.sign) == RAW


@given(st.binary(max_size=6_000))
def test_garbage_is_refused(raw):
    assert refusal(raw) in (Rejection.GARBAGE, Rejection.TRUNCATED, Rejection.TOO_LARGE)


@given(st.integers(0, MESSAGE_BYTES - 1))
def test_every_truncation_is_refused(length):
    assert refusal(RAW[:length]) in (Rejection.TRUNCATED, Rejection.SIGNATURE)


@given(st.integers(0, MESSAGE_BYTES - 1), st.integers(1, 255))
def test_no_byte_can_be_changed(place, change):
    raw = bytearray(RAW)
    raw[place] ^= change
    with pytest.raises(BadMessageError) as refused:
        read(bytes(raw))
    assert refused.value.sender is None  # nothing was proven, so nobody is blamed


@pytest.mark.parametrize(
    ("raw", "rejection"),
    [
        (RAW + b"!", Rejection.TOO_LARGE),
        (changed(8, b"\x02\x00"), Rejection.VERSION),
        (changed(10, b"\x01\x00"), Rejection.UNKNOWN_FIELD),
        (changed(44, MALLORY.key), Rejection.NOT_FOR_US),
        (signed(RAW, MALLORY), Rejection.SIGNATURE),
        (changed(-SIGNATURE_BYTES - 4, struct.pack("<f", math.nan)), Rejection.NOT_FINITE),
        (changed(-SIGNATURE_BYTES - 4, struct.pack("<f", math.inf)), Rejection.NOT_FINITE),
    ],
)
def test_what_is_wrong_is_named(raw, rejection):
    assert refusal(raw) is rejection


def test_a_sybil_is_nobody():
    """A new key costs nothing, and is worth nothing: the user adds peers."""
    message = replace(MESSAGE, sender=MALLORY.key)
    assert refusal(encode(message, MALLORY.sign)) is Rejection.UNKNOWN_PEER


@pytest.mark.parametrize("length", [0, 1, WEIGHTS - 1])
def test_another_shape_is_refused(length):
    raw = encode(replace(MESSAGE, update=(0.1,) * length), ALICE.sign)
    assert refusal(raw) is Rejection.WRONG_SHAPE


@pytest.mark.parametrize(
    ("message", "now", "last", "rejection"),
    [
        (MESSAGE, NOW, 0, None),
        (MESSAGE, NOW - 299, 0, None),
        (MESSAGE, NOW + 599, 0, None),
        (MESSAGE, NOW - 301, 0, Rejection.FROM_THE_FUTURE),
        (MESSAGE, NOW + 601, 0, Rejection.EXPIRED),
        (replace(MESSAGE, expires_at=1e300), NOW + 601, 0, Rejection.EXPIRED),
        (replace(MESSAGE, round=int(NOW) + 400), NOW, 0, Rejection.FROM_THE_FUTURE),
        (MESSAGE, NOW, MESSAGE.round, Rejection.REPLAYED),
        (MESSAGE, NOW, MESSAGE.round + 1, Rejection.REPLAYED),
    ],
)
def test_a_message_has_its_moment(message, now, last, rejection):
    """Within the lifetime and the same for clocks that differ; once, and never ahead of its time."""
    if rejection is None:
        check_moment(message, last, now, 300.0)
        return
    with pytest.raises(BadMessageError) as refused:
        check_moment(message, last, now, 300.0)
    assert refused.value.rejection is rejection


def test_rounds_rise_and_survive_a_restored_backup():
    assert next_round(0, NOW) == int(NOW)
    assert next_round(int(NOW), NOW) == int(NOW) + 1
    assert next_round(5, NOW) == int(NOW)
