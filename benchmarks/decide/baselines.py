"""Models to compare with: one that sees whole words only, and linear heads on an embedder's vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from zlib import crc32

import numpy as np
import numpy.typing as npt
from training.corpus import LABELS, LabelledTurn
from training.fit import Floats, Ints, Sample, calibrated, fit, logits_of

from benchmarks.decide.heads import Chances
from celestial_engine.bootstrap import open_embedder
from celestial_engine.understanding.features import BUCKETS, names_of

_SEED = 20_261_117
_LEAST_TURNS = 2
_STEPS, _RATE, _DECAY = 600, 0.05, 1e-4  # Adam on all turns at once, for the vectors
# Fits on the trained turns and their labels; returns raw scores of the held-out and the asked turns.
Fitted = Callable[[Sequence[int], Ints, int], tuple[Floats, Floats]]


def words_only(train: Sequence[LabelledTurn], held: Sequence[LabelledTurn], asked: Sequence[LabelledTurn]) -> Chances:
    """The same training on the words of a turn, without parts of words, neighbours, endings and punctuation."""
    counts = Counter(name for turn in train for name in _words(turn))
    known = {name for name, count in counts.items() if count >= _LEAST_TURNS}
    data, kept, wanted = ([_sample(turn, known) for turn in turns] for turns in (train, held, asked))

    def fitted(chosen: Sequence[int], labels: Ints, count: int) -> tuple[Floats, Floats]:
        weights = fit([data[i] for i in chosen], labels, np.ones(len(chosen), np.float32), count, BUCKETS, seed=_SEED)
        return logits_of(weights, kept), logits_of(weights, wanted)

    return _heads(fitted, train, held, asked)


def on_vectors(
    train: Sequence[LabelledTurn], held: Sequence[LabelledTurn], asked: Sequence[LabelledTurn], embedder: str
) -> Chances:
    """Linear heads on an embedder's vector of the turn."""
    opened = open_embedder(embedder)
    assert opened is not None
    data, kept, wanted = (
        np.asarray(opened.passages([turn.text for turn in turns]), dtype=np.float32) for turns in (train, held, asked)
    )
    mean, spread = data.mean(0), data.std(0) + 1e-6
    data, kept, wanted = ((vectors - mean) / spread for vectors in (data, kept, wanted))

    def fitted(chosen: Sequence[int], labels: Ints, count: int) -> tuple[Floats, Floats]:
        weights, bias = _regression(data[list(chosen)], labels, count)
        return kept @ weights + bias, wanted @ weights + bias

    return _heads(fitted, train, held, asked)


def _heads(
    fitted: Fitted,
    train: Sequence[LabelledTurn],
    held: Sequence[LabelledTurn],
    asked: Sequence[LabelledTurn],
) -> Chances:
    """Fits each head, calibrates it on the held-out turns, and returns its chances for the asked ones."""
    found: list[dict[str, list[float]]] = [{} for _ in asked]
    for name, labels in LABELS.items():
        chosen = [i for i, turn in enumerate(train) if turn.labels[name] in labels]
        held_out, raw = fitted(chosen, _numbers(train, chosen, name), len(labels))
        kept = [i for i, turn in enumerate(held) if turn.labels[name] in labels]
        scale, bias = calibrated(held_out[kept], _numbers(held, kept, name))
        grown = np.exp(scale * raw + bias - (scale * raw + bias).max(1, keepdims=True))
        for place, row in enumerate((grown / grown.sum(1, keepdims=True)).tolist()):
            found[place][name] = row
    return found


def _regression(data: Floats, wanted: Ints, labels: int) -> tuple[Floats, Floats]:
    """Multinomial regression with balanced classes, as `training.fit` weighs them."""
    weights = np.zeros((data.shape[1] + 1, labels))
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    plain = np.hstack([data, np.ones((len(data), 1))])
    one_hot = np.eye(labels)[wanted]
    counts = np.maximum(one_hot.sum(0), 1)
    row_weights = np.sqrt(len(data) / (labels * counts))[wanted][:, None]
    for step in range(1, _STEPS + 1):
        logits = plain @ weights
        grown = np.exp(logits - logits.max(1, keepdims=True))
        error = (grown / grown.sum(1, keepdims=True) - one_hot) * row_weights
        gradient = plain.T @ error / len(data) + _DECAY * weights
        first, second = 0.9 * first + 0.1 * gradient, 0.999 * second + 0.001 * gradient**2
        weights -= _RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    narrow: npt.NDArray[np.float32] = weights.astype(np.float32)
    return narrow[:-1], narrow[-1]


def _numbers(turns: Sequence[LabelledTurn], chosen: Sequence[int], name: str) -> Ints:
    return np.array([LABELS[name].index(turns[i].labels[name]) for i in chosen])


def _words(turn: LabelledTurn) -> set[str]:
    return {name for name in names_of(turn.text) if name.startswith("w:")}


def _sample(turn: LabelledTurn, known: set[str]) -> Sample:
    words = _words(turn)
    buckets = {crc32(word.encode()) % BUCKETS for word in words & known}
    return Sample(np.array(sorted(buckets), dtype=np.int64), len(words))
