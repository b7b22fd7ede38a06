"""What a peer can learn from the parameters it gets: a turn among the lessons, and the kind of user."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from statistics import mean
from typing import Any

from benchmarks.federation.users import ARITHMETIC, SETTINGS, User
from benchmarks.measure import say
from benchmarks.selfplay.users import PERSONALITIES
from celestial_engine.core.federation.parameters import with_update
from celestial_engine.core.federation.vectors import Vector, clipped, noised
from celestial_engine.core.learning.bandit import ACTIONS
from celestial_engine.core.learning.credit import PendingTurn
from celestial_engine.core.learning.learned_policy import Learned, is_trainable
from celestial_engine.core.learning.seeded_random import mixed

_MAX_NORM = 0.5
_NOISE = (0.0, 0.1, 1.0, 5.0)  # multiples of the longest update


def privacy(seeds: Sequence[int], turns: int = 400) -> dict[str, Any]:
    """AUC of guessing whether a turn was a lesson (0.5: a coin), and how often a user's kind is guessed (0.2)."""
    users = [User(person, mixed(seed, place, 9)) for seed in seeds for place, person in enumerate(PERSONALITIES)]
    for user in users:
        user.live(turns)
    updates = [clipped(user.update(), _MAX_NORM) for user in users]
    members = [list(user.past) for user in users]
    rewards = [user.learned.mean_reward for user in users]
    for user in users:
        user.live(turns)
    strangers = [list(user.past)[-turns // 2 :] for user in users]
    figures = {}
    for noise in _NOISE:
        chance = random.Random(1)
        sent = [noised(update, noise * _MAX_NORM, iter(chance.random, None)) for update in updates]
        areas = [
            _area(_scores(update, inside, reward), _scores(update, outside, reward))
            for update, inside, outside, reward in zip(sent, members, strangers, rewards, strict=True)
        ]
        kinds = mean(_guessed(place, sent, len(PERSONALITIES)) for place in range(len(sent)))
        figures[f"noise {noise}"] = {"membership AUC": round(mean(areas), 3), "kind guessed": round(kinds, 3)}
        say(f"noise {noise}: membership AUC {mean(areas):.3f}, kind of user guessed {kinds:.0%}")
    return figures


def _scores(update: Vector, turns: Sequence[PendingTurn], mean_reward: float) -> list[float]:
    """How much better the received parameters predict a turn's reward than the starting ones do."""
    start = Learned.starting(SETTINGS)
    received = with_update(start, update)
    scores = []
    for turn in turns:
        if turn.reward is None or not is_trainable(replace(turn, exam=False), start.network):
            continue
        worth, action = turn.reward - mean_reward, ACTIONS.index(turn.action)
        errors = [abs(ARITHMETIC.values(one.network, turn.state)[action] - worth) for one in (start, received)]
        scores.append(errors[0] - errors[1])
    return scores


def _area(inside: Sequence[float], outside: Sequence[float]) -> float:
    """The area under the curve: how often a lesson scores above a turn that was none."""
    wins = sum((one > other) + 0.5 * (one == other) for one in inside for other in outside)
    return wins / (len(inside) * len(outside))


def _guessed(place: int, sent: Sequence[Vector], kinds: int) -> bool:
    """Whether the nearest other update is of the same kind of user; users come in turn, kind by kind."""
    others = (other for other in range(len(sent)) if other != place)
    nearest = min(others, key=lambda other: math.dist(sent[place], sent[other]))
    return nearest % kinds == place % kinds
