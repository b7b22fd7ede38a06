"""Trains the topics of `celestial_engine.understanding`: which of 240 aspects of a life a text is about.

`python -m training.topics` writes the file, which is the same for the same corpus, and measures it on lines by other
writers. `--check` only compares.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from celestial_engine.understanding.features import BUCKETS, hashed
from celestial_engine.understanding.model import Model, packed, unpacked
from celestial_engine.understanding.topics import FILE, HEAD
from training.corpus import LANGUAGES, ROOT, LabelledTurn
from training.fit import Floats, fit, logits_of, samples

FOLDER = ROOT / "aspects"
TOPICS = Path(__file__).parents[1] / "src" / "celestial_engine" / "understanding" / FILE
KINDS = ("s", "c", "q")  # a statement, a change, a question
_SEED = 20_261_118
_ROWS = BUCKETS // 4
_EPOCHS = 12
# Few steps make the file small and cost nothing that can be measured; the largest weights are cut to the last step.
_STEPS = 7
_NOT_CUT = 0.9997
_HELD_OUT = 10  # every so many lines choose how certain the probabilities are
_SCALES = tuple(step / 10 for step in range(5, 81))
# The words of an aspect are read as lines of some words each, in several orders: a feature of one line is noise.
_WORDS = "w"
_WORDS_A_LINE, _ORDERS, _WORDS_COUNT_AS = 6, 3, 0.1


class AspectLine(NamedTuple):
    """One line about one aspect of a life."""

    aspect: str
    kind: str
    text: str
    language: str


def aspects() -> list[str]:
    """Returns the names of the aspects, in the order of the inventory."""
    lines = (FOLDER / "inventory.tsv").read_text(encoding="utf-8").split("\n")
    return [line.split("\t")[0] for line in lines if line]


def lines(part: str) -> list[AspectLine]:
    """Returns the lines of a part (train, test); raises ValueError for one that does not have three columns."""
    found = list[AspectLine]()
    for language in LANGUAGES:
        for number, line in enumerate((FOLDER / language / f"{part}.tsv").read_text(encoding="utf-8").split("\n"), 1):
            columns = line.split("\t")
            if len(columns) == 3:
                found.append(AspectLine(columns[0], columns[1], columns[2], language))
            elif line:
                raise ValueError(f"{language}/{part}.tsv:{number}: {len(columns)} columns")
    return found


def words(language: str) -> dict[str, list[str]]:
    """Returns the words and phrases that people use for each aspect."""
    lines = (FOLDER / language / "words.tsv").read_text(encoding="utf-8").split("\n")
    return {line.split("\t")[0]: line.split("\t")[1].split(", ") for line in lines if line}


def lines_of_words() -> list[AspectLine]:
    """Returns the words as lines to train on."""
    order_of = Random(_SEED)
    found = list[AspectLine]()
    for language in LANGUAGES:
        for aspect, listed in words(language).items():
            for _ in range(_ORDERS):
                order_of.shuffle(listed)
                for start in range(0, len(listed), _WORDS_A_LINE):
                    text = " ".join(listed[start : start + _WORDS_A_LINE])
                    found.append(AspectLine(aspect, _WORDS, text, language))
    return found


def trained(train: Sequence[AspectLine]) -> bytes:
    """Returns the bytes of the model file: one table, one head, a label for each aspect."""
    labels = aspects()
    wanted = np.array([labels.index(line.aspect) for line in train])
    turns = [LabelledTurn(line.text, {}, None, None, "", line.language) for line in train]

    def fitted(chosen: Sequence[int]) -> Floats:
        data = samples([turns[i] for i in chosen], trained=True)
        counts_as = np.array([_WORDS_COUNT_AS if train[i].kind == _WORDS else 1.0 for i in chosen], np.float32)
        return fit(data, wanted[list(chosen)], counts_as, len(labels), _ROWS, seed=_SEED, epochs=_EPOCHS)

    held = [i for i, line in enumerate(train) if i % _HELD_OUT == 0 and line.kind != _WORDS]
    rest = sorted(set(range(len(train))) - set(held))
    scale = _scale_of(fitted(rest), [turns[i] for i in held], wanted[held])
    weights = fitted(range(len(train)))
    step = float(np.quantile(np.abs(weights[:-1]), _NOT_CUT)) / _STEPS
    steps = np.clip(np.rint(weights[:-1] / step), -_STEPS, _STEPS).astype(np.int8)
    head = {
        "name": HEAD,
        "labels": labels,
        "table": 0,
        "first": 0,
        "scale": round(scale * step, 9),
        "bias": [round(float(value) * scale, 4) for value in weights[-1]],
    }
    header = {
        "heads": [head],
        "tables": [[_ROWS, len(labels)]],
        "corpus": corpus_digest(),
        "relations": {},
    }
    return packed(header, [steps.tobytes()])


def _scale_of(weights: Floats, turns: Sequence[LabelledTurn], wanted: npt.NDArray[np.int64]) -> float:
    """Returns the scale of the raw scores at which lines that were held out are likeliest."""
    raw = (logits_of(weights, samples(turns, trained=False)) + weights[-1]).astype(np.float64)

    def likelihood(scale: float) -> float:
        scaled = raw * scale
        highest = scaled.max(1, keepdims=True)
        whole = np.log(np.exp(scaled - highest).sum(1)) + highest[:, 0]
        return float((scaled[np.arange(len(wanted)), wanted] - whole).sum())

    return max(_SCALES, key=likelihood)


def corpus_digest() -> str:
    """Returns a digest of the lines that the topics are trained on."""
    digest = sha256()
    paths = (FOLDER / language / name for language in LANGUAGES for name in ("train.tsv", "words.tsv"))
    for path in (FOLDER / "inventory.tsv", *paths):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()


def likeliest(model: Model, text: str) -> str:
    buckets, count = hashed(text)
    chances = model.probabilities(HEAD, model.tables[0].sums(buckets), count)
    return model.heads[HEAD].labels[chances.index(max(chances))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the file would change")
    arguments = parser.parse_args()
    raw = trained([*lines("train"), *lines_of_words()])
    if arguments.check:
        raise SystemExit(0 if TOPICS.read_bytes() == raw else "the topics are not those of this corpus: make train")
    TOPICS.write_bytes(raw)
    model = unpacked(raw)
    print(f"{TOPICS.name}: {len(raw):,} bytes; share of test lines whose aspect is the likeliest of 240:")
    test = lines("test")
    for language in LANGUAGES:
        for kind in KINDS:
            part = [line for line in test if (line.language, line.kind) == (language, kind)]
            right = sum(likeliest(model, line.text) == line.aspect for line in part)
            print(f"  {language} {kind} {right / len(part):.3f} of {len(part)}")


if __name__ == "__main__":
    main()
