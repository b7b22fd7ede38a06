"""Checkpoints: the learned policy as bytes, validated when they are read."""

from __future__ import annotations

import json
import math
import sys
from array import array
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from typing import Any

from celestial_engine.core.learning.bandit import ACTIONS
from celestial_engine.core.learning.learned_policy import EXAMS_KEPT, Exam, HitExam, Learned
from celestial_engine.core.learning.network import Network
from celestial_engine.core.learning.reranker import FEATURES, HIDDEN, Reranker
from celestial_engine.errors import Problem, Reason, problem

_FORMAT = 2
# Format 1 had a reranker of 31 units whose first feature was the relevance. What it learned of ranks means
# something else now, so the reranker starts again; the policy is read as it was.
_FIRST_FORMAT = 1
_FIRST_RERANKER = (len(FEATURES), HIDDEN - 1, 1)
_MOST_UNITS = 100_000
_COUNTS = ("updates", "reranker_updates", "rewards")
_RERANKER = Reranker.starting().addition().sizes


class DamagedCheckpointError(ValueError):
    """The bytes are not a valid checkpoint; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True)
class Checkpoint:
    """A version of the learned policy. `metrics` is for display only."""

    version: int
    at: float
    began: int  # number of rewards when this version began
    digest: str
    metrics: dict[str, Any] = field(default_factory=dict)


def digest_of(packed: bytes) -> str:
    return sha256(packed).hexdigest()


def packed(learned: Learned) -> bytes:
    """Encodes: a line of JSON, then the weights as float32, network first, then reranker."""
    addition = learned.reranker.addition()
    header = {
        "format": _FORMAT,
        "sizes": learned.network.sizes,
        **{name: getattr(learned, name) for name in (*_COUNTS, "mean_reward", "trust", "on", "reranker_on")},
        "exams": learned.exams,
        "hit_exams": learned.hit_exams,
    }
    weights = array("f")
    for layer in (*learned.network.layers, *addition.layers):
        weights.extend(array("f", layer.tolist()))
    if sys.byteorder == "big":
        weights.byteswap()
    return json.dumps(header, separators=(",", ":")).encode() + b"\n" + weights.tobytes()


@lru_cache(maxsize=4)  # a round with eight peers, or a turn and its reward, read the same version many times
def unpacked(raw: bytes, digest: str) -> Learned:
    """The inverse of `packed`; raises DamagedCheckpointError for anything invalid."""
    if digest_of(raw) != digest:
        raise DamagedCheckpointError(problem(None, Reason.BAD_CHECKSUM))
    try:
        line, _, rest = raw.partition(b"\n")
        return _read(json.loads(line), rest)
    except DamagedCheckpointError:
        raise
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise DamagedCheckpointError(problem(None, Reason.DAMAGED, cause=str(error))) from error


def _read(header: dict[str, Any], rest: bytes) -> Learned:
    first = header["format"] == _FIRST_FORMAT
    if header["format"] != _FORMAT and not first:
        raise DamagedCheckpointError(problem(None, Reason.WRONG_CONTENTS))
    sizes = tuple(header["sizes"])
    if len(sizes) < 3 or sizes[-1] != len(ACTIONS) or not all(_is_count(size, 1, _MOST_UNITS) for size in sizes):
        raise DamagedCheckpointError(problem(None, Reason.WRONG_CONTENTS))
    weights, ranker_sizes = array("f"), _FIRST_RERANKER if first else _RERANKER
    if len(rest) != 4 * (_weights(sizes) + _weights(ranker_sizes)):
        raise DamagedCheckpointError(problem(None, Reason.WRONG_CONTENTS))
    weights.frombytes(rest)
    if sys.byteorder == "big":
        weights.byteswap()
    network = _network(sizes, weights, 0)
    addition = _network(ranker_sizes, weights, _weights(sizes))
    mean, trust = float(header["mean_reward"]), float(header["trust"])
    counts = {name: header[name] for name in _COUNTS}
    exams = tuple(Exam(bool(acted), float(reward)) for acted, reward in header["exams"])
    hit_exams = tuple(HitExam(float(added), float(worth)) for added, worth in header["hit_exams"])
    numbers = (mean, *(exam.reward for exam in exams), *(number for exam in hit_exams for number in exam))
    if not (
        network.sound
        and addition.sound
        and all(map(math.isfinite, numbers))
        and 0.0 <= trust <= 1.0
        and all(_is_count(count, 0, 1 << 62) for count in counts.values())
        and max(len(exams), len(hit_exams)) <= EXAMS_KEPT
    ):
        raise DamagedCheckpointError(problem(None, Reason.WRONG_CONTENTS))
    learned = Learned(
        network, Reranker.starting() if first else Reranker.of(addition), **counts, mean_reward=mean, trust=trust,
        on=header["on"] is True, reranker_on=header["reranker_on"] is True, exams=exams, hit_exams=hit_exams,
    )  # fmt: skip
    return replace(learned, reranker_updates=0, reranker_on=True, hit_exams=()) if first else learned


def _network(sizes: tuple[int, ...], weights: array[float], start: int) -> Network:
    layers = []
    for inputs, units in pairwise(sizes):
        end = start + units * (inputs + 1)
        layers.append(array("d", weights[start:end].tolist()))
        start = end
    return Network(sizes, tuple(layers))


def _weights(sizes: tuple[int, ...]) -> int:
    return sum(units * (inputs + 1) for inputs, units in pairwise(sizes))


def _is_count(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
