"""Status of the learned policy, for display."""

from __future__ import annotations

from dataclasses import dataclass

from celestial_engine.core.learning.bandit import Band
from celestial_engine.core.learning.learned_policy import ExamResult
from celestial_engine.core.turn.policy import Action


@dataclass(frozen=True)
class PolicyStatus:
    """Status of the learned policy. `actions` counts those of stored turns; `version` 0 means nothing is learned."""

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
