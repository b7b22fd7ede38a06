"""`python -m benchmarks.floor`: what is returned for questions with and without an answer. See docs/relevance.md."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from pprint import pformat

from benchmarks.floor.collect import EMBEDDERS, UNSEEN_GROUPS, Asked, asked, training_stores, unseen_stores
from benchmarks.floor.fit import Fitted, Scored, crossed, crossed_rates, fit, rates
from benchmarks.floor.people import LANGUAGES
from benchmarks.measure import say
from benchmarks.recall.data import data_folder
from benchmarks.recall.vectors import CachedModel
from celestial_engine.core.retrieval import relevance_weights
from celestial_engine.core.retrieval.relevance import NO_EMBEDDER, TOPICS, UNKNOWN_EMBEDDER

WEIGHTS = Path(relevance_weights.__file__)
_GROUPS_OF_UNKNOWN = ("own", "only 5", "among 60 others")
_GROUPS_WITH_TOPICS = ("own", "only 2", "only 5", "among 60 others")  # with more memories, topics are not compared
_HEADER = '''"""Weights and floors of `relevance`, by embedder. Made by `make floor ARGS=--train`; do not edit."""

from __future__ import annotations

from collections.abc import Mapping

MODELS: Mapping[str, Mapping[str, float]] = '''


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.floor", description=__doc__)
    parser.add_argument("--embedders", default=",".join((*EMBEDDERS, UNKNOWN_EMBEDDER)), help="comma between")
    parser.add_argument("--train", action="store_true", help="write the weights of the package again")
    options = parser.parse_args(arguments)
    data: Path | None = data_folder()
    if not (data_folder() / "locomo").is_dir():
        data = None
        say("There is no LoCoMo; CELESTIAL_BENCH_DATA names the data folder. The weights are those of people alone.")
    models = {name: dict(entry) for name, entry in relevance_weights.MODELS.items()}
    print("found: questions whose answer is returned; untold, general: questions without one that get something")
    for embedder in options.embedders.split(","):
        rows = list(_collected(embedder, data))
        scored, floors = crossed(rows, embedder)
        _print(embedder, scored, floors)
        if embedder != UNKNOWN_EMBEDDER:
            _print_unseen(embedder)
        fitted = fit(rows, embedder)
        models[_name(embedder)] = _entry(fitted, sum(floors) / len(floors))
    if options.train:
        WEIGHTS.write_text(_HEADER + pformat(models, sort_dicts=False) + "\n", encoding="utf-8")
        say(f"written: {WEIGHTS}; `ruff format` makes it pretty")
    return 0


def _collected(embedder: str, data: Path | None) -> Iterator[Asked]:
    """Asks every store; an unknown embedder is any of the known ones under another name."""
    labels: Sequence[str | None] = (embedder,)
    if embedder in (NO_EMBEDDER, TOPICS):
        labels = (None,)
    elif embedder == UNKNOWN_EMBEDDER:
        labels = [label for label in EMBEDDERS if label not in (NO_EMBEDDER, TOPICS)]
    groups = {UNKNOWN_EMBEDDER: _GROUPS_OF_UNKNOWN, TOPICS: _GROUPS_WITH_TOPICS}.get(embedder)
    for label in labels:
        model = None if label is None else CachedModel(label)
        for store in training_stores(data if groups is None else None):
            if groups is None or store.group in groups:
                yield from asked(store, embedder, model)


def _print(embedder: str, scored: Scored, floors: Sequence[float]) -> None:
    print(f"\n{embedder}: floors {floors[0]:.2f} and {floors[1]:.2f}, each chosen by the other half of the people")
    print("  language  memories           before   found   untold   general")
    for language in LANGUAGES:
        for group in dict.fromkeys(each.store.group for each, _ in scored):
            part = [pair for pair in scored if pair[0].store.group == group and pair[0].store.language == language]
            if part:
                after = crossed_rates(part, floors)
                cells = f"{rates(part, 0.0).found:7.2f} {after.found:7.2f} {after.untold:8.2f} {after.general:9.2f}"
                print(f"  {language:<8}  {group:<17} {cells}")


def _print_unseen(embedder: str) -> None:
    """Prints what the weights of the package do for people who chose nothing."""
    model = None if embedder in (NO_EMBEDDER, TOPICS) else CachedModel(embedder)
    for language in LANGUAGES:
        for group in UNSEEN_GROUPS:
            rows = [each for store in unseen_stores(language, group) for each in asked(store, embedder, model)]
            scored = [(each, [hit.probability for hit in each.hits]) for each in rows]
            after = rates(scored, rows[0].floor)
            cells = f"{rates(scored, 0.0).found:7.2f} {after.found:7.2f} {after.untold:8.2f} {after.general:9.2f}"
            print(f"  {language:<8}  unseen, {group:<9} {cells}")


def _name(embedder: str) -> str:
    return embedder if embedder in (NO_EMBEDDER, TOPICS, UNKNOWN_EMBEDDER) else CachedModel(embedder).name


def _entry(fitted: Fitted, floor: float) -> dict[str, float]:
    return {**fitted.weights, "constant": fitted.constant, "floor": round(floor, 3)}


if __name__ == "__main__":
    raise SystemExit(main())
