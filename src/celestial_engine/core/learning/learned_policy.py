"""The learned policy of one owner, and its update by a reward. Immutable; checkpoints store it."""

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
_PACE_HALVES_AFTER, _LEAST_PACE = 1_000, 0.2  # updates; the learning rate decays with experience, never to zero
_RICH_PACE = 5.0  # its batches are larger, so the rate may be higher
REPLAYS_DRAWN = 2  # draws per replayed turn: about half of all turns cannot be trained on
_MEAN_OVER = 200  # window of the running mean, in rewards
_RERANKER_RATE = 0.05
_RERANKER_GAIN = 0.2  # how much a reward of 1 may move a score

# The guard rail: minimum exams per side, and how much worse, beyond chance, turns the learned part off.
EXAMS_KEPT = 200
_FEWEST_EXAMS = 10
_FEWEST_HITS = 30
_MARGIN = 0.05
_ERRORS = 2.0


def _sizes(state: int) -> tuple[int, ...]:
    """Returns the layer sizes of the network for a state of this length."""
    return PLAIN if state == PLAIN[0] else (state, *_RICH_HIDDEN, len(ACTIONS))


class Exam(NamedTuple):
    """A rewarded turn on which rules and network disagreed and a coin decided which one acted."""

    learned_acted: bool
    reward: float


class ExamResult(NamedTuple):
    """How many exams one side decided, and their mean reward."""

    exams: int
    mean_reward: float


class HitExam(NamedTuple):
    """A held-out hit: what the reranker added to its score, and its reward above the mean."""

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
        return cls(_initial_network(_sizes(state), settings.seed), Reranker.starting())

    @property
    def ranks_with(self) -> Reranker:
        return self.reranker if self.reranker_on else Reranker.starting()


def for_state_length(learned: Learned, state: int, settings: LearningSettings) -> Learned:
    """Adapts to the state length: if it differs the network restarts; the reranker stays."""
    if learned.network.sizes[0] == state:
        return learned
    network = _initial_network(_sizes(state), settings.seed)
    return replace(learned, network=network, updates=0, trust=0.0, on=True, exams=())


def credited(
    learned: Learned,
    turn: PendingTurn,
    reward: float,
    replayed: Sequence[PendingTurn],
    settings: LearningSettings,
    arithmetic: Arithmetic,
    *,
    explicit: bool,
) -> Learned:
    """Returns the policy after a reward; `replayed` are earlier turns to train on again.

    Trust, and with it the room to decide and to explore, is earned by what the user says (`explicit`), not by the
    conversation going on.
    """
    mean = learned.mean_reward  # before this reward, so that a reward is not compared to itself
    after = replace(
        learned,
        rewards=learned.rewards + 1,
        mean_reward=mean + (reward - mean) / min(learned.rewards + 1, _MEAN_OVER),
    )
    after = _reranker_credited(after, turn, reward - mean)
    if not learned.on:
        return after
    # What peers learned earns no trust for the own policy, and loses it none.
    own_decision = turn.shared is None or turn.shared is turn.learned
    if explicit and turn.phase is not Phase.SURE and own_decision:
        after = replace(after, trust=trust_after(after.trust, reward, departed=turn.action is not turn.usual))
    if turn.exam:
        return _with_exam(after, turn, reward) if turn.shared is None else after
    if not is_trainable(turn, learned.network):
        return after
    samples = [_sample(turn, reward - mean)]
    samples += [
        _sample(past, past.reward - mean)
        for past in replayed
        if past.reward is not None and is_trainable(past, learned.network)
    ][: arithmetic.batch(learned.network) - 1]
    rich = learned.network.sizes != PLAIN
    rate = settings.rate * max(_LEAST_PACE, 1.0 / (1.0 + learned.updates / _PACE_HALVES_AFTER))
    rate, dropout = (_RICH_PACE * rate, settings.dropout) if rich else (rate, 0.0)
    training = Training(rate, dropout, mixed(settings.seed, learned.updates))
    network = arithmetic.trained(learned.network, samples, training)
    return replace(after, network=network, updates=learned.updates + 1) if network.sound else after


def exam_results(exams: Sequence[Exam]) -> dict[str, ExamResult]:
    """Returns the exam results of the network and of the rules."""
    sides = {"learned": True, "rules": False}
    rewards_by_side = {
        side: [exam.reward for exam in exams if exam.learned_acted is acted] for side, acted in sides.items()
    }
    return {
        side: ExamResult(len(rewards), _mean(rewards) if rewards else 0.0)
        for side, rewards in rewards_by_side.items()
    }


def worse_than_rules(exams: Sequence[Exam]) -> bool:
    """Whether the network earned clearly less than the rules where they disagreed."""
    learned = [exam.reward for exam in exams if exam.learned_acted]
    rules = [exam.reward for exam in exams if not exam.learned_acted]
    if min(len(learned), len(rules)) < _FEWEST_EXAMS:
        return False
    difference = _mean(rules) - _mean(learned)
    error = math.sqrt(_variance(learned) / len(learned) + _variance(rules) / len(rules))
    return difference > max(_MARGIN, _ERRORS * error)


def ranks_worse(exams: Sequence[HitExam]) -> bool:
    """Whether the reranker clearly ranks bad hits up and good hits down."""
    if len(exams) < _FEWEST_HITS:
        return False
    agreement = [exam.added * exam.worth for exam in exams]
    return _mean(agreement) + _ERRORS * math.sqrt(_variance(agreement) / len(agreement)) < 0.0


@lru_cache(maxsize=4)  # used at every turn until something is learned
def _initial_network(sizes: tuple[int, ...], seed: int) -> Network:
    return Network.starting(sizes, seed)


def _with_exam(learned: Learned, turn: PendingTurn, reward: float) -> Learned:
    if turn.usual is turn.learned:
        return learned
    exams = (*learned.exams, Exam(turn.action is turn.learned, reward))[-EXAMS_KEPT:]
    return replace(learned, exams=exams, on=not worse_than_rules(exams))


def _reranker_credited(learned: Learned, turn: PendingTurn, worth: float) -> Learned:
    if not turn.hits or not learned.reranker_on:
        return learned
    addition = learned.reranker.addition()
    if held_out(turn.turn_id):
        new_exams = (HitExam(_PLAIN.values(addition, hit.features)[0], worth) for hit in turn.hits)
        exams = (*learned.hit_exams, *new_exams)[-EXAMS_KEPT:]
        return replace(learned, hit_exams=exams, reranker_on=not ranks_worse(exams))
    samples = [Sample(hit.features, 0, _RERANKER_GAIN * worth) for hit in turn.hits]
    trained = _PLAIN.trained(addition, samples, Training(_RERANKER_RATE))
    if not trained.sound:
        return learned
    return replace(learned, reranker=Reranker.of(trained), reranker_updates=learned.reranker_updates + 1)


def is_trainable(turn: PendingTurn, network: Network) -> bool:
    """Whether the network could have decided it: not if the rules were sure, or the turn was a question.

    Rewards of such turns say nothing about the cases that the network decides.
    """
    is_question = turn.phase is Phase.RULES and turn.action is Action.RETRIEVE
    return not (turn.exam or is_question or turn.phase is Phase.SURE) and len(turn.state) == network.sizes[0]


def _sample(turn: PendingTurn, worth: float) -> Sample:
    return Sample(turn.state, ACTIONS.index(turn.action), worth)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    mean = _mean(values)
    return sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
