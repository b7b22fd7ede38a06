"""Decisions end to end on the test people, now and before the classifiers were trained."""

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


def people(language: str) -> list[list[LabelledTurn]]:
    return [list(found) for _, found in groupby(turns("test", language), key=lambda turn: turn.person)]


def spoken(language: str) -> list[list[tuple[str, str | None]]]:
    return [[(turn.text, turn.previous) for turn in person] for person in people(language)]


def figures(language: str, done: Sequence[Done]) -> dict[str, float]:
    """Shares of the turns of a language. A turn is right if what should be kept is, and only that, and likewise for
    fetching; kept turns may be fetched for as well."""
    told = [turn for person in people(language) for turn in person]
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


def now() -> dict[str, dict[str, float]]:
    return {language: figures(language, observed(spoken(language))) for language in LANGUAGES}


def before() -> Mapping[str, Any] | None:
    """The recorded figures of the old rules; None if they are of other test people."""
    recorded: dict[str, Any] = json.loads(BEFORE.read_text(encoding="utf-8"))
    return recorded if recorded["test"] == digest_of_test() else None


def table(found: Mapping[str, Mapping[str, float]], recorded: Mapping[str, Any] | None) -> str:
    columns = [f"{which} {language}" for which in ("now", "rules before") for language in LANGUAGES]
    lines = [f"| decide, end to end | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for name in found[LANGUAGES[0]]:
        cells = [f"{found[language][name]:.3f}" for language in LANGUAGES]
        old = recorded["figures"] if recorded else {}
        cells += [f"{old[language][name]:.3f}" if old else "-" for language in LANGUAGES]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)
