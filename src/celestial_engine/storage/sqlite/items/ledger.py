"""The ledger's tables: events as entries of their owner's chain, and each memory's version before a change."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from celestial_engine.core.ledger.anchors import Anchor, AnchoredHead, next_anchor
from celestial_engine.core.ledger.chain import (
    START,
    CarriedSeal,
    Entry,
    Head,
    Written,
    canonical,
    event_of,
    linked,
    sealed,
)
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.recall_event import IN_PARTS, part_about
from celestial_engine.errors import CelestialError, Reason, problem
from celestial_engine.storage.sqlite.dialect import NO_LIMIT
from celestial_engine.storage.sqlite.items.chains import CARRIED, ENTRIES, ReferenceTable, SqliteChains
from celestial_engine.storage.sqlite.items.transaction import SQL_VARIABLES, Transaction
from celestial_engine.storage.sqlite.packed_recall import packed, references
from celestial_engine.storage.sqlite.rows import UnreadableRowError, cause_of, enum_value

_SALT_BYTES = 16
ROW = "number, at, type, owner, item_id, session_id, detail, host, version, hash"
MARKS = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?"


class SqliteLedger(SqliteChains):
    """Reads the ledger within one transaction."""

    __slots__ = ()

    def events(self, owner: Owner, item_id: str | None, limit: int, until: int | None = None) -> list[Event]:
        bound, values = ("", ()) if until is None else ("AND number <= ? ", (until,))
        return self._events(owner, item_id, bound, values, "DESC", limit)

    def event(self, owner: Owner, number: int) -> Event | None:
        row = self._tx.db.execute(
            f"{ENTRIES} WHERE ledger.owner = ? AND number = ?", (self._tx.number(owner), number)
        ).fetchone()
        return None if row is None else self._parsed([row])[0]

    def events_since(
        self, owner: Owner, number: int, item_id: str | None = None, limit: int | None = None
    ) -> list[Event]:
        return self._events(owner, item_id, "AND number > ? ", (number,), "ASC", NO_LIMIT if limit is None else limit)

    def _events(
        self, owner: Owner, item_id: str | None, bound: str, values: tuple[int, ...], order: str, limit: int
    ) -> list[Event]:
        key = self._tx.number(owner)
        about, named = ("", ()) if item_id is None else ("AND item_id = ? ", (item_id,))
        rows = self._tx.db.execute(
            f"{ENTRIES} WHERE ledger.owner = ? {about}{bound}ORDER BY number {order} LIMIT ?",
            (key, *named, *values, limit),
        ).fetchall()
        events = self._parsed(rows)
        ref = None if item_id is None else ReferenceTable(self._tx).reference(key, item_id)
        if item_id is None or ref is None:
            return events
        rows = self._tx.db.execute(
            f"{ENTRIES} WHERE ledger.owner = ? AND number IN (SELECT number FROM ledger_references "
            f"WHERE owner = ? AND ref = ? {bound}ORDER BY number {order} LIMIT ?)",
            (key, key, ref, *values, limit),
        ).fetchall()
        events += [part for event in self._parsed(rows) if (part := part_about(event, item_id)) is not None]
        events.sort(key=lambda event: event.number or 0, reverse=order == "DESC")
        return events[:limit]

    def _parsed(self, rows: Iterable[tuple[Any, ...]]) -> list[Event]:
        try:
            return [event_of(entry) for entry in self._read(rows)]
        except ValueError as error:
            raise UnreadableRowError(problem("ledger", Reason.DAMAGED, cause=str(error))) from error

    def latest(self, owner: Owner, kinds: Sequence[EventType], limit: int) -> list[Event]:
        marks = ", ".join("?" * len(kinds))
        rows = self._tx.db.execute(
            f"{ENTRIES} WHERE ledger.owner = ? AND type IN ({marks}) ORDER BY number DESC LIMIT ?",
            (self._tx.number(owner), *(kind.value for kind in kinds), limit),
        )
        return self._parsed(rows)

    def event_counts(self, owner: Owner, after: int) -> dict[EventType, int]:
        rows = self._tx.db.execute(
            "SELECT type, count(*) FROM ledger WHERE owner = ? AND number > ? GROUP BY type",
            (self._tx.number(owner), after),
        )
        return {enum_value(EventType, kind): count for kind, count in rows}

    def ids_with_event(self, owner: Owner, item_ids: Iterable[str], kind: EventType, detail: str = "") -> set[str]:
        ids, number, matching = list(item_ids), self._tx.number(owner), set[str]()
        having, needle = ("", ()) if not detail else ("AND replace(detail, ?, '') != detail", (f'"{detail}":',))
        for start in range(0, len(ids), SQL_VARIABLES):
            part = ids[start : start + SQL_VARIABLES]
            rows = self._tx.db.execute(
                f"SELECT DISTINCT item_id FROM ledger WHERE owner = ? AND item_id IN ({', '.join('?' * len(part))}) "
                f"AND type = ? {having}",
                (number, *part, kind.value, *needle),
            )
            matching.update(item_id for (item_id,) in rows)
        if kind in IN_PARTS:
            remaining = [item_id for item_id in ids if item_id not in matching]
            matching.update(item_id for item_id in remaining if self._has_part(owner, item_id, kind, detail))
        return matching

    def _has_part(self, owner: Owner, item_id: str, kind: EventType, detail: str) -> bool:
        parts = self.events(owner, item_id, NO_LIMIT)
        return any(part.type is kind and (not detail or detail in part.detail) for part in parts)

    def version(self, owner: Owner, number: int) -> CelestialItem | None:
        row = self._tx.db.execute(
            "SELECT memory FROM versions WHERE owner = ? AND number = ?", (self._tx.number(owner), number)
        ).fetchone()
        return None if row is None else _memory(number, row[0], owner)

    def versions_since(self, owner: Owner, number: int) -> list[tuple[int, CelestialItem]]:
        rows = self._tx.db.execute(
            "SELECT number, memory FROM versions JOIN (SELECT owner, min(number) AS number FROM versions "
            "WHERE owner = ? AND number > ? GROUP BY owner, item_id) AS first USING (owner, number)",
            (self._tx.number(owner), number),
        )
        return [(first, _memory(first, memory, owner)) for first, memory in rows]

    def number_at(self, owner: Owner, moment: float) -> int:
        # Search backwards: most callers ask about recent times.
        row = self._tx.db.execute(
            "SELECT number FROM ledger WHERE owner = ? AND at <= ? ORDER BY number DESC LIMIT 1",
            (self._tx.number(owner), moment),
        ).fetchone()
        return 0 if row is None else int(row[0])


class SqliteLedgerWriter(SqliteLedger):
    """Appends to the ledger within one immediate transaction, so no other writer can."""

    __slots__ = ("_before", "_fresh", "_heads", "_last_written")

    def __init__(self, transaction: Transaction) -> None:
        super().__init__(transaction)
        self._fresh: list[Written] = []
        self._last_written: Head | None = None
        self._heads: dict[Owner, Head] = {}
        self._before: dict[tuple[Owner, str], CelestialItem] = {}

    @property
    def fresh(self) -> Sequence[Written]:
        """The entries that this transaction appended."""
        return self._fresh

    @property
    def before_fresh(self) -> Head | None:
        """The position and hash of the entry before them; None if they are the first."""
        return self._last_written

    def head(self, owner: Owner) -> Head | None:
        return self._heads.get(owner) or super().head(owner)

    def record(self, event: Event) -> int:
        owner = self._tx.enrolled(event.owner)
        if not self._fresh:
            self._last_written = self.last_written()
        newest = self._heads.get(event.owner)
        newest, number = self._newest_and_next(owner, event.owner) if newest is None else (newest, newest.number + 1)
        before = None if event.item_id is None else self._before.pop((event.owner, event.item_id), None)
        salt, text, seal = b"", "", None
        if before is not None:
            salt, text = os.urandom(_SALT_BYTES), _written(before)
            seal = sealed(salt, text)
        entry = linked(newest, number, event, seal)
        position = self._append(owner, entry)
        if before is not None:
            self._tx.send(
                "INSERT INTO versions (owner, number, item_id, salt, memory) VALUES (?, ?, ?, ?, ?)",
                (owner, number, before.id, salt, text),
            )
        self._fresh.append(Written(position, entry))
        self._heads[event.owner] = Head(number, entry.hash)
        return number

    def append_entries(self, owner: Owner, entries: Iterable[Entry]) -> None:
        """Appends entries of a moved owner as they are; those of a sealed chain do not move the head."""
        number, carried = self._tx.enrolled(owner), self.carried(owner)
        sealed_until = (self.sealed_head() if carried is None else carried.head).number
        for entry in entries:
            if not self._fresh:
                self._last_written = self.last_written()
            self._fresh.append(Written(self._append(number, entry), entry))
            if entry.number > sealed_until:
                self._heads[owner] = Head(entry.number, entry.hash)

    def carry_seal(self, owner: Owner, seal: CarriedSeal, at: float) -> None:
        """Notes where the owner's chain begins, and anchors the witness of the entries before."""
        number = self._tx.enrolled(owner)
        self._tx.set_setting(f"{CARRIED}{number}", str(seal))
        if seal.head.number:
            witness = AnchoredHead(owner.user_id, owner.agent_id, seal.head.number, seal.witness)
            self._add_anchor(next_anchor(self.newest_anchor() or START, at, [witness]), [number])

    def _append(self, owner: int, entry: Entry) -> int:
        """Inserts the entry; returns its position in the order of writing."""
        refs = self._refer(owner, entry)
        raw = packed(entry, refs) if refs else None
        cursor = self._tx.db.execute(f"INSERT INTO ledger ({ROW}) VALUES ({MARKS})", row_of(owner, entry, raw))
        return int(cursor.lastrowid or 0)

    def _refer(self, owner: int, entry: Entry) -> dict[str, int]:
        """Notes which memories an entry about several of them names; returns their references."""
        named = references(entry)
        if not named:
            return {}
        table = ReferenceTable(self._tx)
        refs = table.assigned(owner, named)
        table.add(owner, entry.number, refs.values())
        return refs

    def _newest_and_next(self, number: int, owner: Owner) -> tuple[Head, int]:
        """Returns the head of a chain, and the number of the next entry."""
        *head, last = self._tx.db.execute(
            "SELECT ledger_number, ledger_hash, (SELECT max(number) FROM ledger WHERE owner = ?) "
            f"FROM {self._tx.dialect.owner_state} WHERE owner = ?",
            (number, number),
        ).fetchone()
        newest = self._head_or_beginning(owner, *head)
        # The head tells, unless it was set back by force: numbers are never reused, even then.
        return newest, max(newest.number, last if isinstance(last, int) else 0) + 1

    def write_heads(self) -> None:
        """Writes the heads of the chains that grew into their owners' rows; once, before the commit."""
        for owner, head in self._heads.items():
            self._tx.send(
                f"UPDATE {self._tx.dialect.owner_state} SET ledger_number = ?, ledger_hash = ? WHERE owner = ?",
                (head.number, bytes.fromhex(head.hash), self._tx.number(owner)),
            )

    def anchor(self, at: float, only: Owner | None = None) -> Anchor | None:
        self._tx.check_whole_store()
        self.write_heads()
        changed = "ledger_number > coalesce(anchored_number, 0)"
        values: tuple[int, ...] = ()
        if only is not None:
            changed, values = "ledger_number IS NOT NULL AND owner = ?", (self._tx.number(only),)
        rows = self._tx.db.execute(
            "SELECT owner, user_id, agent_id, ledger_number, ledger_hash "
            f"FROM {self._tx.dialect.owners} WHERE {changed} ORDER BY owner",
            values,
        ).fetchall()
        if not rows:
            return None
        heads = [AnchoredHead(user, agent, number, raw.hex()) for _, user, agent, number, raw in rows]
        anchor = next_anchor(self.newest_anchor() or START, at, heads)
        numbers = {(user, agent): owner for owner, user, agent, _, _ in rows}
        self._add_anchor(anchor, [numbers[head.user_id, head.agent_id] for head in anchor.heads])
        self._tx.db.execute(
            f"UPDATE {self._tx.dialect.owner_state} SET anchored_number = ledger_number WHERE {changed}", values
        )
        return anchor

    def _add_anchor(self, anchor: Anchor, owners: Sequence[int]) -> None:
        """Inserts an anchor; `owners` are the numbers of the owners of its heads."""
        self._tx.db.execute(
            "INSERT INTO anchors (number, at, hash) VALUES (?, ?, ?)",
            (anchor.number, anchor.at, bytes.fromhex(anchor.hash)),
        )
        self._tx.db.executemany(
            "INSERT INTO anchor_heads (owner, anchor, number, hash) VALUES (?, ?, ?, ?)",
            [
                (owner, anchor.number, head.number, bytes.fromhex(head.hash))
                for owner, head in zip(owners, anchor.heads, strict=True)
            ],
        )

    def keep_version(self, before: CelestialItem | None) -> None:
        """Keeps the memory's version for the event about its change; of several changes the first."""
        if before is not None:
            self._before.setdefault((before.owner, before.id), before)

    def forget_versions(self, owner: Owner, item_id: str) -> None:
        self._before.pop((owner, item_id), None)
        self._tx.db.execute("DELETE FROM versions WHERE owner = ? AND item_id = ?", (self._tx.number(owner), item_id))


def row_of(owner: int, entry: Entry, packed_texts: bytes | None = None) -> tuple[Any, ...]:
    """Returns the entry as the columns `ROW`, with its packed texts if there are any."""
    texts = (entry.detail, entry.host) if packed_texts is None else ("", packed_texts)
    return (
        entry.number, entry.at, entry.type, owner, entry.item_id, entry.session_id, *texts,
        None if entry.version is None else bytes.fromhex(entry.version), bytes.fromhex(entry.hash),
    )  # fmt: skip


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
