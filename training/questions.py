"""Trains what a question alone gives away: whether it asks for something that people tell, for something that they
leave untold, or for nothing about themselves. Nobody tells what the blacking of the boat cost; many tell where it is
moored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from celestial_engine.understanding.question import HEAD, LABELS
from training.corpus import LANGUAGES, LabelledTurn
from training.fit import Floats, calibrated, fit, logits_of, samples
from training.people import Kind, counts_as, people

_FOLDS = 5
_EPOCHS, _RATE = 14, 0.25
_LABEL_OF = {Kind.ANSWERED: "told", Kind.CHANGED: "told", Kind.UNTOLD: "untold", Kind.GENERAL: "general"}


class QuestionHead(NamedTuple):
    """Weights over hashed features, their calibration, and the probabilities by weights that left the person out."""

    weights: Floats
    scale: float
    bias: Floats
    held_out: Mapping[
        tuple[str, str], tuple[float, ...]
    ]  # probabilities by person (language and number) and question


def asked_questions() -> list[LabelledTurn]:
    """Returns the questions of the train people, labelled."""
    return [
        LabelledTurn(question.text, {HEAD: _LABEL_OF[question.kind]}, None, None, language + person.number, language)
        for language in LANGUAGES
        for person in people("train", language)
        for question in person.questions
    ]


def question_head(asked: Sequence[LabelledTurn], rows: int, *, seed: int) -> QuestionHead:
    """Fits the head; its calibration comes from people who were left out."""
    wanted = np.array([LABELS.index(turn.labels[HEAD]) for turn in asked])
    fold_of = {person: place % _FOLDS for place, person in enumerate(sorted({turn.person for turn in asked}))}

    def fitted(chosen: Sequence[int]) -> Floats:
        part = samples([asked[i] for i in chosen], trained=True)
        weights = np.array([counts_as(asked[i].person.lstrip(ascii_lowercase)) for i in chosen], np.float32)
        labels = len(LABELS)
        return fit(part, wanted[list(chosen)], weights, labels, rows, seed=seed, epochs=_EPOCHS, rate=_RATE)

    logits = np.zeros((len(asked), len(LABELS)), np.float32)
    for fold in range(_FOLDS):
        held = [i for i, turn in enumerate(asked) if fold_of[turn.person] == fold]
        weights = fitted([i for i, turn in enumerate(asked) if fold_of[turn.person] != fold])
        logits[held] = logits_of(weights, samples([asked[i] for i in held], trained=False))
    scale, bias = calibrated(logits, wanted)
    chances = _softmax(logits.astype(np.float64) * scale + bias)
    held_out = {(turn.person, turn.text): tuple(map(float, row)) for turn, row in zip(asked, chances, strict=True)}
    return QuestionHead(fitted(range(len(asked))), scale, bias, held_out)


def _softmax(raw: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    grown = np.exp(raw - raw.max(1, keepdims=True))
    chances: npt.NDArray[np.float64] = grown / grown.sum(1, keepdims=True)
    return chances
