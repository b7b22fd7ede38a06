"""The ledger's tables: the chain of entries, and each memory's version before a change."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from celestial_engine.core.ledger.chain import (
    GENESIS,
    Entry,
    Fault,
    Head,
    Wrong,
    canonical,
    digest,
    event_of,
    linked,
    sealed,
)
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import CelestialError, Reason, problem
from celestial_engine.storage.sqlite.items.transaction import SQL_VARIABLES, Transaction
from celestial_engine.storage.sqlite.rows import UnreadableRowError, cause_of, enum_value

_ENTRIES = (
    "SELECT seq, at, type, user_id, agent_id, item_id, session_id, detail, host, version, hash "
    "FROM ledger LEFT JOIN owners USING (owner)"
)
_SALT_BYTES = 16


class SqliteLedger:
    """Reads the ledger within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def events(self, owner: Owner, item_id: str | None, limit: int, until: int | None = None) -> list[Event]:
        about = "" if item_id is None else "AND item_id = ? "
        bound = "" if until is None else "AND seq <= ? "
        values = [value for value in (item_id, until) if value is not None]
        rows = self._tx.db.execute(
            f"{_ENTRIES} WHERE ledger.owner = ? {about}{bound}ORDER BY seq DESC LIMIT ?",
            (self._tx.number(owner), *values, limit),
        )
        return [_event(row) for row in rows]

    def event(self, owner: Owner, number: int) -> Event | None:
        row = self._tx.db.execute(
            f"{_ENTRIES} WHERE seq = ? AND ledger.owner = ?", (number, self._tx.number(owner))
        ).fetchone()
        return None if row is None else _event(row)

    def events_since(
        self, owner: Owner, number: int, item_id: str | None = None, limit: int | None = None
    ) -> list[Event]:
        # Scan by number unless it is about one memory: the owner index covers the owner's whole history.
        about = "+ledger.owner = ?" if item_id is None else "ledger.owner = ? AND item_id = ?"
        rows = self._tx.db.execute(
            f"{_ENTRIES} WHERE seq > ? AND {about} ORDER BY seq LIMIT ?",
            (number, self._tx.number(owner), *([] if item_id is None else [item_id]), -1 if limit is None else limit),
        )
        return [_event(row) for row in rows]

    def latest(self, owner: Owner, kinds: Sequence[EventType], limit: int) -> list[Event]:
        marks = ", ".join("?" * len(kinds))
        rows = self._tx.db.execute(
            f"{_ENTRIES} WHERE ledger.owner = ? AND type IN ({marks}) ORDER BY seq DESC LIMIT ?",
            (self._tx.number(owner), *(kind.value for kind in kinds), limit),
        )
        return [_event(row) for row in rows]

    def event_counts(self, owner: Owner, after: int) -> dict[EventType, int]:
        rows = self._tx.db.execute(
            "SELECT type, count(*) FROM ledger WHERE seq > ? AND owner = ? GROUP BY type",
            (after, self._tx.number(owner)),
        )
        return {enum_value(EventType, kind): count for kind, count in rows}

    def ids_with_event(self, owner: Owner, item_ids: Iterable[str], kind: EventType, detail: str = "") -> set[str]:
        ids, number, found = list(item_ids), self._tx.number(owner), set[str]()
        for start in range(0, len(ids), SQL_VARIABLES):
            part = ids[start : start + SQL_VARIABLES]
            rows = self._tx.db.execute(
                f"SELECT DISTINCT item_id FROM ledger WHERE owner = ? AND item_id IN ({', '.join('?' * len(part))}) "
                "AND type = ? AND instr(detail, ?)",
                (number, *part, kind.value, f'"{detail}":' if detail else ""),
            )
            found.update(item_id for (item_id,) in rows)
        return found

    def version(self, owner: Owner, number: int) -> CelestialItem | None:
        row = self._tx.db.execute(
            "SELECT memory FROM versions WHERE number = ? AND owner = ?", (number, self._tx.number(owner))
        ).fetchone()
        return None if row is None else _memory(number, row[0], owner)

    def versions_since(self, owner: Owner, number: int) -> list[tuple[int, CelestialItem]]:
        rows = self._tx.db.execute(
            "SELECT min(number), memory FROM versions WHERE owner = ? AND number > ? GROUP BY item_id",
            (self._tx.number(owner), number),
        )
        return [(first, _memory(first, memory, owner)) for first, memory in rows]

    def number_at(self, moment: float) -> int:
        # Search backwards: most callers ask about recent times.
        row = self._tx.db.execute(
            "SELECT seq FROM ledger WHERE at <= ? ORDER BY seq DESC LIMIT 1", (moment,)
        ).fetchone()
        return 0 if row is None else int(row[0])

    def head(self) -> Head | None:
        row = self._tx.db.execute("SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1").fetchone()
        return None if row is None else Head(int(row[0]), row[1].hex() if isinstance(row[1], bytes) else "")

    def highest_number(self) -> int:
        row = self._tx.db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'ledger'").fetchone()
        return int(row[0]) if row is not None and isinstance(row[0], int) else 0

    def entries(self, after: int, limit: int) -> list[Entry]:
        usual = self._tx.db.text_factory
        # Invalid UTF-8 must show as a wrong entry and not keep the others from being read.
        self._tx.db.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        try:
            rows = self._tx.db.execute(f"{_ENTRIES} WHERE seq > ? ORDER BY seq LIMIT ?", (after, limit)).fetchall()
        finally:
            self._tx.db.text_factory = usual
        return [_entry(row) for row in rows]

    def damaged_versions(self) -> list[Fault]:
        sealed_rows = self._tx.db.execute(
            "SELECT number, salt, memory, version FROM versions LEFT JOIN ledger ON seq = number ORDER BY number"
        )
        found = [Fault(row[0], Wrong.VERSION_EDITED) for row in sealed_rows if not _seal_holds(*row[1:])]
        lost = self._tx.db.execute(
            "SELECT seq FROM ledger WHERE version IS NOT NULL AND seq NOT IN (SELECT number FROM versions) "
            "AND EXISTS (SELECT 1 FROM items WHERE items.owner = ledger.owner AND items.id = ledger.item_id "
            "AND items.state != 'archived') "  # its versions are in the archive
            "AND NOT EXISTS (SELECT 1 FROM ledger AS later WHERE later.owner = ledger.owner "
            "AND later.item_id = ledger.item_id AND later.type = 'purged' AND later.seq > ledger.seq) ORDER BY seq"
        )
        return found + [Fault(number, Wrong.VERSION_MISSING) for (number,) in lost]


