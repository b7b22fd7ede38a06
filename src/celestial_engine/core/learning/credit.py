"""A turn that was decided, kept as numbers and ids until somebody says what it was worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from zlib import crc32

from celestial_engine.core.learning.rewards import Reward, RewardKind
from celestial_engine.core.turn.policy import Action, Phase

HELD_OUT = 5  # one of so many is never learned from: it examines what was learned from the others

_IN_SO_MANY_WORDS = frozenset({RewardKind.GIVEN, RewardKind.PRAISE, RewardKind.BLAME})


class PendingHit(NamedTuple):
    """A memory that was found for a turn, with the eleven features it was ranked by."""

    item_id: str
    features: tuple[float, ...]


@dataclass(frozen=True)
class PendingTurn:
    """What was done, what the rules and the learned part would have done; no word of what was said."""

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

    @property
    def rewarded(self) -> Reward | None:
        if self.reward is None or self.rewarded_as is None:
            return None
        return Reward(self.reward, self.rewarded_as)

    def takes(self, reward: Reward) -> bool:
        """A turn is credited once; what was said in so many words outranks what was guessed before."""
        if reward.kind in (RewardKind.NONE, RewardKind.UNSURE):
            return False
        return self.rewarded_as is None or (
            reward.kind in _IN_SO_MANY_WORDS and self.rewarded_as not in _IN_SO_MANY_WORDS
        )


def held_out(turn_id: str) -> bool:
    """Whether the hits of this turn examine the reranker instead of teaching it; chance, but the same for ever."""
    return crc32(turn_id.encode()) % HELD_OUT == 0
