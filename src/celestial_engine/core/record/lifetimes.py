"""Tiers: how long a memory may live, independent of its current score."""

from __future__ import annotations

from datetime import timedelta
from enum import Enum

from celestial_engine.core.record.labels import Lifetime


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
    def is_deliberate(self) -> bool:
        """Saved on purpose, not overheard."""
        return self in (Source.USER, Source.IMPORT)


class TierReason(str, Enum):
    """Why a memory has its tier."""

    GIVEN = "given"  # by the caller
    ASKED = "asked"  # its text asks to remember it
    LASTING = "lasting"  # its text reads as true for a year or more ...
    SEASON = "season"  # ... for some months ...
    PASSING = "passing"  # ... or for days
    DELIBERATE = "deliberate"  # saved on purpose: at least M90, however short it stays true
    UNTRUSTED = "untrusted"  # it looks like an instruction: no longer life than its source gives it
    DISTILLED = "distilled"
    IMAGINED = "imagined"
    PROMOTED_TOPIC = "promoted_topic"  # promoted because ... (core/night/promotion.Why)
    PROMOTED_RECALLED = "promoted_recalled"
    PROMOTED_INTENSE = "promoted_intense"
    PROMOTED_ASKED = "promoted_asked"
    PROMOTED_INFLUENCED = "promoted_influenced"
    PROMOTED_DEEP = "promoted_deep"
    PROMOTED_ISLAND = "promoted_island"
    APPROVED = "approved"  # the user made it a core memory ...
    DECLINED = "declined"  # ... or refused to: a lasting fact then leaves when its year is over


_BY_LIFETIME = {
    Lifetime.PASSING: (Tier.M30, TierReason.PASSING),
    Lifetime.SEASON: (Tier.M90, TierReason.SEASON),
    Lifetime.LASTING: (Tier.M365, TierReason.LASTING),
}
_LASTING = (TierReason.ASKED, TierReason.LASTING)


def first_tier(
    source: Source, lifetime: Lifetime | None, *, requested: bool = False, trusted: bool = True
) -> tuple[Tier, TierReason]:
    """The tier of a new memory by how long its statement stays true, and the reason.

    A request to remember it counts as lasting. What was saved on purpose never starts below M90.
    """
    if source is Source.DISTILLATION:
        return Tier.M90, TierReason.DISTILLED
    if source is Source.IMAGINATION:
        return Tier.M30, TierReason.IMAGINED
    if not trusted:  # an attacker's text must not gain a longer life by asking for it
        return (Tier.M90, TierReason.DELIBERATE) if source.is_deliberate else (Tier.M30, TierReason.UNTRUSTED)
    if requested:
        return Tier.M365, TierReason.ASKED
    tier, reason = _BY_LIFETIME[lifetime or Lifetime.SEASON]
    if tier is Tier.M30 and source.is_deliberate:
        return Tier.M90, TierReason.DELIBERATE
    return tier, reason


def is_lasting(tier: Tier, lifetime: Lifetime | None, reason: TierReason | None, *, superseded: bool) -> bool:
    """Whether a memory is a lasting fact: it leaves by contradiction or by the user's decision, not because of time.

    A tier that a caller gave is obeyed instead. Memories from before reasons were stored count by their reading.
    """
    if tier is not Tier.M365 or superseded:
        return False
    return reason in _LASTING or (reason is None and lifetime is Lifetime.LASTING)


def expiry(tier: Tier, since: float) -> float | None:
    """When a memory of this tier expires, counted from `since`; None for never."""
    lifetime = tier.lifetime
    return None if lifetime is None else since + lifetime.total_seconds()
