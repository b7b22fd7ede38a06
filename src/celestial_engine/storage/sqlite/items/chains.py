"""The hash chains of the owners, the anchors over them, and the seals on versions."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from celestial_engine.core.ledger.anchors import Anchor, AnchoredHead
from celestial_engine.core.ledger.chain import (
    GENESIS,
    START,
    CarriedSeal,
    Entry,
    Fault,
    Head,
    Written,
    Wrong,
    canonical,
    digest,
    sealed,
)
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import CelestialError
from celestial_engine.storage.sqlite.dialect import in_list
from celestial_engine.storage.sqlite.items.transaction import SQL_VARIABLES, Transaction
from celestial_engine.storage.sqlite.packed_recall import packed_references, unpacked

ENTRIES = (
    "SELECT number, at, type, user_id, agent_id, item_id, session_id, detail, host, version, hash "
    "FROM ledger LEFT JOIN owners USING (owner)"
)
_WRITTEN = ENTRIES.replace("SELECT", "SELECT seq,")
SEALED = "ledger_sealed"  # in `meta`: the head of the chain from before each owner had one
CARRIED = (
    "ledger_carried:"  # in `meta`, with an owner's number: where the chain of an owner who was moved here begins
)


class ReferenceTable:
    """The memories that entries about several of them name, and which entries name a memory.

    Owners are given by their numbers.
    """

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def names(self, owner: int, refs: Iterable[int]) -> dict[int, str]:
        """Returns the ids of these memories."""
        ordered, names = sorted(set(refs)), dict[int, str]()
        for start in range(0, len(ordered), SQL_VARIABLES):
            marks, part = in_list(ordered[start : start + SQL_VARIABLES])
            names.update(
                self._tx.raw(
                    f"SELECT ref, item_id FROM ledger_memories WHERE owner = ? AND ref IN ({marks})", (owner, *part)
                )
            )
        return names

    def reference(self, owner: int, item_id: str) -> int | None:
        """Returns the reference of a memory; None if no entry about several names it."""
        row = self._tx.db.execute(
            "SELECT ref FROM ledger_memories WHERE owner = ? AND item_id = ?", (owner, item_id)
        ).fetchone()
        return None if row is None else int(row[0])

    def assigned(self, owner: int, item_ids: Sequence[str]) -> dict[str, int]:
        """Returns the references of these memories, and assigns those that are missing."""
        references = dict[str, int]()
        for start in range(0, len(item_ids), SQL_VARIABLES):
            marks, part = in_list(item_ids[start : start + SQL_VARIABLES])
            rows = self._tx.db.execute(
                f"SELECT item_id, ref FROM ledger_memories WHERE owner = ? AND item_id IN ({marks})", (owner, *part)
            )
            references.update(rows.fetchall())
        missing = [item_id for item_id in dict.fromkeys(item_ids) if item_id not in references]
        if missing:
            (highest,) = self._tx.db.execute(
                "SELECT max(ref) FROM ledger_memories WHERE owner = ?", (owner,)
            ).fetchone()
            for ref, item_id in enumerate(missing, (highest or 0) + 1):
                references[item_id] = ref
                self._tx.send(
                    "INSERT INTO ledger_memories (owner, ref, item_id) VALUES (?, ?, ?)", (owner, ref, item_id)
                )
        return references

    def add(self, owner: int, number: int, refs: Iterable[int]) -> None:
        """Notes that the entry of this number names these memories."""
        for ref in refs:
            self._tx.send("INSERT INTO ledger_references (owner, ref, number) VALUES (?, ?, ?)", (owner, ref, number))


class SqliteChains:
    """Reads chains and anchors within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def head(self, owner: Owner) -> Head | None:
        row = self._tx.db.execute(
            f"SELECT ledger_number, ledger_hash FROM {self._tx.dialect.owner_state} WHERE owner = ?",
            (self._tx.number(owner),),
        ).fetchone()
        head = self._head_or_beginning(owner, *(row or (None, None)))
        return None if head == START else head

    def _head_or_beginning(self, owner: Owner, number: object, raw: object) -> Head:
        """Returns the head in an owner's row; of a chain without entries, where it begins."""
        head = _head(number, raw)
        if head is None:
            carried = self.carried(owner)
            head = self.sealed_head() if carried is None else carried.head
        return head

    def carried(self, owner: Owner) -> CarriedSeal | None:
        text = self._tx.setting(f"{CARRIED}{self._tx.number(owner)}")
        try:
            return None if text is None else CarriedSeal.read(text)
        except (ValueError, CelestialError):  # edited: then no chain follows from it
            return CarriedSeal(Head(0, ""), 0, "")

    def sealed_head(self) -> Head:
        text = self._tx.setting(SEALED)
        try:
            return START if text is None else Head.read(text)
        except CelestialError:  # edited: then no chain follows from it
            return Head(0, "")

    def sealed_entries(self, after: int, limit: int) -> list[Entry]:
        # Sealed entries have the number of their position.
        self._tx.see_all_owners()
        rows = self._tx.raw(
            f"{ENTRIES} WHERE seq > ? AND seq <= ? AND number = seq ORDER BY seq LIMIT ?",
            (after, self.sealed_head().number, limit),
        )
        return self._read(rows)

    def entries(self, owner: Owner, after: int, limit: int) -> list[Entry]:
        rows = self._tx.raw(
            f"{ENTRIES} WHERE ledger.owner = ? AND number > ? ORDER BY number LIMIT ?",
            (self._tx.number(owner), after, limit),
        )
        return self._read(rows)

    def entry_count(self, owner: Owner, until: int) -> int:
        row = self._tx.db.execute(
            "SELECT count(*) FROM ledger WHERE owner = ? AND number <= ?", (self._tx.number(owner), until)
        ).fetchone()
        return int(row[0])

    def total(self) -> int:
        last = self.last_written()
        return 0 if last is None else last.number

    def chains(self) -> Iterator[tuple[Owner | None, Head | None]]:
        self._tx.see_all_owners()
        rows = self._tx.db.execute(
            "SELECT owner, user_id, agent_id, ledger_number, ledger_hash "
            "FROM (SELECT owner FROM owners UNION SELECT owner FROM ledger) AS known "
            f"LEFT JOIN {self._tx.dialect.owners} USING (owner) ORDER BY owner"
        )
        for key, user_id, agent_id, number, raw in rows:
            owner = _owner(user_id, agent_id)
            yield owner, self._first(key) if owner is None else _head(number, raw)

    def written(self, after: int, limit: int) -> list[Written]:
        rows = self._tx.raw(f"{_WRITTEN} WHERE seq > ? ORDER BY seq LIMIT ?", (after, limit))
        entries = self._read(row[1:] for row in rows)
        return [Written(row[0], entry) for row, entry in zip(rows, entries, strict=True)]

    def last_written(self) -> Head | None:
        row = self._tx.db.execute("SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1").fetchone()
        return None if row is None else Head(int(row[0]), row[1].hex() if isinstance(row[1], bytes) else "")

    def anchors(self, after: int, limit: int) -> list[Anchor]:
        rows = self._tx.db.execute(
            "SELECT number, at, hash FROM anchors WHERE number > ? ORDER BY number LIMIT ?", (after, limit)
        ).fetchall()
        return [Anchor(number, at, self._heads_in(number), _hex(raw)) for number, at, raw in rows]

    def newest_anchor(self) -> Head | None:
        row = self._tx.db.execute("SELECT number, hash FROM anchors ORDER BY number DESC LIMIT 1").fetchone()
        return None if row is None else Head(int(row[0]), _hex(row[1]))

    def damaged_versions(self, owner: Owner | None = None) -> list[Fault]:
        if owner is None:
            self._tx.see_all_owners()
        only, values = ("", ()) if owner is None else ("owner = ? AND", (self._tx.number(owner),))
        sealed_rows = self._tx.db.execute(
            "SELECT user_id, agent_id, number, salt, memory, version FROM "
            f"(SELECT owner, number, salt, memory FROM versions WHERE {only} TRUE) AS kept "
            "LEFT JOIN ledger USING (owner, number) LEFT JOIN owners USING (owner) ORDER BY owner, number",
            values,
        )
        damaged = [
            Fault(number, Wrong.VERSION_EDITED, owner=_owner(user, agent))
            for user, agent, number, *seal in sealed_rows
            if not _seal_holds(*seal)
        ]
        lost = self._tx.db.execute(
            f"SELECT user_id, agent_id, number FROM (SELECT * FROM ledger WHERE {only} version IS NOT NULL) AS entry "
            "LEFT JOIN owners USING (owner) WHERE NOT EXISTS "
            "(SELECT 1 FROM versions WHERE versions.owner = entry.owner AND versions.number = entry.number) "
            "AND EXISTS (SELECT 1 FROM items WHERE items.owner = entry.owner AND items.id = entry.item_id "
            "AND items.state != 'archived') "  # its versions are in the archive
            "AND NOT EXISTS (SELECT 1 FROM ledger AS later WHERE later.owner = entry.owner "
            "AND later.item_id = entry.item_id AND later.type = 'purged' AND later.number > entry.number) "
            "ORDER BY entry.owner, number",
            values,
        )
        return damaged + [
            Fault(number, Wrong.VERSION_MISSING, owner=_owner(user, agent)) for user, agent, number in lost
        ]

    def _read(self, rows: Iterable[tuple[Any, ...]]) -> list[Entry]:
        """Returns the entries of these rows, unpacked."""
        entries = [entry_of(row) for row in rows]
        packed: dict[int, bytes] = {}
        for place, entry in enumerate(entries):
            host: object = entry.host
            if isinstance(host, bytes):
                packed[place] = host
        if not packed:
            return entries
        references, names = ReferenceTable(self._tx), dict[tuple[str, str], dict[int, str]]()
        for place, raw in packed.items():
            entry = entries[place]
            key = (entry.user_id, entry.agent_id)
            if key not in names:
                owner = _owner(*key)
                refs = {
                    ref
                    for other, texts in packed.items()
                    if (entries[other].user_id, entries[other].agent_id) == key
                    for ref in packed_references(texts)
                }
                names[key] = {} if owner is None else references.names(self._tx.number(owner), refs)
            entries[place] = _unpacked(entry, raw, names[key])
        return entries

    def _first(self, key: int) -> Head:
        row = self._tx.db.execute(
            "SELECT number FROM ledger WHERE owner = ? ORDER BY number LIMIT 1", (key,)
        ).fetchone()
        return START if row is None else Head(row[0], "")

    def _heads_in(self, anchor: int) -> tuple[AnchoredHead, ...]:
        self._tx.see_all_owners()
        rows = self._tx.raw(
            "SELECT user_id, agent_id, number, hash FROM anchor_heads LEFT JOIN owners USING (owner) "
            "WHERE anchor = ? ORDER BY user_id, agent_id",
            (anchor,),
        )
        return tuple(AnchoredHead(user, agent, number, _hex(raw)) for user, agent, number, raw in rows)


