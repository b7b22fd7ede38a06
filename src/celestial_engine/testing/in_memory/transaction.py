"""The data of the store, and one transaction on it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from celestial_engine.core.imagination.rules import PatternStrength
from celestial_engine.core.keeping.archive import ArchiveNote
from celestial_engine.core.learning.checkpoints import Checkpoint
from celestial_engine.core.learning.credit import PendingTurn
from celestial_engine.core.ledger.anchors import Anchor
from celestial_engine.core.ledger.chain import Entry
from celestial_engine.core.orbit.memory_function import Course
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.versions import UsedKey
from celestial_engine.core.self.beliefs import Belief
from celestial_engine.core.self.islands import Island
from celestial_engine.core.self.proposals import Proposal
from celestial_engine.core.self.self_state import SelfVersion
from celestial_engine.ports import ItemFilter, OwnerMismatchError, SyncRecord


@dataclass(frozen=True)
class Row:
    key: int
    item: CelestialItem
    course: Course


@dataclass
class Data:
    """Values are replaced, never mutated, so that a shallow copy is enough for a rollback."""

    rows: dict[int, Row] = field(default_factory=dict)
    keys: dict[tuple[Owner, str], int] = field(default_factory=dict)
    settle_at: dict[Owner, float] = field(default_factory=dict)
    last_active: dict[Owner, float] = field(default_factory=dict)
    waited_for: dict[Owner, bool] = field(default_factory=dict)
    law: str | None = None
    embedder: str | None = None
    last_key: int = 0
    archive_notes: dict[str, ArchiveNote] = field(default_factory=dict)
    archive_files: dict[int, str] = field(default_factory=dict)  # by memory key
    entries: list[Entry] = field(default_factory=list)
    versions: dict[tuple[Owner, int], CelestialItem] = field(default_factory=dict)  # by event number
    anchors: list[Anchor] = field(default_factory=list)
    turns: dict[tuple[Owner, str], PendingTurn] = field(default_factory=dict)  # in insertion order
    checkpoints: dict[tuple[Owner, int], tuple[Checkpoint, bytes]] = field(default_factory=dict)
    islands: dict[tuple[Owner, str], Island] = field(default_factory=dict)
    beliefs: dict[tuple[Owner, str], Belief] = field(default_factory=dict)
    proposals: dict[tuple[Owner, str], Proposal] = field(default_factory=dict)  # in insertion order
    self_versions: dict[tuple[Owner, int], SelfVersion] = field(default_factory=dict)
    soul_digests: dict[tuple[Owner, str], str] = field(default_factory=dict)
    request_keys: dict[tuple[Owner, str], tuple[UsedKey, float]] = field(default_factory=dict)
    patterns: dict[tuple[Owner, str], PatternStrength] = field(default_factory=dict)
    gossip: dict[Owner, bytes] = field(default_factory=dict)
    gossip_peers: dict[tuple[Owner, str], bytes] = field(default_factory=dict)
    sync_notes: dict[tuple[Owner, str], bytes] = field(default_factory=dict)
    sync_records: dict[tuple[Owner, str], SyncRecord] = field(default_factory=dict)

    def snapshot(self) -> Data:
        copied: dict[str, Any] = {
            name: value.copy() for name, value in vars(self).items() if isinstance(value, (dict, list))
        }
        return replace(self, **copied)


class Transaction:
    """The data shared by the groups of a session, and the owner it may write for."""

    def __init__(self, data: Data, writes_for: Owner | None = None, *, read_only: bool = False) -> None:
        """`writes_for` is the only owner that this transaction may write for; None: all owners."""
        self.data = data
        self._writes_for = writes_for
        self._read_only = read_only

    def rows_of(self, owner: Owner) -> list[Row]:
        """The rows of an owner, in the order they were stored."""
        return [row for row in self.data.rows.values() if row.item.owner == owner]

    def in_orbit(self, owner: Owner, where: ItemFilter | None = None) -> list[Row]:
        rows = [row for row in self.rows_of(owner) if row.item.state.in_orbit]
        return rows if where is None else [row for row in rows if where.accepts(row.item)]

    def row(self, owner: Owner, key: int) -> Row | None:
        """The row of a key, if it is this owner's."""
        row = self.data.rows.get(key)
        return None if row is None or row.item.owner != owner else row

    def check_writes(self, owner: Owner | None) -> None:
        """Raise unless this transaction may write for the owner; None means a change for all owners."""
        if self._read_only:
            raise RuntimeError("a session that reads was asked to write")
        if self._writes_for is not None and owner != self._writes_for:
            raise OwnerMismatchError(self._writes_for, owner)
