"""Forgetting: the states of a memory, its protection, and the cliff that every departure passes.

The cliff is a waiting period: a memory on it can still be restored, then it is purged.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum

from celestial_engine.core.record.lifetimes import Tier

CLIFF_STAY = timedelta(days=7)
STALE_AFTER = timedelta(days=90)
INACTIVE_STAY = timedelta(days=30)  # from the day it went inactive
FADES_BELOW = 0.3
INACTIVE_BELOW = 0.1
_LINK_BOOST = 0.05
_FORGOTTEN_WHEN_STALE = frozenset({Tier.M30, Tier.M90})


class State(str, Enum):
    ACTIVE = "active"
    FADED = "faded"
    INACTIVE = "inactive"
    ARCHIVED = "archived"
    CLIFF = "cliff"
    PURGED = "purged"

    @property
    def in_orbit(self) -> bool:
        """Searched, and placed in a zone."""
        return self in (State.ACTIVE, State.FADED)


class Protection(str, Enum):
    NONE = "none"
    PINNED = "pinned"  # never forgotten automatically; the user may still change or delete it
    IMMUTABLE = "immutable"  # update and delete are refused
    CORE = "core"  # M0: changed only with the user's approval


class DepartureReason(str, Enum):
    """Why a memory went over the cliff."""

    EXPIRED = "expired"
    DISPLACED = "displaced"
    MANUAL = "manual"
    STALE = "stale"
    MERGED = "merged"


@dataclass(frozen=True)
class Departure:
    """A stay on the cliff: why, since when, and when the memory is purged."""

    reason: DepartureReason
    at: float
    purge_at: float

    @classmethod
    def begin(cls, reason: DepartureReason, now: float) -> Departure:
        return cls(reason, now, now + CLIFF_STAY.total_seconds())


def stale_moment(tier: Tier, protection: Protection, idle_from: float, stale_after: timedelta | None) -> float | None:
    """When this memory becomes stale, if it is in the outermost zone then; None if it never does."""
    if stale_after is None or protection is not Protection.NONE or tier not in _FORGOTTEN_WHEN_STALE:
        return None
    return idle_from + stale_after.total_seconds()


def keep_importance(tier: Tier, recall_count: int, idle_days: float, links: int) -> float:
    """How much a memory is worth keeping, 0 or more; recalls and links slow the decay."""
    return (1 + recall_count) * math.exp(-tier.fading * idle_days) + _LINK_BOOST * links
