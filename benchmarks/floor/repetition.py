"""`make repetition`: fits the trees that tell whether a statement only repeats an older one, to pairs of the corpus.

It prints what they find of pairs that were left out, and of the test pairs, which nothing is fitted to.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
from training.corpus import LANGUAGES, Pair, pairs
from training.relations import change_head
from training.vectors import EMBEDDER, Vectors

from benchmarks.floor.fit import Floats, source_of
from benchmarks.measure import say
from celestial_engine.core.sameness.succession import Nearness
from celestial_engine.core.text.words import index_words
from celestial_engine.understanding import repetition_trees
from celestial_engine.understanding.embedded import FILES, heads_of
from celestial_engine.understanding.features import BUCKETS
from celestial_engine.understanding.reader import default_reader
from celestial_engine.understanding.relation import ReadStatement
from celestial_engine.understanding.repetition import FEATURES, features

TREES = Path(repetition_trees.__file__)
_PARTS = ("train", "ordinary")
_TEST_PARTS = ("test", "everyday")
_SAME = "same"
_FOLDS = 4
_FALSE = (0.005, 0.01, 0.02, 0.03)  # of pairs that are none, so many may be taken for a repetition
_LEFT_OUT = ("constant",)
# More of it never makes a repetition less likely (1) or more likely (-1).
_DIRECTION = {
    "union": 1, "share of older": 1, "share of newer": 1, "older parts": 1, "newer parts": 1, "older pairs": 1,
    "newer pairs": 1, "older weight": 1, "newer weight": 1, "closeness": 1, "older own": -1, "newer own": -1,
    "other numbers": -1,
}  # fmt: skip
_TREES = 160
_PARAMETERS = {
    "objective": "binary", "learning_rate": 0.06, "num_leaves": 10, "min_data_in_leaf": 40,
    "min_sum_hessian_in_leaf": 3.0, "lambda_l2": 5.0, "feature_fraction": 0.6, "bagging_fraction": 0.8,
    "bagging_freq": 1, "seed": 1, "deterministic": True, "force_row_wise": True, "num_threads": 1, "verbose": -1,
}  # fmt: skip
_HEADER = '''"""Boosted trees that tell repetitions. Made by `make repetition`; do not edit."""

from __future__ import annotations

from collections.abc import Sequence


'''


class Example(NamedTuple):
    """The features of a pair without vectors and with them."""

    pair: Pair
    language: str
    plain: list[float]
    with_vectors: list[float]


def examples(data: Sequence[tuple[str, Pair]], odds: Sequence[Sequence[float] | None]) -> list[Example]:
    """Returns the examples of pairs (each with its language); `odds` replace what was read about change."""
    reader, vectors, heads = default_reader(), Vectors(), heads_of(_name())
    vectors.of((text, False) for _, pair in data for text in (pair.first, pair.second))
    found = list[Example]()
    for (language, pair), known in zip(data, odds, strict=True):
        older, newer = (_told(text) for text in (pair.first, pair.second))
        change = reader.change_in(pair.second)
        if change is None or heads is None:
            continue
        if known is not None:
            change = change._replace(replaces=float(known[0]), same=float(known[1]))
        first, second = (vectors.get(text, asks=False) for text in (pair.first, pair.second))
        cosine = float(first @ second) / float(np.linalg.norm(first) * np.linalg.norm(second))
        near = Nearness(vectors.closeness(cosine), heads.end_odds(second.tolist(), [first.tolist()])[0])
        texts = pair.first, pair.second
        found.append(
            Example(
                pair,
                language,
                features(older, newer, texts, change, None),
                features(older, newer, texts, change, near),
            )
        )
    return found


def _name() -> str:
    return next(name for name, file in FILES.items() if file.startswith(EMBEDDER))


def _told(text: str) -> ReadStatement:
    reading = default_reader().read(text)
    return ReadStatement.of(text, index_words(text), reading.subject, reading.attribute, reading.lifetime)


def train_examples() -> list[Example]:
    data = [(language, pair) for part in _PARTS for language in LANGUAGES for pair in pairs(part, language)]
    # The head was trained on these: what it says about them has to come from one that left them out.
    return examples(data, change_head([pair for _, pair in data], BUCKETS // 4, seed=1).held_out.tolist())


def fitted(chosen: Sequence[Example]) -> tuple[list[dict[str, object]], object]:
    """Returns the trees, and the booster that made them."""
    import lightgbm

    names = [name for name in FEATURES if name not in _LEFT_OUT]
    places = [FEATURES.index(name) for name in names]
    rows = np.array([values for each in chosen for values in (each.plain, each.with_vectors)])[:, places]
    wanted = np.array([float(each.pair.label == _SAME) for each in chosen for _ in range(2)])
    data = lightgbm.Dataset(rows, wanted)
    directions = [_DIRECTION.get(name, 0) for name in names]
    booster = lightgbm.train({**_PARAMETERS, "monotone_constraints": directions}, data, _TREES)
    return [tree["tree_structure"] for tree in booster.dump_model()["tree_info"]], booster


def chances(booster: object, values: Sequence[Sequence[float]]) -> Floats:
    places = [FEATURES.index(name) for name in FEATURES if name not in _LEFT_OUT]
    return np.asarray(booster.predict(np.array(values)[:, places]), np.float64)  # type: ignore[attr-defined]


def tell(name: str, chosen: Sequence[Example], plain: Floats, with_vectors: Floats) -> None:
    """Prints for some shares of false ones the limit, and what is found of the true ones."""
    for language in LANGUAGES:
        here = np.array([each.language == language for each in chosen])
        same = np.array([each.pair.label == _SAME for each in chosen])
        free = np.array([each.pair.wording == "free" for each in chosen])
        for kind, said in (("no vectors", plain), (EMBEDDER, with_vectors)):
            others = np.sort(said[here & ~same])[::-1]
            shares = []
            for false in _FALSE:
                limit = others[int(false * len(others))]
                near, far = ((said[here & same & part] > limit).mean() for part in (~free, free))
                shares.append(f"{false:.1%} (from {limit:.2f}): near {near:.2f} free {far:.2f}")
            say(f"  {name} {language} {kind:10} " + "; ".join(shares))


def main() -> None:
    data = train_examples()
    folds = np.array([crc32(each.pair.first.encode()) % _FOLDS for each in data])
    plain, with_vectors = np.zeros(len(data)), np.zeros(len(data))
    for fold in range(_FOLDS):
        _, booster = fitted([each for each, place in zip(data, folds, strict=True) if place != fold])
        left = [each for each, place in zip(data, folds, strict=True) if place == fold]
        plain[folds == fold] = chances(booster, [each.plain for each in left])
        with_vectors[folds == fold] = chances(booster, [each.with_vectors for each in left])
    tell("left out", data, plain, with_vectors)
    trees, booster = fitted(data)
    names = [name for name in FEATURES if name not in _LEFT_OUT]
    TREES.write_text(_HEADER + source_of(trees, names, FEATURES), encoding="utf-8")
    for part in _TEST_PARTS:
        test = [(language, pair) for language in LANGUAGES for pair in pairs(part, language)]
        others = examples(test, [None] * len(test))
        said = [chances(booster, values) for values in zip(*((e.plain, e.with_vectors) for e in others), strict=True)]
        tell(part, others, *said)
    say(f"written: {TREES}, {len(data):,} pairs")


if __name__ == "__main__":
    main()
