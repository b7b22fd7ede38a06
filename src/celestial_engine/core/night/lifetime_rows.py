"""The row of a memory that sleep reads: the numbers that decide how long it stays, without its text."""

from __future__ import annotations

from typing import NamedTuple

from celestial_engine.core.record.coordinate import Emotion
from celestial_engine.core.record.forgetting import (
    FADES_BELOW,
    INACTIVE_BELOW,
    INACTIVE_STAY,
    DepartureReason,
    Protection,
    State,
    keep_importance,
)
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.turn.remember_request import asks_to_remember

LIVING = (State.ACTIVE, State.FADED, State.INACTIVE)
_DAY = 86_400.0


class LifetimeRow(NamedTuple):
    """One memory that is active, faded or inactive. Times are seconds since the Unix epoch."""

    key: int
    item_id: str
    state: State
    tier: Tier
    protection: Protection
    created_at: float
    last_recalled_at: float
    recall_count: int
    mention_count: int
    influence_count: int
    expires_at: float | None
    state_since: float | None
    valid_until: float | None
    importance: float
    importance_source: str
    user_rating: int | None
    links: int
    island: str | None
    promoted_from: tuple[str, ...]
    trusted: bool
    intensity: float
    emotions: int  # how many; neutral is none
    sentiment: float
    keywords: tuple[str, ...]
    has_gist: bool
    has_triples: bool
    asked_for: bool  # its text asks to remember it; read in the first tier only
    idle_from: float  # on the owner's clock
    lasting: bool  # a lasting fact: time alone does not end it
    was_read: bool  # how long it stays true is known; not so in memories from before that was read

    @property
    def protected(self) -> bool:
        """Pinned, immutable or core."""
        return self.protection is not Protection.NONE or self.tier is Tier.M0

    @property
    def stays(self) -> bool:
        """Protected or a lasting fact: never fades or expires."""
        return self.protected or self.lasting

    def age(self, now: float) -> float:
        """In days."""
        return (now - self.created_at) / _DAY

    def keep_importance(self, now: float) -> float:
        idle_days = max(0.0, now - self.idle_from) / _DAY
        return keep_importance(self.tier, self.recall_count, idle_days, self.links)

    def leaves_for(self, now: float) -> DepartureReason | None:
        """Returns why it leaves now (its lifetime or thirty inactive days are over), or None."""
        if self.stays:
            return None
        if self.expires_at is not None and self.expires_at <= now:
            return DepartureReason.EXPIRED
        if self.state is State.INACTIVE and self.state_since is not None:
            return DepartureReason.STALE if self.state_since + INACTIVE_STAY.total_seconds() <= now else None
        return None

    def sinks_to(self, now: float) -> State | None:
        """Returns the state it fades to now, or None. Only a recall brings it back."""
        if self.stays or not self.state.in_orbit:
            return None
        importance = self.keep_importance(now)
        if importance < INACTIVE_BELOW:
            return State.INACTIVE
        return State.FADED if importance < FADES_BELOW and self.state is State.ACTIVE else None


def lifetime_row_of(item: CelestialItem, key: int = 0) -> LifetimeRow:
    """Builds the row of an item."""
    return LifetimeRow(
        key, item.id, item.state, item.tier, item.protection, item.created_at, item.last_recalled_at,
        item.recall_count, item.mention_count, item.influence_count, item.expires_at, item.state_since,
        item.validity.until, item.arbitrary_importance, item.importance_source, item.user_rating, item.links.count,
        item.links.island, item.links.promoted_from, item.trust is not Trust.LOW, item.emotion.intensity,
        len(set(item.emotion.tags) - {Emotion.NEUTRAL}), item.emotion.sentiment_score, item.keywords,
        item.resolution.gist is not None, bool(item.resolution.triples),
        item.tier is Tier.M30 and asks_to_remember(item.content), item.idle_from, item.is_lasting,
        item.lifetime is not None,
    )  # fmt: skip
