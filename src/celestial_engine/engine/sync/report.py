"""What `memory.sync` returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from celestial_engine.errors import Problem, SyncError
from celestial_engine.flow.sync.merge import Merged


@dataclass(frozen=True)
class OtherDevice:
    """Another device of this owner.

    `clock_ahead` is in seconds, and only told while the time that it told last is more than a day ahead of now.
    """

    id: str
    name: str
    heard_at: float
    clock_ahead: float | None = None


@dataclass(frozen=True)
class Conflict:
    """A memory that was edited on two devices: the text in force, and the other texts with their devices."""

    item_id: str
    in_force: str
    others: tuple[tuple[str, str], ...]  # device and text


@dataclass(frozen=True)
class SyncStatus:
    """This device, the others that were heard of, what waits to be sent, and edits that contradict each other."""

    device: str
    name: str
    devices: tuple[OtherDevice, ...] = ()
    unsent: Mapping[str, int] = field(default_factory=dict)  # memories, by folder or device
    conflicts: tuple[Conflict, ...] = ()


@dataclass(frozen=True)
class SyncReport:
    """What an exchange did: bundles and memories sent and read, what became of the memories, and what went wrong.

    `waiting` names bundles that are not in the folder yet, or only in part; the next exchange goes on there.
    """

    sent: int = 0
    sent_memories: int = 0
    read: int = 0
    changed: Mapping[str, int] = field(default_factory=dict)
    conflicts: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    dry_run: bool = False

    def with_merged(self, merged: Merged) -> SyncReport:
        total = Merged(self.changed, self.conflicts) + merged
        return replace(self, read=self.read + 1, changed=total.counts, conflicts=total.conflicts)

    def with_sent(self, count: int) -> SyncReport:
        return replace(self, sent=self.sent + 1, sent_memories=self.sent_memories + count)

    def with_waiting(self, path: str) -> SyncReport:
        return replace(self, waiting=(*self.waiting, path))

    def with_error(self, error: SyncError) -> SyncReport:
        problems = tuple(one.at(str(error.own["path"])) for one in error.problems)
        return replace(self, problems=(*self.problems, *problems))
