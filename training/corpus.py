"""Reads the labelled turns and pairs of `corpus/`; see corpus/README.md for the format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from celestial_engine.core.record.item import Category
from celestial_engine.core.record.labels import Act, Attribute, Lifetime, Subject

ROOT = Path(__file__).parents[1] / "corpus"
LANGUAGES = ("en", "ko")
PARTS = ("train", "development", "test", "talkative", "strangers", "conversations")
YES, NO, NONE = "y", "n", "-"

# The heads of the model in the order of their columns in the corpus, with their labels.
LABELS: dict[str, tuple[str, ...]] = {
    "act": tuple(act.value for act in Act),
    "keep": (NO, YES),
    "lifetime": tuple(lifetime.value for lifetime in Lifetime),
    "memory": (NO, YES),
    "category": tuple(category.value for category in Category),
    "subject": tuple(subject.value for subject in Subject),
    "attribute": tuple(attribute.value for attribute in Attribute),
}


class LabelledTurn(NamedTuple):
    """One turn of one person; `previous` is what the assistant had said before it, if that matters."""

    text: str
    labels: dict[str, str]
    value: str | None
    previous: str | None
    person: str
    language: str


class Pair(NamedTuple):
    """Two statements of one person, the second said later."""

    label: str  # replaces, same, both
    wording: str  # free, near
    first: str
    second: str
    person: str = ""  # who said them, if it is one of `people`


def turns(part: str, language: str | None = None) -> list[LabelledTurn]:
    """Returns the turns of a part, person by person."""
    return [
        turn
        for each in LANGUAGES
        if language in (None, each)
        for path in sorted((ROOT / each / part).glob("*.tsv"))
        for turn in turns_in(path, each)
    ]


def turns_in(path: Path, language: str) -> Iterator[LabelledTurn]:
    """Yields the turns of one person; raises ValueError for a line that is not labelled as the guide says."""
    previous: str | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if line.startswith("> "):
            previous = line[2:]
        elif line.startswith("# ") or not line:
            previous = None
        else:
            columns = line.split("\t")
            if len(columns) != len(LABELS) + 2:
                raise ValueError(f"{path.name}:{number}: {len(columns)} columns")
            labels, value, text = dict(zip(LABELS, columns, strict=False)), columns[-2], columns[-1]
            _check(labels, value, text, f"{path.name}:{number}")
            yield LabelledTurn(text, labels, None if value == NONE else value, previous, path.stem, language)
            previous = None


def pairs(part: str, language: str) -> list[Pair]:
    lines = (ROOT / "pairs" / language / f"{part}.tsv").read_text(encoding="utf-8").split("\n")
    return [Pair(*line.split("\t")) for line in lines if line]


def _check(labels: dict[str, str], value: str, text: str, place: str) -> None:
    kept = labels["keep"] == YES
    for name, label in labels.items():
        always = name in ("act", "keep", "memory")
        allowed = LABELS[name] if always or kept else (NONE,)
        if label not in allowed:
            raise ValueError(f"{place}: {name} {label!r}")
    if not text.strip() or (value != NONE and (not kept or value not in text)):
        raise ValueError(f"{place}: value {value!r}")
