"""Fits linear classifiers on hashed features with numpy, the same to the last bit on every run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from celestial_engine.understanding.features import BUCKETS, names_of
from training.corpus import LabelledTurn

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

_EPOCHS = 20
_BATCH = 32
_RATE = 0.5
_FIRST_GRADIENT = 1e-2
_BALANCE = 0.25  # 0: classes count as often as they occur; 1: all classes count the same
_LEAST_TURNS = 2  # a feature of a single turn is noise
_CALIBRATION_STEPS = 400


class Sample(NamedTuple):
    """The buckets of a turn and the length of its feature vector."""

    buckets: Ints
    features: int


def samples(turns: Sequence[LabelledTurn], *, trained: bool) -> list[Sample]:
    """Returns the features of turns; `trained` leaves out those that occur in a single turn."""
    from zlib import crc32

    named = [set(names_of(turn.text, turn.previous)) for turn in turns]
    counts = Counter(name for names in named for name in names)
    least = _LEAST_TURNS if trained else 1
    return [
        Sample(
            np.array(sorted({crc32(n.encode()) % BUCKETS for n in names if counts[n] >= least}), dtype=np.int64),
            len(names),
        )
        for names in named
    ]


def fit(
    data: Sequence[Sample],
    wanted: Ints,
    counts_as: Floats,
    labels: int,
    rows: int,
    *,
    seed: int,
    epochs: int = _EPOCHS,
    rate: float = _RATE,
) -> Floats:
    """Returns weights of shape (rows + 1, labels), the last row for the constant: Adagrad, averaged over epochs.

    `counts_as` says how much each sample counts.
    """
    order_of = np.random.Generator(np.random.PCG64(seed))
    weights: Floats = np.zeros((rows + 1, labels), np.float32)
    squares: Floats = np.full((rows + 1, 1), _FIRST_GRADIENT, np.float32)
    average: Floats = np.zeros_like(weights)
    counts = np.maximum(np.bincount(wanted, minlength=labels), 1)
    class_weights = ((len(data) / (labels * counts)) ** _BALANCE).astype(np.float32)
    folded = [np.append(np.unique(sample.buckets % rows), rows) for sample in data]
    sizes = np.array([1 / np.sqrt(max(1, sample.features)) for sample in data], dtype=np.float32)
    for epoch in range(epochs):
        order = order_of.permutation(len(data))
        for start in range(0, len(data), _BATCH):
            chosen = order[start : start + _BATCH]
            lengths = np.array([len(folded[i]) for i in chosen])
            places = np.concatenate([folded[i] for i in chosen])
            size = sizes[chosen][:, None]
            logits = np.add.reduceat(weights[places], np.cumsum(lengths) - lengths, axis=0) * size
            error = _softmax(logits)
            error[np.arange(len(chosen)), wanted[chosen]] -= 1
            error *= (class_weights[wanted[chosen]] * counts_as[chosen])[:, None] * size
            by_place = np.argsort(places, kind="stable")
            touched, first = np.unique(places[by_place], return_index=True)
            gradient = np.add.reduceat(np.repeat(error, lengths, axis=0)[by_place], first, axis=0)
            squares[touched] += (gradient * gradient).sum(1, keepdims=True)
            weights[touched] -= rate * gradient / np.sqrt(squares[touched])
        if epoch >= epochs // 2:
            average += weights
    mean: Floats = average / np.float32(epochs - epochs // 2)
    return mean


def logits_of(weights: Floats, data: Sequence[Sample]) -> Floats:
    """Returns the raw scores; the constant's row is left to the calibration."""
    rows = len(weights) - 1
    totals = [weights[sample.buckets % rows].sum(0) / np.sqrt(max(1, sample.features)) for sample in data]
    return np.array(totals, dtype=np.float32)


def calibrated(logits: Floats, wanted: Ints) -> tuple[float, Floats]:
    """Returns the scale and the bias of each label that make softmax(scale * logits + bias) a probability."""
    scale, bias = 1.0, np.zeros(logits.shape[1], np.float64)
    raw = logits.astype(np.float64)
    moments = np.zeros(1 + len(bias))
    for step in range(_CALIBRATION_STEPS):
        error = _softmax(scale * raw + bias)
        error[np.arange(len(wanted)), wanted] -= 1
        gradient = np.append((error * raw).sum(1).mean(), error.mean(0))
        gradient[1:] += 1e-3 * bias
        moments += gradient * gradient
        change = 0.5 * gradient / np.sqrt(moments + 1e-8)
        scale, bias = max(0.05, scale - change[0]), bias - change[1:]
        del step
    return float(scale), bias.astype(np.float32)


def _softmax(logits: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    grown = np.exp(logits - logits.max(1, keepdims=True))
    chances: npt.NDArray[np.floating] = grown / grown.sum(1, keepdims=True)
    return chances
