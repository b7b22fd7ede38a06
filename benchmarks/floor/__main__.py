"""`python -m benchmarks.floor`: what is returned for questions with and without an answer. See docs/relevance.md."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from math import isnan, nan
from pathlib import Path

from training.corpus import LANGUAGES

from benchmarks.floor.collect import EMBEDDERS, Asked, asked
from benchmarks.floor.fit import Fitted, Scored, crossed, fit, in_dialogue, rates
from benchmarks.floor.stores import LOCOMO, OWN, own_stores, train_stores
from benchmarks.measure import say
from benchmarks.recall.data import data_folder
from benchmarks.recall.vectors import CachedModel
from celestial_engine.core.retrieval import judges
from celestial_engine.core.retrieval.judges import NO_EMBEDDER, TOPICS, UNKNOWN_EMBEDDER

JUDGES = Path(judges.__file__).parent
_GROUPS_OF_UNKNOWN = (OWN, "only 5", "among 60 others")
_GROUPS_WITH_TOPICS = (OWN, "only 2", "only 5", "among 60 others")  # with more memories, topics are not compared
_HEADER = '''"""Boosted trees for {name}. Made by `make floor ARGS=--train`; do not edit."""

from __future__ import annotations

from collections.abc import Sequence

FLOOR = {floor}
IN_DIALOGUE = {in_dialogue}


'''
_NAMES = {NO_EMBEDDER: "words alone", TOPICS: "words and topics", UNKNOWN_EMBEDDER: "any other embedder"}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.floor", description=__doc__)
    parser.add_argument("--embedders", default=",".join((*EMBEDDERS, UNKNOWN_EMBEDDER)), help="comma between")
    parser.add_argument("--train", action="store_true", help="write the trees of the package again")
    options = parser.parse_args(arguments)
    data: Path | None = data_folder()
    if not (data_folder() / "locomo").is_dir():
        data = None
        say("There is no LoCoMo; CELESTIAL_BENCH_DATA names the data folder. The trees are those of people alone.")
    print("found, changed: questions whose answer is returned; untold, general: those without one that get something")
    for embedder in options.embedders.split(","):
        if options.train:
            rows = list(_collected(embedder, data))
            scored, floors = crossed(rows, embedder)
            _print_crossed(embedder, scored, floors)
            fitted, floor = fit(rows, embedder), round(sum(floors) / len(floors), 2)
            _write(embedder, fitted, floor, in_dialogue(fitted, rows, floor))
        elif embedder != UNKNOWN_EMBEDDER:
            _print_test(embedder)
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
        for store in train_stores(data if groups is None else None):
            if groups is None or store.group in groups:
                yield from asked(store, embedder, model, held_out=store.group != LOCOMO)


def _print_crossed(embedder: str, scored: Scored, floors: Sequence[float]) -> None:
    """Prints what trees and floor of one half of the train people do for the other half."""
    print(f"\n{embedder}: each half of the train people by the trees and the floor of the other")
    _print_header()
    for language in LANGUAGES:
        for group in dict.fromkeys(each.store.group for each, _ in scored):
            part = [pair for pair in scored if _is(pair[0], language, group)]
            halves = [
                rates([pair for pair in part if pair[0].store.is_for_choosing is half], floor)
                for half, floor in zip((True, False), floors, strict=True)
            ]
            _print_row(language, group, part, [_mean(values) for values in zip(*map(_shares, halves), strict=True)])


def _print_test(embedder: str) -> None:
    """Prints what the trees of the package do for people who chose nothing."""
    model = None if embedder in (NO_EMBEDDER, TOPICS) else CachedModel(embedder)
    print(f"\n{embedder}: the test people")
    _print_header()
    rows = [each for store in own_stores("test") for each in asked(store, embedder, model, held_out=False)]
    scored = [(each, [hit.probability for hit in each.hits]) for each in rows]
    for language in LANGUAGES:
        part = [pair for pair in scored if _is(pair[0], language, OWN)]
        _print_row(language, OWN, part, _shares(rates(part, rows[0].floor)))


def _is(asked: Asked, language: str, group: str) -> bool:
    return asked.store.person.language == language and asked.store.group == group


def _shares(found: object) -> list[float]:
    return [getattr(found, name) for name in ("found", "changed", "untold", "general")]


def _mean(shares: Sequence[float]) -> float:
    """Small stores are made of some people only, who may all be in one half."""
    known = [share for share in shares if not isnan(share)]
    return sum(known) / len(known) if known else nan


def _print_header() -> None:
    print("  language  memories           before   found  changed   untold   general")


def _print_row(language: str, group: str, part: Scored, shares: Sequence[float]) -> None:
    if part:
        found, changed, untold, general = shares
        cells = f"{rates(part, 0.0).found:7.2f} {found:7.2f} {changed:8.2f} {untold:8.2f} {general:9.2f}"
        print(f"  {language:<8}  {group:<17} {cells}", flush=True)


def _write(embedder: str, fitted: Fitted, floor: float, in_dialogue: float) -> None:
    path = JUDGES / f"{embedder}.py"
    header = _HEADER.format(name=_NAMES.get(embedder, f"`{embedder}`"), floor=floor, in_dialogue=in_dialogue)
    path.write_text(header + fitted.source, encoding="utf-8")
    say(f"written: {path}")


if __name__ == "__main__":
    raise SystemExit(main())
