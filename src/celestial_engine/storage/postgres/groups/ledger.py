"""The ledger's tables. Each owner's chain has its own numbers; positions order the entries of all owners.

Writers of different owners commit in any order, so a counter would let an entry appear before one with a lower
position. The position is made of the transaction's number instead, and a reader takes only the entries of
transactions before the oldest that is still running.
"""

from __future__ import annotations

from celestial_engine.core.ledger.chain import CarriedSeal, Entry, Head, Written
from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.postgres.transaction import PostgresTransaction
from celestial_engine.storage.sqlite.items.chains import CARRIED, ENTRIES, entry_of
from celestial_engine.storage.sqlite.items.ledger import MARKS, ROW, SqliteLedger, SqliteLedgerWriter, row_of
from celestial_engine.storage.sqlite.packed_recall import references

_ENTRIES_SHIFT = 20  # a transaction writes up to a million entries
BASE = "position_base"  # in `meta`: added to positions, should transaction numbers begin again on another server
_WRITTEN = ENTRIES.replace("SELECT", "SELECT seq,")
_BASE = f"coalesce((SELECT value FROM meta WHERE key = '{BASE}'), '0')::bigint"
_HORIZON = f"(pg_snapshot_xmin(pg_current_snapshot())::text::bigint << {_ENTRIES_SHIFT}) + {_BASE}"
_OWN = f"(pg_current_xact_id()::text::bigint << {_ENTRIES_SHIFT}) + {_BASE}"
OWN_POSITION = f"SELECT {_OWN}"
# Assigns references to memories that have none, and notes all of them: nothing has to come back.
_REFER = (
    "WITH known AS (SELECT ref, item_id FROM ledger_memories WHERE owner = ? AND item_id = ANY(?::text[])), "
    "fresh AS (INSERT INTO ledger_memories (owner, ref, item_id) "
    "SELECT ?, coalesce((SELECT max(ref) FROM ledger_memories WHERE owner = ?), 0) "
    "+ row_number() OVER (ORDER BY place), item_id FROM unnest(?::text[]) WITH ORDINALITY AS named (item_id, place) "
    "WHERE NOT EXISTS (SELECT 1 FROM known WHERE known.item_id = named.item_id) RETURNING ref) "
    "INSERT INTO ledger_references (owner, ref, number) "
    "SELECT ?, ref, ? FROM (SELECT ref FROM known UNION ALL SELECT ref FROM fresh) AS named"
)


def _total(tx: PostgresTransaction, sealed: Head) -> int:
    tx.see_all_owners()
    (entries,) = tx.db.execute(
        "SELECT coalesce(sum(ledger_number - ?), 0)::bigint FROM owner_state WHERE ledger_number IS NOT NULL",
        (sealed.number,),
    ).fetchone()
    carried = tx.db.execute("SELECT value FROM meta WHERE key LIKE ?", (f"{CARRIED}%",)).fetchall()
    begun = [CarriedSeal.read(text) for (text,) in carried]
    return int(entries) + sealed.number - sum(seal.head.number - sealed.number - seal.entries for seal in begun)


class PostgresLedger(SqliteLedger):
    """Reads the ledger within one transaction."""

    __slots__ = ("_pg",)

    def __init__(self, transaction: PostgresTransaction) -> None:
        super().__init__(transaction)
        self._pg = transaction

    def written(self, after: int, limit: int) -> list[Written]:
        self._pg.see_all_owners()
        rows = self._pg.db.execute(
            f"{_WRITTEN} WHERE seq > ? AND seq < (SELECT {_HORIZON}) ORDER BY seq LIMIT ?", (after, limit)
        )
        return [Written(row[0], entry_of(row[1:])) for row in rows]

    def total(self) -> int:
        return _total(self._pg, self.sealed_head())

    def last_written(self) -> Head | None:
        self._pg.see_all_owners()
        row = self._pg.db.execute(
            f"SELECT seq, hash FROM ledger WHERE seq < (SELECT {_HORIZON}) ORDER BY seq DESC LIMIT 1"
        ).fetchone()
        return None if row is None else Head(row[0], row[1].hex())


class PostgresLedgerWriter(SqliteLedgerWriter):
    """Appends to the ledger. No other transaction appends to the same chain meanwhile."""

    __slots__ = ("_next_position", "_pg")

    def __init__(self, transaction: PostgresTransaction) -> None:
        super().__init__(transaction)
        self._pg = transaction
        self._next_position: int | None = None

    def last_written(self) -> Head | None:
        """Not needed: the mirror asks a reader."""
        return None

    def written(self, after: int, limit: int) -> list[Written]:
        self._pg.see_all_owners()
        own = "" if self._next_position is None else f"OR seq >= {self._next_position - len(self.fresh)}"
        rows = self._pg.db.execute(
            f"{_WRITTEN} WHERE seq > ? AND (seq < (SELECT {_HORIZON}) {own}) ORDER BY seq LIMIT ?", (after, limit)
        )
        return [Written(row[0], entry_of(row[1:])) for row in rows]

    def total(self) -> int:
        self.write_heads()
        return _total(self._pg, self.sealed_head())

    def _newest_and_next(self, number: int, owner: Owner) -> tuple[Head, int]:
        position = "0" if self._next_position is not None else _OWN  # asked for with the first head
        ledger_number, ledger_hash, last, own = self._pg.db.execute(
            f"SELECT ledger_number, ledger_hash, (SELECT max(number) FROM ledger WHERE owner = ?), {position} "
            "FROM owner_state WHERE owner = ?",
            (number, number),
        ).fetchone()
        if self._next_position is None:
            self._next_position = own
        newest = self._head_or_beginning(owner, ledger_number, ledger_hash)
        return newest, max(newest.number, last or 0) + 1  # numbers are never reused, even if the head was set back

    def _append(self, owner: int, entry: Entry) -> int:
        if self._next_position is None:
            (self._next_position,) = self._pg.db.execute(OWN_POSITION).fetchone()
        position, self._next_position = self._next_position, self._next_position + 1
        named = list(dict.fromkeys(references(entry)))
        if named:  # the texts stay as they are: a server of an older release may read them
            self._pg.db.send(_REFER, (owner, named, owner, owner, named, owner, entry.number))
        self._pg.db.send(f"INSERT INTO ledger ({ROW}, seq) VALUES ({MARKS}, ?)", (*row_of(owner, entry), position))
        return position
