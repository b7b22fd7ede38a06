"""A decided turn, stored as numbers and ids until a reward arrives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from zlib import crc32

from celestial_engine.core.learning.rewards import Reward, RewardKind
from celestial_engine.core.turn.policy import Action, Phase

HELD_OUT = 5  # one turn in this many is never trained on, but evaluates what was learned

_EXPLICIT = frozenset({RewardKind.GIVEN, RewardKind.PRAISE, RewardKind.BLAME})


class PendingHit(NamedTuple):
    """A memory retrieved for a turn, with the eleven features it was ranked by."""

    item_id: str
    features: tuple[float, ...]


@dataclass(frozen=True)
class PendingTurn:
    """The action taken, and those of the rules (`usual`) and the network (`learned`); no text of the turn."""

    turn_id: str
    session_id: str | None
    at: float
    action: Action
    phase: Phase
    state: tuple[float, ...]
    usual: Action
    learned: Action
    exam: bool = False
    saved_id: str | None = None
    hits: tuple[PendingHit, ...] = ()
    reward: float | None = None
    rewarded_as: RewardKind | None = None
    shared: Action | None = None  # the action of what peers learned, if that took part in the decision
    reason: str | None = None  # a DecisionReason or LOOKED_UP; None: a version noted it that kept none

    @property
    def rewarded(self) -> Reward | None:
        if self.reward is None or self.rewarded_as is None:
            return None
        return Reward(self.reward, self.rewarded_as)

    @property
    def is_judged_by_user(self) -> bool:
        """Whether the user said what it was worth, in words or as a number."""
        return self.rewarded_as in _EXPLICIT

    def takes(self, reward: Reward) -> bool:
        """Whether it accepts this reward: once, but an explicit reward replaces an inferred one."""
        if reward.kind in (RewardKind.NONE, RewardKind.UNSURE):
            return False
        return self.rewarded_as is None or (reward.kind in _EXPLICIT and self.rewarded_as not in _EXPLICIT)


def held_out(turn_id: str) -> bool:
    """Whether this turn's hits evaluate the reranker instead of training it; deterministic by id."""
    return crc32(turn_id.encode()) % HELD_OUT == 0
