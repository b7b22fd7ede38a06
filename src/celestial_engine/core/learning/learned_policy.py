"""What was learned for one owner, and how a reward changes it. A value: this is what a checkpoint holds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from celestial_engine.core.learning.bandit import ACTIONS, PLAIN, trust_after
from celestial_engine.core.learning.credit import PendingTurn, held_out
from celestial_engine.core.learning.network import Arithmetic, Network, PlainArithmetic, Sample, Training
from celestial_engine.core.learning.reranker import Reranker
from celestial_engine.core.learning.seeded_random import mixed
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.turn.policy import Action, Phase

_PLAIN = PlainArithmetic()
_RICH_HIDDEN = (256, 128)
_PACE_HALVES_AFTER, _LEAST_PACE = 1_000, 0.2  # lessons: smaller steps with experience, never none
_RICH_PACE = 5.0  # its steps see more turns, so each may be longer
REPLAYS_DRAWN = 2  # for each that is wanted: about half of all turns teach nothing
_MEAN_OVER = 200  # rewards; the mean follows no faster than this
_RERANKER_RATE = 0.05
_RERANKER_GAIN = 0.2  # what a whole point of reward may move a score

# The guard rail: of each side at least so many, and so much worse, by more than chance would have it.
EXAMS_KEPT = 200
_FEWEST_EXAMS = 10
_FEWEST_HITS = 30
_MARGIN = 0.05
_ERRORS = 2.0


def _sizes(state: int) -> tuple[int, ...]:
    """The network for a state of so many numbers."""
    return PLAIN if state == PLAIN[0] else (state, *_RICH_HIDDEN, len(ACTIONS))


class Exam(NamedTuple):
    """A turn on which rules and learned part disagreed, a coin chose, and somebody judged."""

    learned_acted: bool
    reward: float


class ExamResult(NamedTuple):
    """How often one side acted on an exam, and what that earned on the average."""

    exams: int
    mean_reward: float


class HitExam(NamedTuple):
    """A hit that was never learned from: what the reranker added to it, and what it was worth above the mean."""

    added: float
    worth: float


@dataclass(frozen=True)
class Learned:
    network: Network
    reranker: Reranker
    updates: int = 0
    reranker_updates: int = 0
    rewards: int = 0
    mean_reward: float = 0.0
    trust: float = 0.0
    on: bool = True
    reranker_on: bool = True
    exams: tuple[Exam, ...] = ()
    hit_exams: tuple[HitExam, ...] = ()

    @classmethod
    def starting(cls, settings: LearningSettings, state: int = PLAIN[0]) -> Learned:
        return cls(_untaught(_sizes(state), settings.seed), Reranker.starting())

    @property
    def ranks_with(self) -> Reranker:
        return self.reranker if self.reranker_on else Reranker.starting()


def seen_by(learned: Learned, state: int, settings: LearningSettings) -> Learned:
    """The same for states of so many numbers: where the network saw others, it begins anew; the reranker stays."""
    if learned.network.sizes[0] == state:
        return learned
    network = _untaught(_sizes(state), settings.seed)
    return replace(learned, network=network, updates=0, trust=0.0, on=True, exams=())


def credited(
    learned: Learned,
    turn: PendingTurn,
    reward: float,
    replayed: Sequence[PendingTurn],
    settings: LearningSettings,
    arithmetic: Arithmetic,
) -> Learned:
    """What is known after a turn was judged; `replayed` are earlier ones, learned from once more."""
    mean = learned.mean_reward  # before this reward, so that one reward is not measured by itself
    after = replace(
        learned,
        rewards=learned.rewards + 1,
        mean_reward=mean + (reward - mean) / min(learned.rewards + 1, _MEAN_OVER),
    )
    after = _reranker_credited(after, turn, reward - mean)
    if not learned.on:
        return after
    if turn.phase is not Phase.SURE:
        after = replace(after, trust=trust_after(after.trust, reward, departed=turn.action is not turn.usual))
    if turn.exam:
        return _examined(after, turn, reward)
    if not _teaches(turn, learned.network):
        return after
    samples = [_sample(turn, reward - mean)]
    samples += [
        _sample(one, one.reward - mean)
        for one in replayed
        if one.reward is not None and _teaches(one, learned.network)
    ][: arithmetic.batch(learned.network) - 1]
    rich = learned.network.sizes != PLAIN
    rate = settings.rate * max(_LEAST_PACE, 1.0 / (1.0 + learned.updates / _PACE_HALVES_AFTER))
    rate, dropout = (_RICH_PACE * rate, settings.dropout) if rich else (rate, 0.0)
    training = Training(rate, dropout, mixed(settings.seed, learned.updates))
    network = arithmetic.trained(learned.network, samples, training)
    return replace(after, network=network, updates=learned.updates + 1) if network.sound else after


def standings_of(exams: Sequence[Exam]) -> dict[str, ExamResult]:
    """How the two sides of the exams stand."""
    sides = {"learned": True, "rules": False}
    found = {side: [exam.reward for exam in exams if exam.learned_acted is acted] for side, acted in sides.items()}
    return {side: ExamResult(len(rewards), _mean(rewards) if rewards else 0.0) for side, rewards in found.items()}


def worse_than_rules(exams: Sequence[Exam]) -> bool:
    """Whether the learned part earned clearly less than the rules where the two disagreed."""
    learned = [exam.reward for exam in exams if exam.learned_acted]
    rules = [exam.reward for exam in exams if not exam.learned_acted]
    if min(len(learned), len(rules)) < _FEWEST_EXAMS:
        return False
    behind = _mean(rules) - _mean(learned)
    error = math.sqrt(_variance(learned) / len(learned) + _variance(rules) / len(rules))
    return behind > max(_MARGIN, _ERRORS * error)


def ranks_worse(exams: Sequence[HitExam]) -> bool:
    """Whether the reranker clearly lifts what disappoints and lowers what pleases."""
    if len(exams) < _FEWEST_HITS:
        return False
    agreement = [exam.added * exam.worth for exam in exams]
    return _mean(agreement) + _ERRORS * math.sqrt(_variance(agreement) / len(agreement)) < 0.0


@lru_cache(maxsize=4)  # asked for at every turn until something is learned
def _untaught(sizes: tuple[int, ...], seed: int) -> Network:
    return Network.starting(sizes, seed)


def _examined(learned: Learned, turn: PendingTurn, reward: float) -> Learned:
    if turn.usual is turn.learned:
        return learned
    exams = (*learned.exams, Exam(turn.action is turn.learned, reward))[-EXAMS_KEPT:]
    return replace(learned, exams=exams, on=not worse_than_rules(exams))


def _reranker_credited(learned: Learned, turn: PendingTurn, worth: float) -> Learned:
    if not turn.hits or not learned.reranker_on:
        return learned
    addition = learned.reranker.addition()
    if held_out(turn.turn_id):
        found = (HitExam(_PLAIN.values(addition, hit.features)[0], worth) for hit in turn.hits)
        exams = (*learned.hit_exams, *found)[-EXAMS_KEPT:]
        return replace(learned, hit_exams=exams, reranker_on=not ranks_worse(exams))
    samples = [Sample(hit.features, 0, _RERANKER_GAIN * worth) for hit in turn.hits]
    trained = _PLAIN.trained(addition, samples, Training(_RERANKER_RATE))
    if not trained.sound:
        return learned
    return replace(learned, reranker=Reranker.of(trained), reranker_updates=learned.reranker_updates + 1)


def _teaches(turn: PendingTurn, network: Network) -> bool:
    """Whether it might have been decided by what is learned: where the rules were sure, or something was asked, not.

    What pleases there says nothing about the turns in between, and would be taken for it.
    """
    asked = turn.phase is Phase.RULES and turn.action is Action.RETRIEVE
    return not (turn.exam or asked or turn.phase is Phase.SURE) and len(turn.state) == network.sizes[0]


def _sample(turn: PendingTurn, worth: float) -> Sample:
    return Sample(turn.state, ACTIONS.index(turn.action), worth)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    mean = _mean(values)
    return sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
