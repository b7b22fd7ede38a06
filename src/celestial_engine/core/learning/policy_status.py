"""What was learned so far, for whoever asks."""

from __future__ import annotations

from dataclasses import dataclass

from celestial_engine.core.learning.bandit import Band
from celestial_engine.core.learning.learned_policy import ExamResult
from celestial_engine.core.turn.policy import Action


@dataclass(frozen=True)
class PolicyStatus:
    """What was learned so far. `actions` are those of the turns that are still kept; `version` 0: nothing yet."""

    enabled: bool
    on: bool
    reranker_on: bool
    version: int
    epsilon: float
    updates: int
    reranker_updates: int
    rewards: int
    mean_reward: float
    trust: float
    band: Band
    actions: dict[Action, int]
    exams: dict[str, ExamResult]
    damaged: tuple[int, ...]
