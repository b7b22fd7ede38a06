"""One transaction: the connection, the indexes beside the records, and who is who in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT as IN_ORBIT
from celestial_engine.storage.sqlite.schema.migrations import OWNER_SHIFT
from celestial_engine.storage.sqlite.search.codes import CodeCache
from celestial_engine.storage.sqlite.search.facets import FacetTables
from celestial_engine.storage.sqlite.search.graph import GraphTables
from celestial_engine.storage.sqlite.search.statement_keys import SayingTable
from celestial_engine.storage.sqlite.search.vectors import VectorTable
from celestial_engine.storage.sqlite.search.words import WordIndex

SQL_VARIABLES = 500


class Transaction:
    """The number of an owner is looked up once."""

    def __init__(self, connection: sqlite3.Connection, words: WordIndex, codes: CodeCache | None = None) -> None:
        self._db = connection
        self._words = words
        self._facets = FacetTables(connection)
        self._graph = GraphTables(connection)
        self._sayings = SayingTable(connection)
        self._vectors = VectorTable(connection, codes)
        self._known: dict[Owner, int] = {}

    def _keys(self, owner: Owner, item_ids: Sequence[str]) -> dict[int, str]:
        number = self._number(owner)
        found: dict[int, str] = {}
        for start in range(0, len(item_ids), SQL_VARIABLES):
            part = item_ids[start : start + SQL_VARIABLES]
            found.update(
                self._db.execute(
                    f"SELECT seq, id FROM items WHERE owner = ? AND id IN ({', '.join('?' * len(part))})",
                    (number, *part),
                ).fetchall()
            )
        return found

    def _ids(self, keys: Iterable[int]) -> dict[int, str]:
        keys, names = list(keys), dict[int, str]()
        for start in range(0, len(keys), SQL_VARIABLES):
            part = numbers(keys[start : start + SQL_VARIABLES])
            names.update(self._db.execute(f"SELECT seq, id FROM items WHERE seq IN ({part})").fetchall())
        return names

    def _noted(self, key: str) -> str | None:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def _number(self, owner: Owner) -> int:
        """The owner's number; 0, which nobody has, for one who never stored anything."""
        number = self._known.get(owner)
        if number is None:
            row = self._db.execute(
                "SELECT owner FROM owners WHERE user_id = ? AND agent_id = ?", (owner.user_id, owner.agent_id)
            ).fetchone()
            if row is None:
                return 0
            number = self._known[owner] = int(row[0])
        return number

    def _owner(self, number: int) -> Owner:
        row = self._db.execute("SELECT user_id, agent_id FROM owners WHERE owner = ?", (number,)).fetchone()
        return Owner(*row)

    def _range(self, owner: Owner) -> tuple[int, int]:
        number = self._number(owner)
        return number << OWNER_SHIFT, ((number + 1) << OWNER_SHIFT) - 1


def numbers(values: Sequence[int]) -> str:
    return ", ".join(str(int(value)) for value in values)
