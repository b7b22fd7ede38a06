"""ItemState: everything that is known about one memory on all devices. Joining two states loses nothing.

Counts are kept for each device and added up. Whether the memory is kept, its lifetime and its texts are registers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from celestial_engine.core.checks import MOST_COUNTED
from celestial_engine.core.record.forgetting import DepartureReason, Protection, State
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.sync.registers import Register, Version

COUNTS = ("recall_count", "mention_count", "influence_count")
AUTOMATIC_REASONS = (DepartureReason.EXPIRED.value, DepartureReason.STALE.value, DepartureReason.DISPLACED.value)
RECALLS = "recalls"  # of a memory that left because of time: how often it was known to be recalled
_FORGOTTEN = {State.CLIFF.value: 1, State.PURGED.value: 2}
Counts = Mapping[str, Mapping[str, tuple[int, int]]]  # by field and device: the number of the write, and the count
Value = dict[str, Any]


@dataclass(frozen=True)
class ItemState:
    """`presence`: kept, faded or forgotten. `tier`: lifetime and protection. `texts`: everything else, in groups."""

    counts: Counts = field(default_factory=dict)
    recalled_at: float = 0.0
    presence: Register = field(default_factory=Register)
    tier: Register = field(default_factory=Register)
    texts: Mapping[str, Register] = field(default_factory=dict)

    def join(self, other: ItemState) -> ItemState:
        joined = ItemState(
            _joined_counts(self.counts, other.counts),
            max(self.recalled_at, other.recalled_at),
            self.presence.join(other.presence),
            self.tier.join(other.tier),
            {
                name: self.texts.get(name, Register()).join(other.texts.get(name, Register()))
                for name in sorted({*self.texts, *other.texts})
            },
        )
        return joined.without_texts() if joined.is_purged else joined

    def without_texts(self) -> ItemState:
        return replace(self, texts={}) if self.texts else self

    def count(self, name: str) -> int:
        return min(max(0, sum(count for _, count in self.counts.get(name, {}).values())), MOST_COUNTED)

    def with_count(self, name: str, source: str, stamp: int, count: int) -> ItemState:
        entries = {**self.counts.get(name, {}), source: (stamp, count)}
        return replace(self, counts={**self.counts, name: entries})

    @property
    def is_core(self) -> bool:
        return _is_core(self.tier_in_force)

    @property
    def tier_in_force(self) -> Value:
        """The newest lifetime; a core memory stays core unless an approval that knew of it said otherwise."""
        core = [version for version in self.tier.versions if _is_core(version.value)]
        newest = max(core or self.tier.versions, key=lambda version: version.age, default=None)
        return {} if newest is None else newest.value

    @property
    def presence_in_force(self) -> Value:
        """Forgetting wins over everything that did not know of it, but not over the approval of a core memory, and
        leaving because of time not over a recall that it did not know of."""
        versions = self.presence.versions
        left = [one for one in versions if is_forgotten(one.value) and not self.is_core and self._counts(one.value)]
        chosen = max(left or (one for one in versions if not is_forgotten(one.value)), key=_strength, default=None)
        if chosen is not None:
            value: Value = chosen.value
            return value
        return {"state": State.ACTIVE.value} if versions else {}

    def _counts(self, left: Value) -> bool:
        """Whether this leaving counts. The clock does not decide that: on one device it may be wrong by years."""
        if left.get("reason") not in AUTOMATIC_REASONS:
            return True
        if RECALLS in left:
            return self.count("recall_count") <= int(left[RECALLS])
        return self.recalled_at <= float(left.get("left_at", 0.0))  # written before recalls were noted

    @property
    def is_purged(self) -> bool:
        return self.presence_in_force.get("state") == State.PURGED.value

    @property
    def conflicts(self) -> tuple[Version, ...]:
        """Texts that are kept beside the one in force, because neither device knew of the other."""
        register = self.texts.get("content", Register())
        newest = register.newest
        if newest is None:
            return ()
        return tuple(version for version in register.versions if version.value != newest.value)

    # -- as bytes -----------------------------------------------------------------------------------

    def marks_json(self) -> Value:
        return {
            "counts": {name: {key: list(entry) for key, entry in each.items()} for name, each in self.counts.items()},
            "recalled_at": self.recalled_at,
            "presence": self.presence.to_json(),
            "tier": self.tier.to_json(),
        }

    def texts_json(self) -> Value | None:
        return {name: register.to_json() for name, register in self.texts.items()} or None

    @classmethod
    def from_json(cls, marks: Any, texts: Any) -> ItemState:
        """Raises KeyError, TypeError or ValueError if it is not a state."""
        counts = {
            str(name): {str(key): (int(stamp), int(count)) for key, (stamp, count) in each.items()}
            for name, each in marks["counts"].items()
        }
        return cls(
            counts,
            float(marks["recalled_at"]),
            Register.from_json(marks["presence"]),
            Register.from_json(marks["tier"]),
            {str(name): Register.from_json(register) for name, register in (texts or {}).items()},
        )


def packed(value: Value | None) -> bytes | None:
    """JSON in ASCII: equal values have equal bytes."""
    return None if value is None else json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def unpacked(marks: bytes, texts: bytes | None) -> ItemState:
    return ItemState.from_json(json.loads(marks), None if texts is None else json.loads(texts))


def _joined_counts(first: Counts, second: Counts) -> Counts:
    return {
        name: {
            key: max(first.get(name, {}).get(key, (0, 0)), second.get(name, {}).get(key, (0, 0)))
            for key in sorted({*first.get(name, {}), *second.get(name, {})})
        }
        for name in sorted({*first, *second})
    }


def _is_core(value: Value) -> bool:
    return value.get("tier") == Tier.M0.value or value.get("protection") == Protection.CORE.value


def is_forgotten(value: Value) -> bool:
    return value.get("state") in _FORGOTTEN


def _strength(version: Version) -> tuple[int, float, str, int]:
    return _FORGOTTEN.get(version.value.get("state"), 0), *version.age
