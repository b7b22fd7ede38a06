"""Registers: a value that several devices write. Concurrent versions are all kept, and the newest is in force.

A register knows which writes it has seen. A write replaces every version that its device had seen; versions that did
not know of each other stay side by side. Joining two registers is commutative, associative and idempotent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Version(NamedTuple):
    """A value, the device that wrote it, the number of that write on the device, and when it was changed."""

    device: str
    number: int
    at: float
    value: Any

    @property
    def write(self) -> tuple[str, int]:
        return self.device, self.number

    @property
    def age(self) -> tuple[float, str, int]:
        """Sort key; the newest is last. The clock decides only between versions that did not know of each other."""
        return self.at, self.device, self.number


@dataclass(frozen=True)
class Register:
    """The versions that no other has replaced, sorted by device and number, and the highest number seen of each."""

    seen: Mapping[str, int] = field(default_factory=dict)
    versions: tuple[Version, ...] = ()

    def write(self, device: str, count: int, at: float, value: Any) -> Register:
        return Register({**self.seen, device: count}, (Version(device, count, at, value),))

    def join(self, other: Register) -> Register:
        if self == other:
            return self
        joined = {one.write: one for one in self.versions if _stays(one, other)}
        for one in other.versions:
            if _stays(one, self):
                joined[one.write] = _last(joined.get(one.write, one), one)
        seen = dict(self.seen)
        for device, count in other.seen.items():
            seen[device] = max(count, seen.get(device, 0))
        return Register(seen, tuple(joined[key] for key in sorted(joined)))

    @property
    def newest(self) -> Version | None:
        return max(self.versions, key=lambda version: version.age, default=None)

    @property
    def value(self) -> Any:
        newest = self.newest
        return None if newest is None else newest.value

    def to_json(self) -> dict[str, Any]:
        return {"seen": dict(self.seen), "versions": [list(version) for version in self.versions]}

    @classmethod
    def from_json(cls, data: Any) -> Register:
        """Raises KeyError, TypeError or ValueError if it is not a register."""
        seen = {str(device): int(count) for device, count in data["seen"].items()}
        versions = tuple(
            Version(str(device), int(count), float(at), value) for device, count, at, value in data["versions"]
        )
        if any(version.number > seen.get(version.device, 0) for version in versions):
            raise ValueError("a version that was not seen")
        return cls(seen, versions)


def _stays(version: Version, other: Register) -> bool:
    return version.number > other.seen.get(version.device, 0) or any(
        one.write == version.write for one in other.versions
    )


def _last(first: Version, second: Version) -> Version:
    """One write tells one value, unless a database was copied or a bundle lies: then every device takes the same."""
    return (
        first
        if first == second
        else max(first, second, key=lambda one: (one.at, json.dumps(one.value, sort_keys=True)))
    )
