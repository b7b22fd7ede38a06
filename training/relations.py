"""Trains how two statements relate: a head that reads change in the newer one, and coefficients for the pair.

The coefficients with vectors need how close the vectors of each pair are. `python -m training.relations` writes that
beside the pairs, with the embedder that is installed, so that training needs none.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from celestial_engine.core.record.labels import Attribute, Lifetime, Subject
from celestial_engine.core.record.reading import Change
from celestial_engine.core.text.words import index_words
from celestial_engine.understanding.features import hashed
from celestial_engine.understanding.model import Model
from celestial_engine.understanding.relation import LABELS, Told, features, with_closeness, with_heads, with_topic
from training.corpus import LANGUAGES, ROOT, LabelledTurn, Pair, pairs
from training.fit import Floats, calibrated, fit, logits_of, samples
from training.held_out import heads_without, topics_without
from training.people import told_pairs
from training.vectors import Vectors

HEAD = "change"
_FOLDS = 5
_EPOCHS, _HEAD_RATE = 14, 0.25
_STEPS, _RATE, _DECAY = 3_000, 0.3, 3.0
_LEAST = 1e-4
_SHIFTS = (1_009, 2_003, 3_001)  # how far away the other pairs are
# Written pairs, pairs of statements that people of the corpus made beside each other, and the people of `people`.
_PARTS = ("train", "ordinary", "test")
_PEOPLE = "people"


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


def coefficients(
    model: Model, data: Sequence[Pair], held_out: npt.NDArray[np.float64]
) -> dict[str, list[list[float]]]:
    """Returns the coefficients for pairs alone, with topics, and with vectors.

    `model` reads the labels of the statements.
    """
    near = nearness_of(data)
    older = [told(model, pair.first) for pair in data]
    newer = [told(model, pair.second) for pair in data]
    change = [_change(model, pair.second, held_out[place]) for place, pair in enumerate(data)]
    examples = [(place, place, LABELS.index(pair.label), near[place]) for place, pair in enumerate(data)]
    examples += _unrelated(data, near)
    wanted = np.array([label for _, _, label, _ in examples])
    pairs = [features(older[first], newer[second], change[second]) for first, second, _, _ in examples]
    topics = [
        topics_without(data[second].person).end_odds(data[second].second, data[first].first)
        for first, second, _, _ in examples
    ]
    return {
        "plain": _fitted(np.array(pairs), wanted),
        "with_topics": _fitted(
            np.array([each + with_topic(each, t) for each, t in zip(pairs, topics, strict=True)]), wanted
        ),
        "with_vectors": _fitted(
            np.array(
                [each + with_closeness(each, example[3][0]) for each, example in zip(pairs, examples, strict=True)]
            ),
            wanted,
        ),
        "with_heads": _fitted(
            np.array([each + with_heads(each, *example[3]) for each, example in zip(pairs, examples, strict=True)]),
            wanted,
        ),
    }


def _unrelated(
    data: Sequence[Pair], near: Sequence[tuple[float, float]]
) -> list[tuple[int, int, int, tuple[float, float]]]:
    """Returns statements that tell a change beside older ones of other pairs: a change of one thing leaves the rest.

    Their vectors are taken to be as close as those of ordinary statements of one person.
    """
    ordinary = [near[place] for place, pair in enumerate(data) if pair.label == "both"]
    changes = [place for place, pair in enumerate(data) if pair.label == "replaces" and not pair.person]
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


def nearness_of(data: Sequence[Pair]) -> list[tuple[float, float]]:
    """Returns what the vectors of each pair tell, as written beside the pairs: closeness, and log odds of ending."""
    known: dict[tuple[str, str], tuple[float, float]] = {}
    for path, written in _files().items():
        for pair, line in zip(written, path.read_text(encoding="utf-8").splitlines(), strict=True):
            closeness, odds = line.split()
            known[pair.first, pair.second] = float(closeness), float(odds)
    return [known[pair.first, pair.second] for pair in data]


def _files() -> dict[Path, list[Pair]]:
    """Returns where the closeness of each list of pairs is written."""
    folder = ROOT / "pairs"
    listed = {
        folder / language / f"{part}.closeness": pairs(part, language) for language in LANGUAGES for part in _PARTS
    }
    return listed | {folder / f"{_PEOPLE}.closeness": told_pairs("train")}


def main() -> None:
    """Writes what vectors tell about pairs; of people, by heads that were not trained on them."""
    vectors = Vectors()
    files = _files()
    vectors.of((text, False) for written in files.values() for pair in written for text in (pair.first, pair.second))
    for path, written in files.items():
        lines = [_nearness(pair, vectors) for pair in written]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{path.name}: {len(lines)} pairs")


def _nearness(pair: Pair, vectors: Vectors) -> str:
    older, newer = (vectors.get(text, asks=False) for text in (pair.first, pair.second))
    cosine = float(older @ newer) / float(np.linalg.norm(older) * np.linalg.norm(newer))
    (odds,) = heads_without(pair.person).end_odds(newer.tolist(), [older.tolist()])
    return f"{vectors.closeness(cosine):.3f} {odds:.2f}"


if __name__ == "__main__":
    main()
