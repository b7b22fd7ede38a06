"""The memories that ledger entries about several of them name, and which entries name a memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from celestial_engine.storage.sqlite.dialect import in_list
from celestial_engine.storage.sqlite.items.transaction import SQL_VARIABLES, Transaction


class ReferenceTable:
    """Reads and writes references within one transaction. Owners are given by their numbers."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def names(self, owner: int, refs: Iterable[int]) -> dict[int, str]:
        """Returns the ids of these memories."""
        wanted, found = sorted(set(refs)), dict[int, str]()
        for start in range(0, len(wanted), SQL_VARIABLES):
            marks, part = in_list(wanted[start : start + SQL_VARIABLES])
            found.update(
                self._tx.raw(
                    f"SELECT ref, item_id FROM ledger_memories WHERE owner = ? AND ref IN ({marks})", (owner, *part)
                )
            )
        return found

    def reference(self, owner: int, item_id: str) -> int | None:
        """Returns the reference of a memory; None if no entry about several names it."""
        row = self._tx.db.execute(
            "SELECT ref FROM ledger_memories WHERE owner = ? AND item_id = ?", (owner, item_id)
        ).fetchone()
        return None if row is None else int(row[0])

    def assigned(self, owner: int, item_ids: Sequence[str]) -> dict[str, int]:
        """Returns the references of these memories, and assigns those that are missing."""
        found = dict[str, int]()
        for start in range(0, len(item_ids), SQL_VARIABLES):
            marks, part = in_list(item_ids[start : start + SQL_VARIABLES])
            rows = self._tx.db.execute(
                f"SELECT item_id, ref FROM ledger_memories WHERE owner = ? AND item_id IN ({marks})", (owner, *part)
            )
            found.update(rows.fetchall())
        missing = [item_id for item_id in dict.fromkeys(item_ids) if item_id not in found]
        if missing:
            (highest,) = self._tx.db.execute(
                "SELECT max(ref) FROM ledger_memories WHERE owner = ?", (owner,)
            ).fetchone()
            for ref, item_id in enumerate(missing, (highest or 0) + 1):
                found[item_id] = ref
                self._tx.send(
                    "INSERT INTO ledger_memories (owner, ref, item_id) VALUES (?, ?, ?)", (owner, ref, item_id)
                )
        return found

    def add(self, owner: int, number: int, refs: Iterable[int]) -> None:
        """Notes that the entry of this number names these memories."""
        for ref in refs:
            self._tx.send("INSERT INTO ledger_references (owner, ref, number) VALUES (?, ?, ?)", (owner, ref, number))
