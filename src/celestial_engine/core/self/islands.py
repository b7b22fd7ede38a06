"""Personality islands: stand on core memories, grow by being recalled, shake when their founders go."""

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
A_RECALL_LEAVES = 0.95  # of what is missing to full strength
MOST_NAME = 60
MOST_DESCRIPTION = 300
MOST_EMOJI = 8
_EXACT = 1e-9


class IslandStatus(str, Enum):
    ACTIVE = "active"
    SHAKING = "shaking"  # no founder is left; it can still be saved
    COLLAPSED = "collapsed"  # no part of behaviour any more
    REBUILDING = "rebuilding"


@dataclass(frozen=True)
class Island:
    """A trait, and the core memories that it stands on."""

    id: str
    name: str
    emoji: str
    description: str
    founders: tuple[str, ...]
    founded_at: float
    status: IslandStatus = IslandStatus.ACTIVE
    strength: float = FIRST_STRENGTH
    since: float = 0.0  # when it came into this status
    lost: tuple[str, ...] = ()  # founders that are gone and may come back
    topics: tuple[str, ...] = ()  # what its memories are about: who may found it anew
    recalls: int = 0  # of its memories, as counted last
    tended_at: float = 0.0

    @property
    def part(self) -> dict[str, Any]:
        """What only an approval changes."""
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
        """A memory that is gone for good."""
        return replace(
            self,
            founders=tuple(one for one in self.founders if one != item_id),
            lost=tuple(one for one in self.lost if one != item_id),
        )


def standing(island: Island, core: Collection[str], now: float) -> Island:
    """The island on those of its founders that are core memories now: shaking, collapsing, rising."""
    ever = tuple(dict.fromkeys((*island.founders, *island.lost)))
    founders = tuple(item_id for item_id in ever if item_id in core)
    now_stands = replace(island, founders=founders, lost=tuple(item_id for item_id in ever if item_id not in core))
    status, strength = _next(now_stands, now)
    if status is island.status:
        return replace(now_stands, strength=strength)
    return replace(now_stands, status=status, strength=strength, since=now)


def _next(island: Island, now: float) -> tuple[IslandStatus, float]:
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


def weathered(island: Island, recalls: int, now: float) -> Island:
    """Its strength after the time since it was last looked at: every recall adds, every idle day takes."""
    days = max(0.0, now - island.tended_at) / HALVES_AFTER.total_seconds()
    seen = replace(island, recalls=recalls, tended_at=max(now, island.tended_at))
    if island.status is not IslandStatus.ACTIVE:
        return seen
    fallen = max(min(WEAKEST, island.strength), island.strength * 0.5**days)
    more = max(0, recalls - island.recalls)
    return replace(seen, strength=1.0 - (1.0 - fallen) * A_RECALL_LEAVES**more)
