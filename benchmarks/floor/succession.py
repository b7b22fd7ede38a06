"""`make succession`: fits the trees that tell which statements a newer one ends, to the people of `corpus/people`.

It prints what is found of the changes of test people when they are stored, at some shares of true statements lost.
`python -m benchmarks.people` measures the same in the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
from training.corpus import LANGUAGES
from training.people import Person, counts_as, people
from training.vectors import EMBEDDER, Vectors

from benchmarks.floor.fit import source_of
from benchmarks.floor.held_out import change_in, without
from benchmarks.measure import say
from celestial_engine.core.sameness.succession import Nearness
from celestial_engine.core.text.words import index_words
from celestial_engine.understanding import embedded, succession_trees, topics
from celestial_engine.understanding.reader import default_reader
from celestial_engine.understanding.relation import ReadStatement
from celestial_engine.understanding.succession import FEATURES, pair_features, with_lead

TREES = Path(succession_trees.__file__)
_LOST = (0.005, 0.01, 0.015, 0.02)  # of the statements that stay true, so many may be ended
_LEFT_OUT = ("constant",)
# More of it never makes it less likely that the older one is ended.
_RISING = ("replaces", "ends", "lead", "closeness")
_TREES = 200
_PARAMETERS = {
    "objective": "binary", "learning_rate": 0.06, "num_leaves": 10, "min_data_in_leaf": 100,
    "min_sum_hessian_in_leaf": 3.0, "lambda_l2": 5.0, "feature_fraction": 0.6, "bagging_fraction": 0.8,
    "bagging_freq": 1, "seed": 1, "deterministic": True, "force_row_wise": True, "num_threads": 1, "verbose": -1,
}  # fmt: skip
_HEADER = '''"""Boosted trees that tell which statements a newer one ends. Made by `make succession`; do not edit."""

from __future__ import annotations

from collections.abc import Sequence


'''


class Example(NamedTuple):
    """A newer and an older statement of a person, and their features without an embedder and with it."""

    person: str
    newer: int
    older: int
    ended: bool
    plain: list[float]
    with_vectors: list[float]


def examples(person: Person, vectors: Vectors) -> Iterator[Example]:
    """Yields every statement of a person beside every earlier one, except after one that tells nothing or asks."""
    name = person.language + person.number
    heads = embedded.heads_of(_embedder_name())
    if heads is None:
        raise SystemExit(f"There are no heads for {EMBEDDER}: make train")
    readings = [default_reader().read(text) for text in person.memories]
    statements = [
        ReadStatement.of(text, index_words(text), reading.subject, reading.attribute, reading.lifetime)
        for text, reading in zip(person.memories, readings, strict=True)
    ]
    own = [vectors.get(text, asks=False) for text in person.memories]
    unit = [vector / np.linalg.norm(vector) for vector in own]
    ended_by = ended_statements(person)
    for newer in range(1, len(statements)):
        text = person.memories[newer]
        change = change_in(name, text)
        if change is None or readings[newer].asks:
            continue
        change = change._replace(correction=readings[newer].change.correction if readings[newer].change else 0.0)
        by_vector = heads.end_odds(own[newer].tolist(), [vector.tolist() for vector in own[:newer]])
        by_topic = [topics.end_odds(text, older) for older in person.memories[:newer]]
        near = [
            Nearness(vectors.closeness(float(unit[newer] @ unit[older])), by_vector[older]) for older in range(newer)
        ]
        judged = zip(with_lead(by_topic), with_lead(by_vector), strict=True)
        for older, (plain, with_vectors) in enumerate(judged):
            pair = statements[older], statements[newer], change
            yield Example(
                name,
                newer,
                older,
                older in ended_by.get(newer, ()),
                [*pair_features(*pair, None), *plain],
                [*pair_features(*pair, near[older]), *with_vectors],
            )


def ended_statements(person: Person) -> dict[int, set[int]]:
    """Returns for each statement that tells a change the earlier ones that it ended."""
    ended = dict[int, set[int]]()
    for question in person.questions:
        for newer in question.answers:
            ended.setdefault(newer, set()).update(question.outdated)
    return ended


def _embedder_name() -> str:
    return next(name for name, file in embedded.FILES.items() if file.startswith(EMBEDDER))


def fitted(chosen: Sequence[Example]) -> tuple[list[dict[str, object]], object]:
    """Returns the trees, and the booster that made them."""
    import lightgbm

    names = [name for name in FEATURES if name not in _LEFT_OUT]
    places = [FEATURES.index(name) for name in names]
    rows = np.array([values for each in chosen for values in (each.plain, each.with_vectors)], np.float32)[:, places]
    wanted = np.array([float(each.ended) for each in chosen for _ in range(2)])
    counts = np.array([counts_as(each.person[2:]) for each in chosen for _ in range(2)])
    data = lightgbm.Dataset(rows, wanted, weight=counts)
    directions = [int(name in _RISING) for name in names]
    booster = lightgbm.train({**_PARAMETERS, "monotone_constraints": directions}, data, _TREES)
    return [tree["tree_structure"] for tree in booster.dump_model()["tree_info"]], booster


def tell(name: str, everybody: Sequence[Person], chosen: Sequence[Example], booster: object) -> None:
    """Prints for some shares of lost statements the limit, and the share of ended ones that were found."""
    ended = {
        (person.language + person.number, older)
        for person in everybody
        for olders in ended_statements(person).values()
        for older in olders
    }
    true = sum(len(person.memories) for person in everybody) - len(ended)
    for kind in ("plain", "with_vectors"):
        best = dict[tuple[str, int], tuple[float, Example]]()  # a change ends one thing
        for each, chance in zip(chosen, chances(booster, [getattr(each, kind) for each in chosen]), strict=True):
            key = each.person, each.newer
            if key not in best or chance > best[key][0]:
                best[key] = chance, each
        found, lost, shares = 0, set[tuple[str, int]](), dict[float, str]()
        for chance, each in sorted(best.values(), key=lambda pair: -pair[0]):
            found += each.ended
            if (each.person, each.older) not in ended:
                lost.add((each.person, each.older))
            for most in _LOST:
                if len(lost) <= most * true:
                    shares[most] = f"{most:.1%} (from {chance:.2f}): {found / len(ended):.2f}"
        say(f"  {name} {kind:12} " + "; ".join(shares.values()))


def chances(booster: object, values: Sequence[Sequence[float]]) -> list[float]:
    places = [FEATURES.index(name) for name in FEATURES if name not in _LEFT_OUT]
    predicted: list[float] = booster.predict(np.array(values)[:, places]).tolist()  # type: ignore[attr-defined]
    return predicted


def main() -> None:
    vectors = Vectors()
    everybody = {language: list(people("train", language)) for language in LANGUAGES}
    data = {language: list[Example]() for language in LANGUAGES}
    for language, train in everybody.items():
        for person in train:
            with without(language + person.number):
                data[language] += examples(person, vectors)
    everything = [each for language in LANGUAGES for each in data[language]]
    say("found of the changes, at shares of true statements lost; each half of the train people by the other half:")
    for half in range(2):
        _, booster = fitted([each for each in everything if _half(each.person) != half])
        for language, train in everybody.items():
            left = [each for each in data[language] if _half(each.person) == half]
            tell(f"left out {language}", [p for p in train if _half(language + p.number) == half], left, booster)
    trees, booster = fitted(everything)
    names = [name for name in FEATURES if name not in _LEFT_OUT]
    TREES.write_text(_HEADER + source_of(trees, names, FEATURES), encoding="utf-8")
    for language in LANGUAGES:
        strangers = list(people("test", language))
        tell(f"test {language}", strangers, [e for person in strangers for e in examples(person, vectors)], booster)
    say(f"written: {TREES}, {len(everything):,} pairs")


def _half(name: str) -> int:
    return crc32(name.encode()) % 2


if __name__ == "__main__":
    main()
