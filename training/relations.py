"""Trains the head that reads in a statement what it does to an older one: replace it, repeat it, or neither."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from training.corpus import LANGUAGES, LabelledTurn, Pair, pairs
from training.fit import Floats, calibrated, fit, logits_of, samples

HEAD = "change"
LABELS = ("replaces", "same", "both")
_FOLDS = 5
_EPOCHS, _HEAD_RATE = 14, 0.25
_LEAST = 1e-4


class ChangeHead(NamedTuple):
    """Weights over hashed features, their calibration, and the log-odds of each pair by weights not trained on it."""

    weights: Floats
    scale: float
    bias: Floats
    held_out: npt.NDArray[np.float64]


def all_pairs(*parts: str) -> list[Pair]:
    return [pair for part in parts for language in LANGUAGES for pair in pairs(part, language)]


def change_head(data: Sequence[Pair], rows: int, *, seed: int) -> ChangeHead:
    """Reads from the newer statement alone what it does to an older one, whichever that is."""
    labels: dict[tuple[str, str, str], str] = {}
    for pair in data:  # of people every text counts once, and one that ends something shows that
        key = _key(pair)
        if key not in labels or pair.label == "replaces":
            labels[key] = pair.label
    keys = list(labels)
    turns = [
        LabelledTurn(text, {HEAD: labels[person, first, text]}, None, None, "", "") for person, first, text in keys
    ]
    wanted = np.array([LABELS.index(labels[key]) for key in keys])
    fold_of = [
        crc32(person.encode()) % _FOLDS if person else place % _FOLDS for place, (person, *_) in enumerate(keys)
    ]

    def trained(chosen: Sequence[int]) -> Floats:
        part = samples([turns[i] for i in chosen], trained=True)
        counts = np.ones(len(chosen), np.float32)
        return fit(part, wanted[list(chosen)], counts, len(LABELS), rows, seed=seed, epochs=_EPOCHS, rate=_HEAD_RATE)

    logits = np.zeros((len(keys), len(LABELS)), np.float32)
    for fold in range(_FOLDS):
        held = [i for i in range(len(keys)) if fold_of[i] == fold]
        weights = trained([i for i in range(len(keys)) if fold_of[i] != fold])
        logits[held] = logits_of(weights, samples([turns[i] for i in held], trained=False))
    scale, bias = calibrated(logits, wanted)
    raw = logits.astype(np.float64) * scale + bias
    raw -= raw.max(1, keepdims=True)
    chances = np.maximum(np.exp(raw) / np.exp(raw).sum(1, keepdims=True), _LEAST)
    logs = np.log(chances)
    odds = dict(zip(keys, logs[:, :2] - logs[:, 2:], strict=True))
    return ChangeHead(trained(range(len(keys))), scale, bias, np.array([odds[_key(pair)] for pair in data]))


def _key(pair: Pair) -> tuple[str, str, str]:
    return pair.person, "" if pair.person else pair.first, pair.second
