"""The heads of a model on labelled turns: what is measured of each, and the limits that must be met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from training.corpus import LABELS, LANGUAGES, YES, LabelledTurn

from benchmarks.decide.scores import Binary, accuracy, binary, calibration_error, confusion, macro_f1
from celestial_engine.core.record.labels import Lifetime
from celestial_engine.core.turn.policy import NEEDS_MEMORY, WORTH_SAVING
from celestial_engine.understanding import default_reader
from celestial_engine.understanding.features import hashed

MOST_SHOWN = 9  # labels of a confusion matrix
APART = 0.03  # the most that the languages may differ
# For each turn, for each head, the chances of its labels.
Chances = Sequence[Mapping[str, Sequence[float]]]


class Limit(NamedTuple):
    name: str
    least: float


LIMITS = (
    Limit("keep F1", 0.90), Limit("act accuracy", 0.92), Limit("lifetime accuracy", 0.85), Limit("memory F1", 0.88),
)  # fmt: skip


@dataclass(frozen=True)
class HeadScores:
    """One head on the turns that carry its label."""

    turns: int
    accuracy: float
    macro_f1: float
    calibration_error: float
    confusion: str


def chances_of_model(turns: Sequence[LabelledTurn]) -> Chances:
    """What the shipped weights say."""
    model = default_reader().model()
    found = []
    for turn in turns:
        text = hashed(turn.text, turn.previous)
        count = len(text.checksums)
        sums = [table.sums(table.rows_of(text)) for table in model.tables]
        found.append({name: model.probabilities(name, sums[model.heads[name].table], count) for name in LABELS})
    return found


def head_scores(name: str, turns: Sequence[LabelledTurn], chances: Chances) -> HeadScores:
    labels = LABELS[name]
    chosen = [(turn.labels[name], found[name]) for turn, found in zip(turns, chances, strict=True)]
    chosen = [(label, found) for label, found in chosen if label in labels]
    wanted = [label for label, _ in chosen]
    said = [_likeliest(labels, found) for _, found in chosen]
    right = [a == b for a, b in zip(wanted, said, strict=True)]
    return HeadScores(
        len(chosen), accuracy(wanted, said), macro_f1(wanted, said),
        calibration_error(right, [max(found) for _, found in chosen]),
        confusion(wanted, said, labels) if len(labels) <= MOST_SHOWN else "",
    )  # fmt: skip


def keep_scores(turns: Sequence[LabelledTurn], chances: Chances) -> Binary:
    """At the thresholds of the policy, which depend on the lifetime that is read."""
    said = []
    for found in chances:
        lifetime = Lifetime(_likeliest(LABELS["lifetime"], found["lifetime"]))
        said.append(found["keep"][LABELS["keep"].index(YES)] >= WORTH_SAVING[lifetime])
    return binary([turn.labels["keep"] == YES for turn in turns], said)


def memory_scores(turns: Sequence[LabelledTurn], chances: Chances) -> Binary:
    """At the threshold of the policy."""
    yes = LABELS["memory"].index(YES)
    return binary(
        [turn.labels["memory"] == YES for turn in turns], [found["memory"][yes] >= NEEDS_MEMORY for found in chances]
    )


def limited_figures(turns: Sequence[LabelledTurn], chances: Chances) -> dict[str, float]:
    """The figures that have limits, by their names."""
    return {
        "keep F1": keep_scores(turns, chances).f1,
        "act accuracy": head_scores("act", turns, chances).accuracy,
        "lifetime accuracy": head_scores("lifetime", turns, chances).accuracy,
        "memory F1": memory_scores(turns, chances).f1,
    }


def summary(turns: Mapping[str, Sequence[LabelledTurn]], chances: Mapping[str, Chances]) -> str:
    """A line for each head and language."""
    lines = ["| head | language | turns | accuracy | macro F1 | calibration error |", "|---|---|---|---|---|---|"]
    for name in LABELS:
        for language in LANGUAGES:
            got = head_scores(name, turns[language], chances[language])
            lines.append(
                f"| {name} | {language} | {got.turns:,} | {got.accuracy:.3f} | {got.macro_f1:.3f} "
                f"| {got.calibration_error:.3f} |"
            )
    return "\n".join(lines)


def at_thresholds(turns: Mapping[str, Sequence[LabelledTurn]], chances: Mapping[str, Chances]) -> str:
    """Keep and memory, as the policy reads their probabilities."""
    lines = ["| at the policy's thresholds | language | precision | recall | F1 |", "|---|---|---|---|---|"]
    for name, of in (("keep", keep_scores), ("memory", memory_scores)):
        for language in LANGUAGES:
            got = of(turns[language], chances[language])
            lines.append(f"| {name} | {language} | {got.precision:.3f} | {got.recall:.3f} | {got.f1:.3f} |")
    return "\n".join(lines)


def limits_table(turns: Mapping[str, Sequence[LabelledTurn]], chances: Mapping[str, Chances]) -> str:
    """Each limit with what was measured: met only if both languages reach it and are not far apart."""
    found = {language: limited_figures(turns[language], chances[language]) for language in LANGUAGES}
    lines = [
        f"| figure | {' | '.join(LANGUAGES)} | at least | apart, at most {APART} | |",
        "|---|---|---|---|---|---|",
    ]
    for limit in LIMITS:
        values = [found[language][limit.name] for language in LANGUAGES]
        apart = max(values) - min(values)
        verdict = "met" if min(values) >= limit.least and apart <= APART else "not met"
        told = " | ".join(f"{value:.3f}" for value in values)
        lines.append(f"| {limit.name} | {told} | {limit.least:.2f} | {apart:.3f} | {verdict} |")
    return "\n".join(lines)


def confusions(turns: Mapping[str, Sequence[LabelledTurn]], chances: Mapping[str, Chances]) -> str:
    """The confusion matrix of each head that has few labels."""
    return "\n\n".join(
        f"{name}, {language}\n\n{head_scores(name, turns[language], chances[language]).confusion}"
        for name, labels in LABELS.items()
        if len(labels) <= MOST_SHOWN
        for language in LANGUAGES
    )


def _likeliest(labels: Sequence[str], chances: Sequence[float]) -> str:
    return labels[max(range(len(labels)), key=chances.__getitem__)]
