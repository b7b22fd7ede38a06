"""Checkpoints: what was packed comes back, and nothing else is believed."""

from __future__ import annotations

import json
import struct
from array import array
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.learning.checkpoints import DamagedCheckpointError, digest_of, packed, unpacked
from celestial_engine.core.learning.learned_policy import Exam, HitExam, Learned, LearningSettings
from celestial_engine.core.learning.network import Network
from celestial_engine.core.learning.reranker import Reranker
from celestial_engine.core.learning.seeded_random import uniforms


def learned(sizes: tuple[int, ...] = (10, 64, 3)) -> Learned:
    chance = uniforms(5)
    counts = [units * (inputs + 1) for inputs, units in pairwise(sizes)]
    layers = tuple(array("d", array("f", (next(chance) - 0.5 for _ in range(count)))) for count in counts)
    return Learned(
        Network(sizes, layers), Reranker.starting(), 12, 5, 17, 0.25, 0.5, False, True,
        (Exam(True, 1.0), Exam(False, -0.1)), (HitExam(0.5, -0.25),),
    )  # fmt: skip


RAW = packed(learned())


@pytest.mark.parametrize("sizes", [(10, 64, 3), (18, 8, 4, 3)])
def test_what_was_packed_comes_back(sizes):
    """Weights as float32, everything else exactly."""
    raw = packed(learned(sizes))
    back = unpacked(raw, digest_of(raw))
    assert back.network == learned(sizes).network
    assert (back.updates, back.rewards, back.trust, back.on, back.exams) == (
        12, 17, 0.5, False, (Exam(True, 1.0), Exam(False, -0.1)),
    )  # fmt: skip
    assert packed(back) == raw


@given(st.integers(0, len(RAW) - 1), st.integers(1, 255))
def test_a_changed_byte_is_noticed(place, change):
    raw = bytearray(RAW)
    raw[place] ^= change
    with pytest.raises(DamagedCheckpointError):
        unpacked(bytes(raw), digest_of(RAW))


def forged(change) -> bytes:
    """A checkpoint with a true digest and false contents: written by another program, or a mistake."""
    line, _, weights = RAW.partition(b"\n")
    header = json.loads(line)
    weights = change(header, weights) or weights
    return json.dumps(header).encode() + b"\n" + weights


@pytest.mark.parametrize(
    "change",
    [
        lambda header, weights: header.update(format=9),
        lambda header, weights: header.update(sizes=[10, 63, 3]),
        lambda header, weights: header.update(sizes=[10, 64, 4]),
        lambda header, weights: header.update(sizes=[10, -1, 3]),
        lambda header, weights: header.update(sizes=[10, 10**12, 3]),
        lambda header, weights: header.update(sizes=7),
        lambda header, weights: header.update(trust=2.0),
        lambda header, weights: header.update(mean_reward=float("nan")),
        lambda header, weights: header.update(updates=-1),
        lambda header, weights: header.update(exams=[[True]]),
        lambda header, weights: header.update(exams=[[True, 0.0]] * 10_000),
        lambda header, weights: header.pop("rewards") and None,
        lambda header, weights: weights[:-4],
        lambda header, weights: weights + b"abc",
        lambda header, weights: struct.pack("<f", float("nan")) + weights[4:],
        lambda header, weights: weights[:-4] + struct.pack("<f", float("inf")),
    ],
)
def test_what_cannot_be_is_not_believed(change):
    raw = forged(change)
    with pytest.raises(DamagedCheckpointError):
        unpacked(raw, digest_of(raw))


def test_a_checkpoint_of_the_first_format_keeps_the_policy_and_starts_the_reranker_again():
    """Its reranker had 31 units, and its first feature was the relevance: what it learned would mislead."""
    line, _, weights = RAW.partition(b"\n")
    header = json.loads(line) | {"format": 1}
    policy = 4 * (64 * 11 + 3 * 65)
    raw = json.dumps(header).encode() + b"\n" + weights[:policy] + struct.pack("<404f", *[0.5] * 404)
    back = unpacked(raw, digest_of(raw))
    assert (back.network, back.updates, back.exams) == (learned().network, 12, learned().exams)
    assert (back.reranker, back.reranker_updates, back.hit_exams) == (Reranker.starting(), 0, ())
    with pytest.raises(DamagedCheckpointError):
        unpacked(raw[:-4], digest_of(raw[:-4]))


@given(st.binary(max_size=200))
def test_no_bytes_at_all_do_harm(raw):
    with pytest.raises(DamagedCheckpointError):
        unpacked(raw, digest_of(raw))


def test_it_is_small():
    assert len(packed(Learned.starting(LearningSettings()))) < 8_192
