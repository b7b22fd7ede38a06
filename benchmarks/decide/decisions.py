"""Decisions end to end on people that nothing was trained on, now and before the classifiers were trained."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

from training.corpus import LANGUAGES, ROOT, YES, LabelledTurn, turns

from benchmarks.decide.observed import Done, observed
from benchmarks.decide.scores import accuracy, binary

BEFORE = Path(__file__).with_name("before.json")
_ASKING = ("question", "request")


def digest_of_test() -> str:
    """Of the test people, so that figures of others are not compared."""
    digest = sha256()
    for path in sorted(ROOT.glob("*/test/*.tsv")):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()


def people(language: str, part: str = "test") -> list[list[LabelledTurn]]:
    return [list(found) for _, found in groupby(turns(part, language), key=lambda turn: turn.person)]


def spoken(language: str, part: str = "test") -> list[list[tuple[str, str | None]]]:
    return [[(turn.text, turn.previous) for turn in person] for person in people(language, part)]


def figures(language: str, done: Sequence[Done], part: str = "test") -> dict[str, float]:
    """Shares of the turns of a language. A turn is right if what should be kept is, and only that, and likewise for
    fetching; kept turns may be fetched for as well."""
    told = [turn for person in people(language, part) for turn in person]
    keep, fetch = ([turn.labels[name] == YES for turn in told] for name in ("keep", "memory"))
    kept, fetched = [one.kept for one in done], [one.fetched for one in done]
    saves, fetches = binary(keep, kept), binary(fetch, fetched)
    asks = binary([turn.labels["act"] in _ASKING for turn in told], [one.asks for one in done])
    pairs = [(turn.labels["category"], one.category) for turn, one in zip(told, done, strict=True)]
    categories = [(wanted, said) for wanted, said in pairs if wanted != "-"]
    return {
        "turns right in both": accuracy([*zip(keep, fetch, strict=True)], [*zip(kept, fetched, strict=True)]),
        "turns right about keeping": accuracy(keep, kept),
        "of what should be kept, kept": saves.recall,
        "of what should be skipped, skipped": binary([not one for one in keep], [not one for one in kept]).recall,
        "keeping, precision": saves.precision,
        "keeping, F1": saves.f1,
        "fetching, precision": fetches.precision,
        "fetching, recall": fetches.recall,
        "fetching, F1": fetches.f1,
        "asks (question or request), F1": asks.f1,
        "category, accuracy": accuracy([a for a, _ in categories], [b for _, b in categories]),
    }


def now(part: str = "test") -> dict[str, dict[str, float]]:
    return {language: figures(language, observed(spoken(language, part)), part) for language in LANGUAGES}


def before() -> dict[str, dict[str, float]] | None:
    """The recorded figures of the old rules; None if they are of other test people."""
    recorded: dict[str, Any] = json.loads(BEFORE.read_text(encoding="utf-8"))
    return recorded["figures"] if recorded["test"] == digest_of_test() else None


def table(columns: Mapping[str, Mapping[str, float]]) -> str:
    """A column for each way to decide and language, a line for each figure."""
    lines = [f"| decide, end to end | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    names = next(iter(columns.values()))
    lines += [f"| {name} | {' | '.join(f'{found[name]:.3f}' for found in columns.values())} |" for name in names]
    return "\n".join(lines)
