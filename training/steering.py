"""Trains `celestial_engine.understanding.steering`: which sentences are orders about others.

Orders and their opposites are in corpus/steering; what people told (corpus/en, corpus/ko) is nothing but opposites.
`python -m training.steering` writes the file, the same for the same corpus and weights of the reader. `--check` only
compares.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt

from celestial_engine.understanding.features import BUCKETS
from celestial_engine.understanding.model import Model, packed, unpacked
from celestial_engine.understanding.reader import Chances, default_reader
from celestial_engine.understanding.steering import FILE, HEAD, log_odds, sentences_of, signs
from training.corpus import LANGUAGES, ROOT, LabelledTurn, turns
from training.fit import Floats, fit, logits_of, samples

FOLDER = ROOT / "steering"
STEERING = Path(__file__).parents[1] / "src" / "celestial_engine" / "understanding" / FILE
_SEED = 20_261_118
_ROWS = BUCKETS
_EPOCHS, _FOLDS = 12, 4
_STEPS = 127
_TURNS_ASKING = 3_000  # of the corpus: more of them change little
_ORDERS_COUNT, _OTHERS_COUNT, _WISHES_COUNT = 8.0, 4.0, 3.0
_RIDGE, _ROUNDS = 1.0, 25
_FALSE_ALARMS = 0.01  # of what the development people tell
Doubles = npt.NDArray[np.float64]


def lines(name: str) -> list[str]:
    """Returns `orders` or `others` of both languages."""
    return [line for language in LANGUAGES for line in _read(FOLDER / f"{language}_{name}.txt")]


def _read(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line]


def training_texts() -> tuple[list[str], npt.NDArray[np.int64], Floats]:
    """Returns the texts, whether each is an order, and how often it counts."""
    choose, told = Random(_SEED), turns("train")
    wishes = [turn.text for turn in told if turn.labels["attribute"] == "instruction"]
    kept = [turn.text for turn in told if turn.labels["keep"] == "y"]
    asking = choose.sample(
        [turn.text for turn in told if turn.labels["act"] in ("instruction", "request")], _TURNS_ASKING
    )
    groups = (
        (lines("orders"), _ORDERS_COUNT),
        (lines("others"), _OTHERS_COUNT),
        (wishes, _WISHES_COUNT),
        (kept, 1.0),
        (asking, 1.0),
    )
    texts = [text for group, _ in groups for text in group]
    counts = np.array([count for group, count in groups for _ in group], np.float32)
    return texts, np.array([1] * len(groups[0][0]) + [0] * (len(texts) - len(groups[0][0]))), counts


def trained() -> bytes:
    """Returns the bytes of the model file: one table, one head, and the weights of the second regression."""
    texts, wanted, counts = training_texts()
    data = samples([_turn(text) for text in texts], trained=True)
    fold = np.random.default_rng(_SEED).integers(0, _FOLDS, len(texts))

    def fitted(chosen: npt.NDArray[np.int64]) -> Floats:
        return fit([data[i] for i in chosen], wanted[chosen], counts[chosen], 2, _ROWS, seed=_SEED, epochs=_EPOCHS)

    # The second regression must see what the head says about sentences that it was not trained on.
    said = np.zeros(len(texts))
    for number in range(_FOLDS):
        inside = np.flatnonzero(fold == number)
        weights = fitted(np.flatnonzero(fold != number))
        raw = logits_of(weights, samples([_turn(texts[i]) for i in inside], trained=False)) + weights[-1]
        said[inside] = raw[:, 1] - raw[:, 0]
    said = np.clip(said, np.log(1e-4), -np.log(1e-4))
    seen = np.array([signs(text, chances_of(text)) for text in texts])
    second = _regression(np.column_stack([seen, said, np.ones(len(texts))]), wanted, counts.astype(np.float64))
    weights = fitted(np.arange(len(texts)))
    model = unpacked(_file(weights, second))
    alarms = [max(_score(model, sentence) for sentence in sentences_of(turn.text)) for turn in _development()]
    second[-1] -= np.quantile(alarms, 1.0 - _FALSE_ALARMS)
    return _file(weights, second)


def _turn(text: str) -> LabelledTurn:
    return LabelledTurn(text, {}, None, None, "", "")


def _development() -> list[LabelledTurn]:
    return [turn for turn in turns("development") if turn.labels["keep"] == "y"]


def chances_of(text: str) -> Chances:
    return default_reader().chances(text)


def _score(model: Model, sentence: str) -> float:
    values = [*signs(sentence, chances_of(sentence)), log_odds(model, sentence), 1.0]
    return sum(weight * value for weight, value in zip(model.second, values, strict=True))


def _regression(seen: Doubles, wanted: npt.NDArray[np.int64], counts: Doubles) -> Doubles:
    """Returns the weights of a logistic regression over standardised signs, for the signs as they are."""
    mean, spread = seen.mean(0), seen.std(0) + 1e-6
    mean[-1], spread[-1] = 0.0, 1.0
    scaled = (seen - mean) / spread
    ridge = _RIDGE * np.r_[np.ones(scaled.shape[1] - 1), 0.0]
    found = np.zeros(scaled.shape[1])
    for _ in range(_ROUNDS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(scaled @ found, -30.0, 30.0)))
        slope = scaled.T @ (counts * (chance - wanted)) + ridge * found
        bend = (scaled * (counts * chance * (1.0 - chance))[:, None]).T @ scaled + np.diag(ridge + 1e-9)
        found -= np.linalg.solve(bend, slope)
    plain: Doubles = found / spread
    plain[-1] -= float((found[:-1] * mean[:-1] / spread[:-1]).sum())
    return plain


def _file(weights: Floats, second: Sequence[float] | Doubles) -> bytes:
    step = float(np.abs(weights[:-1]).max()) / _STEPS
    steps = np.clip(np.rint(weights[:-1] / step), -_STEPS, _STEPS).astype(np.int8)
    head = {
        "name": HEAD, "labels": ["n", "y"], "table": 0, "first": 0, "scale": round(step, 9),
        "bias": [round(float(value), 4) for value in weights[-1]],
    }  # fmt: skip
    header = {
        "heads": [head],
        "tables": [[_ROWS, 2]],
        "corpus": corpus_digest(),
        "second": [round(float(weight), 4) for weight in second],
    }
    return packed(header, [steps.tobytes()])


def corpus_digest() -> str:
    """Returns a digest of the orders and their opposites."""
    digest = sha256()
    for path in sorted(FOLDER.glob("*.txt")):
        digest.update(path.name.encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the file would change")
    arguments = parser.parse_args()
    raw = trained()
    if arguments.check:
        raise SystemExit(0 if STEERING.read_bytes() == raw else "the orders are not those of this corpus: make train")
    STEERING.write_bytes(raw)
    model = unpacked(raw)
    told = [turn for turn in turns("test") if turn.labels["keep"] == "y"]
    alarms = sum(max(_score(model, sentence) for sentence in sentences_of(turn.text)) > 0 for turn in told)
    print(
        f"{STEERING.name}: {len(raw):,} bytes; taken for an order: {alarms} of {len(told)} that the test people tell"
    )


if __name__ == "__main__":
    main()
