"""What the ledger records: every change, as ids and numbers, never as text."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from celestial_engine.core.owner import Owner


class EventType(str, Enum):
    STORED = "stored"
    UPDATED = "updated"
    RECALLED = "recalled"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    FORGOTTEN = "forgotten"  # over the cliff, restorable
    RESTORED = "restored"
    PURGED = "purged"  # gone for good; this entry is what remains
    MOVED = "moved"  # to another zone, by hand or by somebody who scores higher
    LAW_CHANGED = "law_changed"  # another memory function, other zones, another time to forget
    REBALANCED = "rebalanced"
    REINDEXED = "reindexed"  # vectors made anew, of all owners


@dataclass(frozen=True)
class Event:
    type: EventType
    owner: Owner
    at: float
    item_id: str | None = None
    detail: dict[str, Any] = field(default_factory=dict)