class SqliteLedgerWriter(SqliteLedger):
    """Appends to the ledger within one immediate transaction, so no other writer can."""

    __slots__ = ("_before", "_fresh")

    def __init__(self, transaction: Transaction) -> None:
        super().__init__(transaction)
        self._fresh: list[Entry] = []
        self._before: dict[tuple[Owner, str], CelestialItem] = {}

    @property
    def fresh(self) -> Sequence[Entry]:
        """The entries that this transaction appended."""
        return self._fresh

    def record(self, event: Event) -> int:
        owner = self._tx.enrolled(event.owner)
        if self._fresh:
            newest = Head(self._fresh[-1].number, self._fresh[-1].hash)
            number = newest.number + 1
        else:
            newest = self.head() or Head(0, GENESIS)
            # Numbers are never reused, so that a removed tail leaves a gap.
            number = max(newest.number, self.highest_number()) + 1
        before = None if event.item_id is None else self._before.pop((event.owner, event.item_id), None)
        salt, text, seal = b"", "", None
        if before is not None:
            salt, text = os.urandom(_SALT_BYTES), _written(before)
            seal = sealed(salt, text)
        entry = linked(newest, number, event, seal)
        self._tx.db.execute(
            "INSERT INTO ledger (seq, at, type, owner, item_id, session_id, detail, host, version, hash) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (number, entry.at, entry.type, owner, entry.item_id, entry.session_id, entry.detail, entry.host,
             None if seal is None else bytes.fromhex(seal), bytes.fromhex(entry.hash)),
        )  # fmt: skip
        if before is not None:
            self._tx.db.execute(
                "INSERT INTO versions (number, owner, item_id, salt, memory) VALUES (?, ?, ?, ?, ?)",
                (number, owner, before.id, salt, text),
            )
        self._fresh.append(entry)
        return number

    def keep_version(self, before: CelestialItem | None) -> None:
        """Keeps the memory's version for the event about its change; of several changes the first."""
        if before is not None:
            self._before.setdefault((before.owner, before.id), before)

    def forget_versions(self, owner: Owner, item_id: str) -> None:
        self._before.pop((owner, item_id), None)
        self._tx.db.execute("DELETE FROM versions WHERE owner = ? AND item_id = ?", (self._tx.number(owner), item_id))


def chain_existing(db: sqlite3.Connection) -> None:
    """Computes the hashes of a database that had no chain yet."""
    first = db.execute("SELECT hash FROM ledger ORDER BY seq LIMIT 1").fetchone()
    if first is None or first[0] is not None:
        return
    last = GENESIS
    for row in db.execute(f"{_ENTRIES} ORDER BY seq").fetchall():
        entry = _entry(row)._replace(detail=_canonical(row[7]))
        last = digest(last, entry)
        values = (entry.detail, bytes.fromhex(last), entry.number)
        db.execute("UPDATE ledger SET detail = ?, hash = ? WHERE seq = ?", values)


def _canonical(text: str) -> str:
    try:
        return canonical(json.loads(text))
    except ValueError:
        return text


def _written(memory: CelestialItem) -> str:
    # Drop the vector before encoding: it is most of a memory's numbers.
    values = replace(memory, embedding=None).to_dict(sparse=True)
    for name in ("embedding", "owner", "total_score"):
        values.pop(name, None)
    return canonical(values)


def _memory(number: int, text: str, owner: Owner) -> CelestialItem:
    try:
        memory = CelestialItem.from_dict(json.loads(text))
    except (ValueError, TypeError, CelestialError) as error:
        raise UnreadableRowError(problem(f"event {number}", Reason.DAMAGED, cause=cause_of(error))) from error
    memory.owner = owner
    return memory


def _entry(row: tuple[Any, ...]) -> Entry:
    *values, version, digest_bytes = row
    return Entry(*values, *(raw.hex() if isinstance(raw, bytes) else raw for raw in (version, digest_bytes)))


def _event(row: tuple[Any, ...]) -> Event:
    try:
        return event_of(_entry(row))
    except ValueError as error:
        raise UnreadableRowError(problem("ledger", Reason.DAMAGED, cause=str(error))) from error


def _seal_holds(salt: object, memory: object, seal: object) -> bool:
    if not isinstance(salt, bytes) or not isinstance(memory, str) or not isinstance(seal, bytes):
        return False
    return sealed(salt, memory) == seal.hex()
