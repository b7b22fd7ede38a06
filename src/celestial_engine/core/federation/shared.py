"""What others learned, as a candidate: added to the own policy, compared with it, and switched off when worse.

The own policy is never changed by it. It learns from the own turns alone, so that to leave is to drop the candidate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from celestial_engine.core.federation.parameters import POLICY_WEIGHTS, with_update
from celestial_engine.core.federation.vectors import Vector
from celestial_engine.core.learning.bandit import ACTIONS
from celestial_engine.core.learning.credit import PendingTurn, held_out
from celestial_engine.core.learning.learned_policy import (
    EXAMS_KEPT,
    Exam,
    HitExam,
    Learned,
    is_trainable,
    ranks_worse,
    worse_than_rules,
)
from celestial_engine.core.learning.network import PlainArithmetic, Predictor

_PLAIN = PlainArithmetic()
# The own lessons after which what others learned counts half.
_HALF_AFTER = 200
_BORROWED_LESSONS = 400
_FEWEST_TURNS = 30
_ERRORS = 2.0


@dataclass(frozen=True)
class Shared:
    """The aggregate of what others learned, and how it has done on the own turns since."""

    update: Vector
    at: float
    peers: int  # whose updates are in it
    trust: float = 0.0  # how likely it is that one of them decides like the owner
    on: bool = True
    reranker_on: bool = True
    fits: bool = True  # whether the newest aggregate suits the own recent turns; looked at again with the next one
    exams: tuple[Exam, ...] = ()  # `learned_acted`: the candidate decided, else the own policy
    hit_exams: tuple[HitExam, ...] = ()
    shares: tuple[tuple[str, float], ...] = ()  # how much each peer counts, by key
    inputs: str = ""  # a digest of what it was made of: it is made again when that changes

    @property
    def decides(self) -> bool:
        return self.on and self.fits and self.trust > 0.0


def weight_after(lessons: int) -> float:
    """Returns how much of what others learned counts after so many own lessons: all of it at first."""
    return _HALF_AFTER / (_HALF_AFTER + max(0, lessons))


def combined(own: Learned, shared: Shared) -> Learned:
    """Returns the candidate: the own policy and reranker plus a share of what others learned."""
    policy = weight_after(own.updates) if shared.decides else 0.0
    reranker = weight_after(own.reranker_updates) if shared.reranker_on else 0.0
    added = (
        *(policy * weight for weight in shared.update[:POLICY_WEIGHTS]),
        *(reranker * weight for weight in shared.update[POLICY_WEIGHTS:]),
    )
    candidate = with_update(own, added)
    if not shared.decides:
        return candidate
    return replace(
        candidate, trust=max(own.trust, shared.trust), updates=own.updates + _BORROWED_LESSONS
    )  # fmt: skip


def refreshed(before: Shared | None, newer: Shared) -> Shared:
    """Returns the newer aggregate. Exams go on; what was switched off stays off."""
    if before is None:
        return newer
    return replace(
        newer, on=before.on, reranker_on=before.reranker_on, exams=before.exams, hit_exams=before.hit_exams
    )  # fmt: skip


def examined(shared: Shared, own: Learned, turn: PendingTurn, reward: float) -> Shared:
    """Returns the candidate after a reward: exams count, and switch off what is clearly worse than the own policy."""
    after = shared
    if turn.exam and turn.shared is not None and turn.shared is not turn.learned and shared.on:
        exams = (*shared.exams, Exam(turn.action is turn.shared, reward))[-EXAMS_KEPT:]
        after = replace(after, exams=exams, on=not worse_than_rules(exams))
    if turn.hits and held_out(turn.turn_id) and shared.reranker_on:
        reranker = combined(own, shared).reranker.addition()
        worth = reward - own.mean_reward
        added = (HitExam(_PLAIN.values(reranker, hit.features)[0], worth) for hit in turn.hits)
        hit_exams = (*after.hit_exams, *added)[-EXAMS_KEPT:]
        after = replace(after, hit_exams=hit_exams, reranker_on=not ranks_worse(hit_exams))
    return after


def gain(shared: Shared) -> float | None:
    """Returns how much more the candidate earned than the own policy in exams; None while one side has none."""
    sides = {acted: [exam.reward for exam in shared.exams if exam.learned_acted is acted] for acted in (True, False)}
    if not all(sides.values()):
        return None
    return math.fsum(sides[True]) / len(sides[True]) - math.fsum(sides[False]) / len(sides[False])


def worse_on_own_turns(own: Learned, candidate: Learned, turns: Sequence[PendingTurn]) -> bool:
    """Whether the candidate clearly predicts the rewards of the own recent turns worse than the own policy does.

    This is what keeps out a harmful aggregate before it has decided anything.
    """
    predictors = [Predictor(policy.network) for policy in (candidate, own)]
    differences = []
    for turn in turns:
        if turn.reward is None or not is_trainable(turn, own.network):
            continue
        worth, action = turn.reward - own.mean_reward, ACTIONS.index(turn.action)
        errors = [(predictor.value(turn.state, action) - worth) ** 2 for predictor in predictors]
        differences.append(errors[0] - errors[1])
    if len(differences) < _FEWEST_TURNS:
        return False
    mean = math.fsum(differences) / len(differences)
    variance = math.fsum((value - mean) ** 2 for value in differences) / (len(differences) - 1)
    return mean > _ERRORS * math.sqrt(variance / len(differences))
