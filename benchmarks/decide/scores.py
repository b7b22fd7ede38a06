"""Scores of classifiers: accuracy, F1, confusion matrix, calibration error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

_BINS = 15


class Binary(NamedTuple):
    """Precision, recall and F1 of a yes."""

    precision: float
    recall: float
    f1: float


def accuracy(wanted: Sequence[object], said: Sequence[object]) -> float:
    return sum(a == b for a, b in zip(wanted, said, strict=True)) / len(wanted) if wanted else 0.0


def binary(wanted: Sequence[bool], said: Sequence[bool]) -> Binary:
    right = sum(a and b for a, b in zip(wanted, said, strict=True))
    precision = right / sum(said) if any(said) else 0.0
    recall = right / sum(wanted) if any(wanted) else 0.0
    return Binary(precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0)


def macro_f1(wanted: Sequence[str], said: Sequence[str]) -> float:
    """The mean F1 of the labels that occur, each counted the same."""
    labels = sorted({*wanted})
    scores = [binary([one == label for one in wanted], [one == label for one in said]).f1 for label in labels]
    return sum(scores) / len(scores) if scores else 0.0


def confusion(wanted: Sequence[str], said: Sequence[str], labels: Sequence[str]) -> str:
    """A table: a row for each true label, a column for each label that was given."""
    counts = dict.fromkeys(((a, b) for a in labels for b in labels), 0)
    for pair in zip(wanted, said, strict=True):
        counts[pair] += 1
    lines = [f"| true \\ given | {' | '.join(labels)} |", "|---" * (len(labels) + 1) + "|"]
    lines += [f"| {a} | " + " | ".join(str(counts[a, b]) for b in labels) + " |" for a in labels]
    return "\n".join(lines)


def calibration_error(right: Sequence[bool], confidence: Sequence[float]) -> float:
    """Expected calibration error: how far confidence is from the share that is right, over bins of confidence."""
    bins: dict[int, list[tuple[bool, float]]] = {}
    for pair in zip(right, confidence, strict=True):
        bins.setdefault(min(_BINS - 1, int(pair[1] * _BINS)), []).append(pair)
    gaps = (abs(sum(ok for ok, _ in found) - sum(sure for _, sure in found)) for found in bins.values())
    return sum(gaps) / len(right) if right else 0.0
