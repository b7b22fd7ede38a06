"""The bandit: decides between the sure cases by what it has learned, and tries out other actions now and then."""

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
# The rules hold unless something else promises so much more: at first, and with experience.
_FIRST_MARGIN, _LEAST_MARGIN = 0.3, 0.1
_MARGIN_HALVES_AFTER = 150  # updates
_SHARPNESS = 5.0

# Between a sure SKIP (0.1) and a sure SAVE (0.7).
_MIDDLE, _MOST_REACH = 0.4, 0.3
_TRUST_GAINED, _TRUST_LOST = 0.02, 0.05


class Band(NamedTuple):
    """The importances between which the bandit may decide."""

    low: float
    high: float

    def holds(self, importance: float) -> bool:
        return self.low < importance < self.high


@dataclass(frozen=True)
class LearnedChoice(Choice):
    """With what the rules and the network would do; on an exam a coin says which of them acts."""

    usual: Action = Action.SKIP
    learned: Action = Action.SKIP
    exam: bool = False


@dataclass(frozen=True)
class Bandit:
    """Chooses for one turn; `seed` is that turn's chance. A sentence vector stands before the ten numbers."""

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
        """What to do, where it is trusted to decide."""
        if not self.band.holds(features.importance):
            return None
        return self.chosen(features.state, by_rules(features).action)

    def chosen(self, state: Sequence[float], usual: Action) -> LearnedChoice:
        """What promises most, unless it is an exam or something is tried out; `usual` is what the rules would do."""
        worth = self.arithmetic.values(self.network, self.state(state))
        learned = _best(worth, usual, self.margin)
        sure = _shares(worth)
        chance = uniforms(self.seed)
        examined, coin, curious, pick = (next(chance) for _ in range(4))
        if examined < 1 / HELD_OUT:
            acting = usual if coin < 0.5 else learned
            return LearnedChoice(acting, sure[acting], False, usual, learned, exam=True)
        if curious < self.epsilon:
            tried = ACTIONS[int(pick * len(ACTIONS))]
            return LearnedChoice(tried, sure[tried], tried is not learned, usual, learned)
        return LearnedChoice(learned, sure[learned], False, usual, learned)


def epsilon_after(updates: int, start: float = EPSILON) -> float:
    """How often something else is tried: less with experience, never not at all."""
    least = min(LEAST_EPSILON, start)
    return least + (start - least) * _halved(updates / _EPSILON_HALVES_AFTER)


def margin_after(updates: int) -> float:
    """How much more something must promise than what the rules would do: less with experience."""
    return _LEAST_MARGIN + (_FIRST_MARGIN - _LEAST_MARGIN) * _halved(updates / _MARGIN_HALVES_AFTER)


def trust_after(trust: float, reward: float, *, departed: bool = True) -> float:
    """Trust from 0 to 1: won slowly, and lost quickly for what departed from the rules.

    Blame for what they would have done as well is a reason to try otherwise.
    """
    change = _TRUST_LOST * reward if departed and reward < 0 else _TRUST_GAINED * abs(reward)
    return min(1.0, max(0.0, trust + change))


def band_of(trust: float) -> Band:
    """The more it is trusted, the further from the middle it may decide; before any reward, nowhere."""
    reach = _MOST_REACH * trust
    return Band(_MIDDLE - reach, _MIDDLE + reach)


def _best(worth: Sequence[float], usual: Action, margin: float) -> Action:
    best = max(ACTIONS, key=lambda action: worth[ACTIONS.index(action)])
    return best if worth[ACTIONS.index(best)] > worth[ACTIONS.index(usual)] + margin else usual


def _halved(times: float) -> float:
    return math.exp(-math.log(2) * min(60.0, times))


def _shares(worth: Sequence[float]) -> dict[Action, float]:
    top = max(worth)
    weights = [math.exp(_SHARPNESS * (value - top)) for value in worth]
    return {action: weight / sum(weights) for action, weight in zip(ACTIONS, weights, strict=True)}
