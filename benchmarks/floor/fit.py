"""Logistic regression with numpy, and the floor: the same data give the same weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.floor.collect import Asked
from benchmarks.floor.people import Kind
from celestial_engine.core.retrieval.relevance import FEATURES, NO_EMBEDDER, TOPICS, UNKNOWN_EMBEDDER, least_returned

Floats = npt.NDArray[np.float64]

_OF_VECTORS = ("closeness", "deviation", "lead", "behind", "best")
_OF_TOPICS = ("topic", "topic alone", "topic behind", "topic lead")
# How much a question to each kind of store counts.
_COUNTS_AS = {"own": 1.0, "LoCoMo": 1.0, "only 2": 0.3, "only 5": 0.5}
_OTHERS_COUNT_AS = 0.7
_ADVERSARIAL_COUNTS_AS = 0.1  # the same words, said by the other person: no feature here can tell
_GENERAL_IN_DIALOGUE_COUNTS_AS = 0.2  # the same questions to every conversation
_BESIDE_COUNTS_AS = 0.1  # other hits of a question that has an answer: they may help, too
_BY_RANK = (1.0, 0.5, 0.5, 0.25, 0.25)  # hits of a question without an answer
_PENALTY = 2.0
_STEPS = 40
# Of the answers that are found without a floor, so many must still be found. Words alone find little that is wrong;
# topics and vectors find something for every question, and vectors that carry no meaning, or an unknown one, mostly
# wrongly.
_KEPT = {NO_EMBEDDER: 0.97, TOPICS: 0.82, "hashed": 0.88, UNKNOWN_EMBEDDER: 0.88}
_KEPT_WITH_VECTORS = 0.92

Scored = Sequence[tuple[Asked, Sequence[float]]]


@dataclass(frozen=True)
class Fitted:
    """Weights of FEATURES and the constant."""

    weights: Mapping[str, float]
    constant: float

    def probability(self, features: Mapping[str, float]) -> float:
        if features["keywords"] >= 1.0:
            return 0.9
        total = self.constant + sum(weight * features[name] for name, weight in self.weights.items())
        return float(1 / (1 + np.exp(-np.clip(total, -30, 30))))

    def scored(self, asked: Iterable[Asked]) -> Scored:
        return [(each, [self.probability(hit.features) for hit in each.hits]) for each in asked]


def fit(asked: Iterable[Asked], embedder: str) -> Fitted:
    """Fits how likely a hit answers: hits that do, against the best hits of questions that nothing answers."""
    left_out: tuple[str, ...] = () if embedder == TOPICS else _OF_TOPICS
    if embedder in (NO_EMBEDDER, TOPICS):
        left_out += _OF_VECTORS
    elif embedder == UNKNOWN_EMBEDDER:
        left_out += ("closeness",)
    names = [name for name in FEATURES if name not in left_out]
    rows, answers, counts = list[list[float]](), list[float](), list[float]()
    for each in asked:
        for hit, counts_as in zip(each.hits, _weights_of(each), strict=False):
            rows.append([hit.features[name] for name in names])
            answers.append(float(hit.answers))
            counts.append(counts_as)
    weights, constant = _regression(np.array(rows), np.array(answers), np.array(counts))
    known = dict(zip(names, (round(float(weight), 3) for weight in weights), strict=True))
    return Fitted({name: known.get(name, 0.0) for name in FEATURES}, round(constant, 3))


def _weights_of(asked: Asked) -> list[float]:
    whole = _COUNTS_AS.get(asked.store.group, _OTHERS_COUNT_AS)
    if asked.question.kind is Kind.ANSWERED:
        answering = sum(hit.answers for hit in asked.hits) or 1
        return [whole / answering if hit.answers else whole * _BESIDE_COUNTS_AS for hit in asked.hits]
    if asked.store.group == "LoCoMo":
        whole *= _ADVERSARIAL_COUNTS_AS if asked.question.kind is Kind.UNTOLD else _GENERAL_IN_DIALOGUE_COUNTS_AS
    return [whole * share for share in _BY_RANK]


def _regression(rows: Floats, answers: Floats, counts: Floats) -> tuple[Floats, float]:
    """Newton's method with a penalty on large weights of standardised features."""
    mean, spread = rows.mean(0), rows.std(0) + 1e-9
    data = np.c_[(rows - mean) / spread, np.ones(len(rows))]
    penalty = np.r_[np.full(data.shape[1] - 1, _PENALTY), 0.0]
    weights = np.zeros(data.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(data @ weights, -30, 30)))
        curvature = (data * (chance * (1 - chance) * counts + 1e-9)[:, None]).T @ data + np.diag(penalty)
        weights += np.linalg.solve(curvature, data.T @ (counts * (answers - chance)) - penalty * weights)
    scaled = weights[:-1] / spread
    return scaled, float(weights[-1] - (scaled * mean).sum())


@dataclass(frozen=True)
class Rates:
    """Shares: of questions whose answer is returned, and of those without an answer that get one."""

    found: float
    untold: float
    general: float


def rates(scored: Scored, floor: float) -> Rates:
    def share(kind: Kind) -> float:
        values = [_answered(each, chances, floor) for each, chances in scored if each.question.kind is kind]
        return sum(values) / len(values) if values else float("nan")

    return Rates(share(Kind.ANSWERED), share(Kind.UNTOLD), share(Kind.GENERAL))


def _answered(asked: Asked, chances: Sequence[float], floor: float) -> bool:
    best = max(chances, default=0.0)
    returned = [
        hit
        for hit, chance in zip(asked.hits, chances, strict=True)
        if chance >= least_returned(best, floor, in_dialogue=hit.features["line"] > 0)
    ]
    return any(hit.answers for hit in returned) if asked.question.kind is Kind.ANSWERED else bool(returned)


def chosen_floor(scored: Scored, embedder: str) -> float:
    """Returns the highest floor that keeps the required share of the answers."""
    least = _KEPT.get(embedder, _KEPT_WITH_VECTORS) * rates(scored, 0.0).found
    return max((step / 100 for step in range(1, 96) if rates(scored, step / 100).found >= least), default=0.01)


def crossed(asked: Sequence[Asked], embedder: str) -> tuple[Scored, list[float]]:
    """Judges each person by weights that were fitted to the other half of the people; and the floor of each half."""
    scored: list[tuple[Asked, Sequence[float]]] = []
    floors = []
    for half in (True, False):
        fitted = fit([each for each in asked if each.store.is_for_choosing is half], embedder)
        own = [each for each in asked if each.store.is_for_choosing is half and each.store.group == "own"]
        floors.append(chosen_floor(fitted.scored(own), embedder))
        scored += fitted.scored(each for each in asked if each.store.is_for_choosing is not half)
    return scored, floors


def crossed_rates(scored: Scored, floors: Sequence[float]) -> Rates:
    """Judges each half of the people by the floor that the other half chose."""
    halves = [
        rates([pair for pair in scored if pair[0].store.is_for_choosing is not half], floor)
        for half, floor in zip((True, False), floors, strict=True)
    ]
    return Rates(*(sum(getattr(half, name) for half in halves) / 2 for name in ("found", "untold", "general")))
