"""Personality islands: founded on core memories, stronger with recalls, shaking when all founders are lost."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum
from typing import Any

COLLAPSES_AFTER = timedelta(days=7)
FIRST_STRENGTH = 0.5
REBUILT_FROM = 0.3
A_LINKED_MEMORY = 0.1
STANDS_AGAIN_AT = 0.5
WEAKEST = 0.1
HALVES_AFTER = timedelta(days=90)
A_RECALL_LEAVES = 0.95  # factor for the missing strength, per recall
MOST_NAME = 60
MOST_DESCRIPTION = 300
MOST_EMOJI = 8
_EXACT = 1e-9


class IslandStatus(str, Enum):
    ACTIVE = "active"
    SHAKING = "shaking"  # no founder is left; it can recover until it collapses
    COLLAPSED = "collapsed"  # no longer affects behaviour
    REBUILDING = "rebuilding"


@dataclass(frozen=True)
class Island:
    """A personality trait, and the core memories it is founded on."""

    id: str
    name: str
    emoji: str
    description: str
    founders: tuple[str, ...]
    founded_at: float
    status: IslandStatus = IslandStatus.ACTIVE
    strength: float = FIRST_STRENGTH
    since: float = 0.0  # when it entered this status
    lost: tuple[str, ...] = ()  # founders that were removed and may be restored
    topics: tuple[str, ...] = ()  # keywords of its memories, to find new founders
    recalls: int = 0  # recall count of its memories at the last update
    tended_at: float = 0.0

    @property
    def part(self) -> dict[str, Any]:
        """The fields that only an approval changes."""
        return {
            "name": self.name,
            "emoji": self.emoji,
            "description": self.description,
            "founders": list(self.founders),
        }

    @property
    def in_behaviour(self) -> bool:
        return self.status is not IslandStatus.COLLAPSED

    def with_part(self, part: dict[str, Any]) -> Island:
        founders = tuple(part["founders"])
        return replace(
            self,
            name=part["name"],
            emoji=part["emoji"],
            description=part["description"],
            founders=founders,
            lost=tuple(item_id for item_id in self.lost if item_id not in founders),
        )

    def without_memory(self, item_id: str) -> Island:
        """Removes a purged memory."""
        return replace(
            self,
            founders=tuple(founder for founder in self.founders if founder != item_id),
            lost=tuple(founder for founder in self.lost if founder != item_id),
        )


def with_current_founders(island: Island, core: Collection[str], now: float) -> Island:
    """Updates founders and status: only core memories count as founders."""
    known_founders = tuple(dict.fromkeys((*island.founders, *island.lost)))
    founders = tuple(item_id for item_id in known_founders if item_id in core)
    updated = replace(
        island, founders=founders, lost=tuple(item_id for item_id in known_founders if item_id not in core)
    )
    status, strength = _next_status(updated, now)
    if status is island.status:
        return replace(updated, strength=strength)
    return replace(updated, status=status, strength=strength, since=now)


def _next_status(island: Island, now: float) -> tuple[IslandStatus, float]:
    match island.status:
        case IslandStatus.ACTIVE:
            return (IslandStatus.ACTIVE if island.founders else IslandStatus.SHAKING), island.strength
        case IslandStatus.SHAKING:
            if island.founders:
                return IslandStatus.ACTIVE, island.strength
            over = now >= island.since + COLLAPSES_AFTER.total_seconds()
            return (IslandStatus.COLLAPSED, 0.0) if over else (IslandStatus.SHAKING, island.strength)
        case IslandStatus.COLLAPSED | IslandStatus.REBUILDING:
            if not island.founders:
                return IslandStatus.COLLAPSED, 0.0
            strength = min(1.0, REBUILT_FROM + A_LINKED_MEMORY * (len(island.founders) - 1))
            if island.status is IslandStatus.REBUILDING and strength >= STANDS_AGAIN_AT - _EXACT:
                return IslandStatus.ACTIVE, strength
            return IslandStatus.REBUILDING, strength


def with_updated_strength(island: Island, recalls: int, now: float) -> Island:
    """Updates the strength since the last update: recalls raise it, idle time lowers it."""
    half_lives = max(0.0, now - island.tended_at) / HALVES_AFTER.total_seconds()
    updated = replace(island, recalls=recalls, tended_at=max(now, island.tended_at))
    if island.status is not IslandStatus.ACTIVE:
        return updated
    decayed = max(min(WEAKEST, island.strength), island.strength * 0.5**half_lives)
    new_recalls = max(0, recalls - island.recalls)
    return replace(updated, strength=1.0 - (1.0 - decayed) * A_RECALL_LEAVES**new_recalls)
