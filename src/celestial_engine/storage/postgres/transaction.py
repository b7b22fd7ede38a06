"""One transaction: the connection, the indexes, owner numbers, and whose rows it sees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg

from celestial_engine.core.record.owner import Owner
from celestial_engine.core.text.words import Analyser
from celestial_engine.storage.postgres.database import PostgresDatabase
from celestial_engine.storage.postgres.dialect import ALL, POSTGRES, SCOPE
from celestial_engine.storage.postgres.search.facets import PostgresFacets
from celestial_engine.storage.postgres.search.graph import PostgresGraph
from celestial_engine.storage.postgres.search.hnsw import LARGE_OWNER
from celestial_engine.storage.postgres.search.statement_keys import PostgresStatementKeys
from celestial_engine.storage.postgres.search.vectors import PostgresVectorTable
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.search.words import WordIndex

_MOST_REMEMBERED = 100_000


@dataclass
class SharedState:
    """What all transactions of a store share: whether there is pgvector, the analysers, and the owners' numbers."""

    words: WordIndex
    pgvector: bool = False
    large_owner: int = LARGE_OWNER
    numbers: dict[Owner, int] = field(default_factory=dict)  # they never change

    def remember(self, owner: Owner, number: int) -> None:
        if len(self.numbers) >= _MOST_REMEMBERED:
            self.numbers.clear()
        self.numbers[owner] = number


class PostgresTransaction(Transaction):
    """What the groups of a session share.

    Row-level security shows the rows of one owner at a time: the last one whose number was asked for. A query over
    all owners is announced with `see_all_owners`.
    """

    __slots__ = (
        "_analyser",
        "_fresh_numbers",
        "_ids",
        "_scope",
        "_shared",
        "_whole_store",
        "dialect",
        "large_owner",
        "orbiting",
        "reads_only",
    )

    def __init__(
        self,
        connection: psycopg.Connection[Any],
        shared: SharedState,
        scope: str,
        *,
        writes_for: Owner | None = None,
        reads_only: bool = False,
        whole_store: bool = False,
    ) -> None:
        self.db: PostgresDatabase = PostgresDatabase(connection)
        self.dialect = POSTGRES
        self.words = shared.words
        self.facets = PostgresFacets(self.db)
        self.graph = PostgresGraph(self.db)
        self.statement_keys = PostgresStatementKeys(self.db)
        self.vectors: PostgresVectorTable = PostgresVectorTable(self.db, pgvector=shared.pgvector)
        self.reads_only = reads_only
        self.large_owner = shared.large_owner
        self._shared = shared
        self._scope = scope
        self._whole_store = whole_store
        self._writes_for = writes_for
        self._fresh_numbers: dict[Owner, int] = {}  # assigned here: others must not know them before the commit
        self._analyser: str | None = None
        # What a search found, so that it is not asked for twice; a writer notes none: they may be purged.
        self._noted_keys: dict[tuple[int, str], int] | None = {} if reads_only else None
        self._ids: dict[int, str] = {}
        self.orbiting: dict[int, int] = {}  # how many memories an owner has in orbit, by number

    # -- owners -------------------------------------------------------------------------------------

    def number(self, owner: Owner) -> int:
        number = self._fresh_numbers.get(owner) or self._shared.numbers.get(owner)
        if number is None:
            row = self.db.execute(
                "SELECT owner FROM owners WHERE user_id = ? AND agent_id = ?", (owner.user_id, owner.agent_id)
            ).fetchone()
            if row is None:
                return 0
            number = int(row[0])
            if self.reads_only:  # a writer may see the number that it assigned itself
                self._shared.remember(owner, number)
            else:
                self._fresh_numbers[owner] = number
        self._see(str(number))
        return number

    def see_all_owners(self) -> None:
        self._see(ALL)

    def _see(self, scope: str) -> None:
        if scope != self._scope and not self._whole_store:
            self.db.set_local(SCOPE, scope)
            self._scope = scope

    def enrolled(self, owner: Owner) -> int:
        number = self.writable(owner)
        if not number:
            row = self.db.execute(
                "INSERT INTO owners (user_id, agent_id) VALUES (?, ?) RETURNING owner",
                (owner.user_id, owner.agent_id),
            ).fetchone()
            number = self._fresh_numbers[owner] = int(row[0])
            self._see(str(number))
            self.db.execute("INSERT INTO owner_state (owner) VALUES (?)", (number,))
        return number

    def committed(self) -> None:
        """Shares the numbers that this transaction assigned."""
        for owner, number in self._fresh_numbers.items():
            self._shared.remember(owner, number)

    # -- statements ---------------------------------------------------------------------------------

    def insert(self, statement: str, values: Sequence[Any]) -> int | None:
        row = self.db.execute(f"{statement} RETURNING number", values).fetchone()
        return None if row is None else int(row[0])

    def send(self, statement: str, values: Sequence[Any]) -> None:
        self.db.send(statement, values)

    def raw(self, statement: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self.db.execute(statement, values).fetchall()
        return rows

    # -- keys ---------------------------------------------------------------------------------------

    def of_owner(self, owner: Owner) -> tuple[str, tuple[int, ...]]:
        return "items.owner = ?", (self.number(owner),)

    def with_keys(self, number: int, keys: Sequence[int]) -> tuple[str, tuple[Any, ...]]:
        return "items.owner = ? AND items.seq = ANY(?)", (number, list(keys))

    def ids_by_key(self, owner: Owner, item_ids: Sequence[str]) -> dict[int, str]:
        number, noted = self.number(owner), self._noted_keys or {}
        ids = {noted[number, item_id]: item_id for item_id in item_ids if (number, item_id) in noted}
        missing = [item_id for item_id in item_ids if (number, item_id) not in noted]
        if missing:
            rows = self.db.execute("SELECT seq, id FROM items WHERE owner = ? AND id = ANY(?)", (number, missing))
            ids.update(rows.fetchall())
        return ids

    def ids_of_keys(self, number: int, keys: Iterable[int]) -> dict[int, str]:
        keys, noted = list(keys), self._ids
        ids = {key: noted[key] for key in keys if key in noted}
        missing = [key for key in keys if key not in noted]
        if missing:
            rows = self.db.execute("SELECT seq, id FROM items WHERE owner = ? AND seq = ANY(?)", (number, missing))
            new: dict[int, str] = dict(rows.fetchall())
            self.note_ids(new)
            ids |= new
        return ids

    def note_ids(self, names: Mapping[int, str]) -> None:
        super().note_ids(names)
        if self._noted_keys is not None:
            self._ids.update(names)

    # -- archived memories --------------------------------------------------------------------------

    def remove_archived(self, number: int) -> None:
        self.db.execute("DELETE FROM archived WHERE owner = ?", (number,))

    def add_archived(self, number: int, rows: Sequence[tuple[int, str]]) -> None:
        self.db.executemany(
            "INSERT INTO archived (owner, seq, file) VALUES (?, ?, ?)", [(number, seq, file) for seq, file in rows]
        )

    # -- words --------------------------------------------------------------------------------------

    def analyser(self) -> Analyser:
        """Returns the analyser that made the words of the index."""
        if self._analyser is None:
            self._analyser = self.setting("analyser") or ""
        return self.words.analyser_named(self._analyser)
