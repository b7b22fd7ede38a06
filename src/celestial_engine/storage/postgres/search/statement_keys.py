"""Statement keys of the memories in orbit, computed when they are stored."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from celestial_engine.errors import Problem, Reason, problem
from celestial_engine.storage.postgres.database import PostgresDatabase
from celestial_engine.storage.postgres.search.steps import end_of_step, place, step
from celestial_engine.storage.postgres.traits import MARK, READ_TEXT
from celestial_engine.storage.sqlite.rows import TRAITS_READ, UnreadableRowError, ranking_values
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT, OWNER_SHIFT
from celestial_engine.storage.sqlite.search.statement_keys import StatementKeyTable, read_by

if TYPE_CHECKING:
    from celestial_engine.core.sameness.statement_keys import StatementKeys

_WITH_COLUMNS = "columns"  # behind the rules in `meta`: this release also fills the columns that ranking needs
_TRAITS_READ = f"({TRAITS_READ} AND traits_of = {MARK})"
_JOINED = "items JOIN texts USING (owner, seq) LEFT JOIN sayings USING (owner, seq)"


class PostgresStatementKeys(StatementKeyTable):
    """The table in one transaction. Missing or outdated keys are computed on reading."""

    def __init__(self, db: PostgresDatabase) -> None:
        super().__init__(db)
        self._pg = db

    def add(self, seq: int, text: str) -> None:
        from celestial_engine.core.sameness.statement_keys import RULES, statement_keys_of

        keys = statement_keys_of(text)
        self._pg.send(
            "INSERT INTO sayings (owner, seq, rules, mark, topics, changing) VALUES (?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (owner, seq) DO UPDATE SET rules = excluded.rules, mark = excluded.mark, "
            "topics = excluded.topics, changing = excluded.changing",
            (seq >> OWNER_SHIFT, seq, RULES, keys.key, array("q", keys.topics).tobytes(), bool(keys.changing)),
        )

    def remove(self, seq: int) -> None:
        self._pg.send("DELETE FROM sayings WHERE owner = ? AND seq = ?", (seq >> OWNER_SHIFT, seq))

    def between(self, low: int, high: int) -> Iterator[tuple[str, StatementKeys]]:
        """The keys of the owner that `low` belongs to."""
        from celestial_engine.core.sameness.statement_keys import RULES, StatementKeys, statement_keys_of

        rows = self._pg.execute(
            "SELECT id, mark, topics, changing, CASE WHEN rules IS NOT DISTINCT FROM ? THEN NULL ELSE content END "
            f"FROM {_JOINED} WHERE owner = ? AND {IN_ORBIT} ORDER BY seq",
            (RULES, low >> OWNER_SHIFT),
        )
        for item_id, mark, topics, changing, unread in rows:
            if unread is None:
                yield item_id, StatementKeys(mark, tuple(array("q", topics)), bool(changing))
            else:
                yield item_id, statement_keys_of(unread)

    def forget_all(self) -> None:
        self._pg.execute("DELETE FROM sayings")
        self._pg.execute("UPDATE texts SET traits_by = NULL")
        self._pg.execute("DELETE FROM meta WHERE key = 'read_by'")

    def complete(self) -> bool:
        row = self._pg.execute("SELECT value FROM meta WHERE key = 'read_by'").fetchone()
        return row is not None and row[0] == f"{read_by()}, {_WITH_COLUMNS}"

    def completed(self) -> None:
        self._pg.execute(
            "INSERT INTO meta (key, value) VALUES ('read_by', ?) "
            "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (f"{read_by()}, {_WITH_COLUMNS}",),
        )

    def read_after(self, seq: int, limit: int) -> int | None:
        from celestial_engine.core.sameness.statement_keys import RULES

        last = end_of_step(self._pg, seq, limit)
        if last is None:
            return None
        rows = self._pg.execute(
            f"SELECT seq, content, facets, rules IS NOT DISTINCT FROM ?, {_TRAITS_READ} FROM {step(limit)} "
            "JOIN texts USING (owner, seq) LEFT JOIN sayings USING (owner, seq) "
            f"WHERE {IN_ORBIT} AND (rules IS DISTINCT FROM ? OR {_TRAITS_READ} IS NOT TRUE)",
            (RULES, *place(seq), RULES),
        ).fetchall()
        for one, text, facets, has_keys, has_traits in rows:
            if not has_keys:
                self.add(one, text)
            if not has_traits:
                self._add_traits(one, text, facets)
        return last

    def _add_traits(self, seq: int, text: str, facets: str) -> None:
        with suppress(ValueError, AttributeError, UnreadableRowError):  # a damaged record; `check` reports it
            self._pg.send(READ_TEXT, (*ranking_values(text, facets), seq >> OWNER_SHIFT, seq, text, facets))

    def problems(self) -> list[Problem]:
        (left,) = self._pg.execute(
            f"SELECT count(*) FROM sayings LEFT JOIN items USING (owner, seq) WHERE state IS NULL OR NOT {IN_ORBIT}"
        ).fetchone()
        return [problem(None, Reason.STILL_READ, count=left)] if left else []