def entry_of(row: tuple[Any, ...]) -> Entry:
    *values, version, digest_bytes = row
    return Entry(*values, *(raw.hex() if isinstance(raw, bytes) else raw for raw in (version, digest_bytes)))


def _unpacked(entry: Entry, raw: bytes, names: Mapping[int, str]) -> Entry:
    try:
        detail, host = unpacked(raw, names)
    except (ValueError, KeyError):  # edited: then the hash does not match
        return entry._replace(host=None)
    # Nothing else is in the row of a packed entry, unless it was edited.
    return entry._replace(host=None) if entry.detail else entry._replace(detail=detail, host=host)


def chain_existing(db: sqlite3.Connection) -> None:
    """Computes the hashes of a database that had no chain yet."""
    first = db.execute("SELECT hash FROM ledger ORDER BY seq LIMIT 1").fetchone()
    if first is None or first[0] is not None:
        return
    last = GENESIS
    for position, *row in db.execute(f"{_WRITTEN} ORDER BY seq").fetchall():
        entry = entry_of(tuple(row))._replace(detail=_canonical(row[7]))
        last = digest(last, entry)
        db.execute(
            "UPDATE ledger SET detail = ?, hash = ? WHERE seq = ?", (entry.detail, bytes.fromhex(last), position)
        )


