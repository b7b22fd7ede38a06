"""Tiers: how long a memory may live, independent of its current score."""

from __future__ import annotations

from datetime import timedelta
from enum import Enum


class Tier(str, Enum):
    M30 = "M30"
    M90 = "M90"
    M365 = "M365"
    M0 = "M0"  # core memory: never expires; changed only with the user's approval

    @property
    def lifetime(self) -> timedelta | None:
        return _LIFETIMES[self]

    @property
    def fading(self) -> float:
        """Decay rate per idle day; a memory never recalled fades after two thirds of its lifetime."""
        return _FADING[self]

    @property
    def next(self) -> Tier | None:
        """The tier after a promotion; M0 needs the user's approval."""
        return _NEXT[self]


_LIFETIMES: dict[Tier, timedelta | None] = {
    Tier.M30: timedelta(days=30),
    Tier.M90: timedelta(days=90),
    Tier.M365: timedelta(days=365),
    Tier.M0: None,
}
_FADING = {Tier.M30: 0.06, Tier.M90: 0.02, Tier.M365: 0.005, Tier.M0: 0.0}
_NEXT = {Tier.M30: Tier.M90, Tier.M90: Tier.M365, Tier.M365: Tier.M0, Tier.M0: None}


class Source(str, Enum):
    """Where a memory came from."""

    CONVERSATION = "conversation"
    OBSERVATION = "observation"
    DISTILLATION = "distillation"
    USER = "user"
    IMPORT = "import"
    IMAGINATION = "imagination"  # never happened: shown, but never distilled

    @property
    def first_tier(self) -> Tier:
        """Overheard memories start with a month, deliberately saved ones with a quarter, imports with a year."""
        return _FIRST_TIERS[self]


_FIRST_TIERS = {
    Source.CONVERSATION: Tier.M30,
    Source.OBSERVATION: Tier.M30,
    Source.DISTILLATION: Tier.M90,
    Source.USER: Tier.M90,
    Source.IMPORT: Tier.M365,
    Source.IMAGINATION: Tier.M30,
}


def expiry(tier: Tier, since: float) -> float | None:
    """When a memory of this tier expires, counted from `since`; None for never."""
    lifetime = tier.lifetime
    return None if lifetime is None else since + lifetime.total_seconds()
