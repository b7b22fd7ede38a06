"""Whose policy suits the own turns: people differ, so each peer counts by how well it predicts the own rewards.

The mean of people who want different things helps nobody: what they learned cancels out. But the own turns tell, by
their rewards, whose policy would have known better; those turns taught no peer anything, so the comparison is fair.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from celestial_engine.core.federation.parameters import POLICY_WEIGHTS, with_update
from celestial_engine.core.federation.shared import Shared, combined, worse_on_own_turns
from celestial_engine.core.federation.vectors import Vector, as_stored, weighted_mean
from celestial_engine.core.learning.bandit import ACTIONS
from celestial_engine.core.learning.credit import PendingTurn
from celestial_engine.core.learning.learned_policy import Learned, is_trainable
from celestial_engine.core.learning.network import Network, Predictor
from celestial_engine.core.learning.settings import LearningSettings

COMPARED_TURNS = 100  # the newest ones that a policy could have decided
FEWEST_TURNS = 10  # with fewer, nothing can be said about anybody


@dataclass(frozen=True)
class Likeness:
    """The probability that each peer's policy is the one that predicts the own rewards; the rest is nobody's."""

    shares: tuple[float, ...]
    turns: int  # that were compared

    @property
    def trust(self) -> float:
        return math.fsum(self.shares)


def comparable_turns(turns: Sequence[PendingTurn], network: Network) -> list[PendingTurn]:
    """Returns the newest rewarded turns that a policy could have decided; exams too, which no policy learned from."""
    usable = [turn for turn in turns if turn.reward is not None and is_trainable(replace(turn, exam=False), network)]
    return usable[-COMPARED_TURNS:]


def likeness(
    updates: Sequence[Vector], weights: Sequence[float], turns: Sequence[PendingTurn], mean_reward: float,
    settings: LearningSettings,
) -> Likeness:  # fmt: skip
    """Returns whose update predicts the rewards of these turns, by Bayes' rule.

    Before any turn, nobody has half of the probability and the peers share the other half by `weights`. Errors are
    taken as normal, with the deviation that they have when nothing was learned.
    """
    if len(turns) < FEWEST_TURNS or not updates:
        return Likeness((0.0,) * len(updates), len(turns))
    total = math.fsum(weights)
    priors = [0.5, *(0.5 * weight / total for weight in weights)]
    predictors = [_predictor(None, settings), *(_predictor(update, settings) for update in updates)]
    errors = [_squared_errors(predictor, turns, mean_reward) for predictor in predictors]
    if errors[0] == 0.0:
        return Likeness((0.0,) * len(updates), len(turns))
    scale = len(turns) / (2.0 * errors[0])
    logs = [
        math.log(prior) - scale * error if prior > 0.0 else -math.inf
        for prior, error in zip(priors, errors, strict=True)
    ]
    most = max(logs)
    evidence = [math.exp(log - most) for log in logs]
    whole = math.fsum(evidence)
    return Likeness(tuple(one / whole for one in evidence[1:]), len(turns))


def candidate_from(
    updates: Mapping[str, Vector], weights: Mapping[str, float], own: Learned, turns: Sequence[PendingTurn],
    at: float, settings: LearningSettings,
) -> Shared:  # fmt: skip
    """Returns the candidate from the updates of these peers, by key: policies count by likeness, rerankers by
    `weights` alone, because how turns are decided says nothing about how memories are ranked."""
    vectors, by_age = list(updates.values()), [weights[key] for key in updates]
    compared = comparable_turns(turns, own.network)
    found = likeness(vectors, by_age, compared, own.mean_reward, settings)
    policy = (
        math.fsum(map(float.__mul__, found.shares, column))
        for column in zip(*(update[:POLICY_WEIGHTS] for update in vectors), strict=True)
    )
    reranker = weighted_mean([update[POLICY_WEIGHTS:] for update in vectors], by_age)
    shares = tuple(zip(updates, found.shares, strict=True))
    fresh = Shared(as_stored((*policy, *reranker)), at, len(updates), found.trust, shares=shares)
    return replace(fresh, fits=not worse_on_own_turns(own, combined(own, fresh), compared))


@lru_cache(maxsize=72)  # the most peers, their updates, and nobody's: most turns were compared before
def _predictor(update: Vector | None, settings: LearningSettings) -> Predictor:
    """Returns what a policy with this update predicts; None: one that has learned nothing."""
    start = Learned.starting(settings)
    return Predictor(start.network if update is None else with_update(start, update).network)


def _squared_errors(predictor: Predictor, turns: Sequence[PendingTurn], mean_reward: float) -> float:
    return math.fsum(
        (predictor.value(turn.state, ACTIONS.index(turn.action)) - ((turn.reward or 0.0) - mean_reward)) ** 2
        for turn in turns
    )