def seal_existing(db: sqlite3.Connection) -> None:
    """Seals the chain over all owners: every owner's own chain begins at its head.

    The highest number ever assigned is sealed, so that a tail that was cut before stays missing.
    """
    row = db.execute("SELECT hash FROM ledger ORDER BY seq DESC LIMIT 1").fetchone()
    counter = db.execute("SELECT max(seq) FROM sqlite_sequence WHERE name = 'ledger'").fetchone()
    newest = db.execute("SELECT max(seq) FROM ledger").fetchone()
    highest = max([number for (number,) in (counter, newest) if isinstance(number, int)], default=0)
    if highest:
        head = Head(highest, GENESIS if row is None else _hex(row[0]))
        db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (SEALED, str(head)))


def _canonical(text: str) -> str:
    try:
        return canonical(json.loads(text))
    except ValueError:
        return text


def _head(number: object, raw: object) -> Head | None:
    if number is None and raw is None:
        return None
    return Head(number if isinstance(number, int) else 0, _hex(raw))


def _hex(raw: object) -> str:
    return raw.hex() if isinstance(raw, bytes) else ""


def _owner(user_id: object, agent_id: object) -> Owner | None:
    try:
        return Owner(user_id, agent_id)  # type: ignore[arg-type]  # it checks both
    except CelestialError:
        return None


def _seal_holds(salt: object, memory: object, seal: object) -> bool:
    if not isinstance(salt, bytes) or not isinstance(memory, str) or not isinstance(seal, bytes):
        return False
    return sealed(salt, memory) == seal.hex()
