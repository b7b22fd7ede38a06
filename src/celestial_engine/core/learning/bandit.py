"""The bandit: decides by the learned network where the rules are unsure, and sometimes explores other actions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from celestial_engine.core.learning.credit import HELD_OUT
from celestial_engine.core.learning.network import Arithmetic, Network, PlainArithmetic
from celestial_engine.core.learning.seeded_random import uniforms
from celestial_engine.core.turn.features import TurnFeatures
from celestial_engine.core.turn.policy import Action, Choice, by_rules

ACTIONS = (Action.SAVE, Action.SKIP, Action.RETRIEVE)
STATE_SIZE = 10
PLAIN = (STATE_SIZE, 64, len(ACTIONS))

EPSILON, LEAST_EPSILON = 0.1, 0.02
_EPSILON_HALVES_AFTER = 500  # updates
# How much an action's value must exceed the rules' choice to replace it: at first, and with experience.
_FIRST_MARGIN, _LEAST_MARGIN = 0.3, 0.1
_MARGIN_HALVES_AFTER = 150  # updates
_SHARPNESS = 5.0

# The middle between a sure SKIP (0.1) and a sure SAVE (0.7).
_MIDDLE, _MOST_REACH = 0.4, 0.3
_TRUST_GAINED, _TRUST_LOST = 0.02, 0.05


class Band(NamedTuple):
    """The range of importance in which the bandit may decide."""

    low: float
    high: float

    def holds(self, importance: float) -> bool:
        return self.low < importance < self.high


@dataclass(frozen=True)
class LearnedChoice(Choice):
    """A choice with the actions of the rules (`usual`) and the network; in an exam a coin decides which acts."""

    usual: Action = Action.SKIP
    learned: Action = Action.SKIP
    exam: bool = False
    shared: Action | None = None  # of what peers learned, if that took part


class Judged(NamedTuple):
    """The action with the best value, and how sure each action is."""

    action: Action
    confidence: dict[Action, float]


@dataclass(frozen=True)
class Bandit:
    """Chooses for one turn; `seed` makes it repeatable. A sentence vector precedes the ten numbers of the state."""

    network: Network
    epsilon: float
    seed: int
    band: Band
    margin: float = _LEAST_MARGIN
    sentence: tuple[float, ...] = ()
    arithmetic: Arithmetic = field(default_factory=PlainArithmetic)

    def state(self, state: Sequence[float]) -> tuple[float, ...]:
        return (*self.sentence, *state)

    def choose(self, features: TurnFeatures) -> LearnedChoice | None:
        """Returns a choice if the importance is in the band, else None."""
        if not self.band.holds(features.importance):
            return None
        return self.chosen(features.state, by_rules(features).action)

    def judged(self, state: Sequence[float], usual: Action) -> Judged:
        """Returns the best action by value, without exams and exploration."""
        values = self.arithmetic.values(self.network, self.state(state))
        return Judged(_best(values, usual, self.margin), _softmax(values))

    def chosen(self, state: Sequence[float], usual: Action) -> LearnedChoice:
        """Returns the best action by value, except in exams and exploration; `usual` is the rules' choice."""
        learned, confidence = self.judged(state, usual)
        random_numbers = uniforms(self.seed)
        exam_draw, coin, explore_draw, action_draw = (next(random_numbers) for _ in range(4))
        if exam_draw < 1 / HELD_OUT:
            acting = usual if coin < 0.5 else learned
            return LearnedChoice(acting, confidence[acting], False, usual, learned, exam=True)
        if explore_draw < self.epsilon:
            tried = ACTIONS[int(action_draw * len(ACTIONS))]
            return LearnedChoice(tried, confidence[tried], tried is not learned, usual, learned)
        return LearnedChoice(learned, confidence[learned], False, usual, learned)


def epsilon_after(updates: int, start: float = EPSILON) -> float:
    """Returns the exploration rate: falls with experience, but never to zero."""
    least = min(LEAST_EPSILON, start)
    return least + (start - least) * _halved(updates / _EPSILON_HALVES_AFTER)


def margin_after(updates: int) -> float:
    """Returns the margin by which a value must exceed the rules' choice: falls with experience."""
    return _LEAST_MARGIN + (_FIRST_MARGIN - _LEAST_MARGIN) * _halved(updates / _MARGIN_HALVES_AFTER)


def trust_after(trust: float, reward: float, *, departed: bool = True) -> float:
    """Returns the new trust, 0 to 1: gained slowly, lost quickly for actions that departed from the rules.

    Blame for an action that the rules would also have chosen raises trust.
    """
    change = _TRUST_LOST * reward if departed and reward < 0 else _TRUST_GAINED * abs(reward)
    return min(1.0, max(0.0, trust + change))


def band_of(trust: float) -> Band:
    """Returns the band for a trust: wider with more trust, empty without."""
    reach = _MOST_REACH * trust
    return Band(_MIDDLE - reach, _MIDDLE + reach)


def _best(values: Sequence[float], usual: Action, margin: float) -> Action:
    best = max(ACTIONS, key=lambda action: values[ACTIONS.index(action)])
    return best if values[ACTIONS.index(best)] > values[ACTIONS.index(usual)] + margin else usual


def _halved(times: float) -> float:
    return math.exp(-math.log(2) * min(60.0, times))


def _softmax(values: Sequence[float]) -> dict[Action, float]:
    top = max(values)
    weights = [math.exp(_SHARPNESS * (value - top)) for value in values]
    return {action: weight / sum(weights) for action, weight in zip(ACTIONS, weights, strict=True)}
