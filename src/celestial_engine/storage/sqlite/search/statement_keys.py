"""Statement keys of the memories in orbit, computed when they are stored: one row each, in key order.

The rules for reading texts are imported on first use: a search does not need them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from celestial_engine.core.retrieval.text_traits import TRAIT_RULES
from celestial_engine.errors import Problem, Reason, problem
from celestial_engine.storage.sqlite.dialect import Database
from celestial_engine.storage.sqlite.rows import RANKING_COLUMNS, UnreadableRowError, ranking_values
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT

if TYPE_CHECKING:
    from celestial_engine.core.sameness.statement_keys import StatementKeys

_JOINED = "items JOIN texts USING (seq) LEFT JOIN sayings USING (seq)"


def read_by() -> str:
    """Returns the versions of the rules that read texts."""
    from celestial_engine.core.sameness.statement_keys import RULES

    return f"{RULES}, {TRAIT_RULES}"


class StatementKeyTable:
    """The table in one transaction. Missing or outdated keys are computed on reading."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, seq: int, text: str) -> None:
        self.add_many([(seq, text)])

    def add_many(self, texts: Iterable[tuple[int, str]]) -> None:
        from celestial_engine.core.sameness.statement_keys import RULES, statement_keys_of

        read = ((seq, statement_keys_of(text)) for seq, text in texts)
        self._db.executemany(
            "INSERT OR REPLACE INTO sayings (seq, rules, mark, topics, changing) VALUES (?, ?, ?, ?, ?)",
            ((seq, RULES, keys.key, array("q", keys.topics).tobytes(), keys.changing) for seq, keys in read),
        )

    def remove(self, seq: int) -> None:
        self._db.execute("DELETE FROM sayings WHERE seq = ?", (seq,))

    def forget_all(self) -> None:
        self._db.execute("DELETE FROM sayings")
        self._db.execute("UPDATE texts SET traits_by = NULL")
        self._db.execute("DELETE FROM meta WHERE key = 'read_by'")

    def between(self, low: int, high: int) -> Iterator[tuple[str, StatementKeys]]:
        from celestial_engine.core.sameness.statement_keys import RULES, StatementKeys, statement_keys_of

        rows = self._db.execute(
            "SELECT id, mark, topics, changing, CASE WHEN rules IS ? THEN NULL ELSE content END "
            f"FROM {_JOINED} WHERE seq BETWEEN ? AND ? AND {IN_ORBIT} ORDER BY seq",
            (RULES, low, high),
        )
        for item_id, mark, topics, changing, unread in rows:
            if unread is None:
                yield item_id, StatementKeys(mark, tuple(array("q", topics)), bool(changing))
            else:
                yield item_id, statement_keys_of(unread)

    def complete(self) -> bool:
        """Returns whether the current rules have read all texts."""
        return (
            self._db.execute("SELECT 1 FROM meta WHERE key = 'read_by' AND value = ?", (read_by(),)).fetchone()
            is not None
        )

    def completed(self) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES ('read_by', ?)", (read_by(),))

    def read_after(self, seq: int, limit: int) -> int | None:
        """Reads the next texts that the current rules have not read, of all owners; None when there are none."""
        from celestial_engine.core.sameness.statement_keys import RULES

        rows = self._db.execute(
            f"SELECT seq, content, facets, rules IS ?, traits_by IS ? FROM {_JOINED} "
            f"WHERE seq > ? AND {IN_ORBIT} AND (rules IS NOT ? OR traits_by IS NOT ?) ORDER BY seq LIMIT ?",
            (RULES, TRAIT_RULES, seq, RULES, TRAIT_RULES, limit),
        ).fetchall()
        for one, text, facets, has_keys, has_traits in rows:
            if not has_keys:
                self.add(one, text)
            if not has_traits:
                self._add_traits(one, text, facets)
        return rows[-1][0] if rows else None

    def read_traits(self, limit: int) -> None:
        """Reads what ranking needs of the newest texts that have not been read for it, of all owners."""
        rows = self._db.execute(
            f"SELECT seq, content, facets FROM items JOIN texts USING (seq) WHERE traits_by IS NOT ? AND {IN_ORBIT} "
            "ORDER BY seq DESC LIMIT ?",
            (TRAIT_RULES, limit),
        ).fetchall()
        for row in rows:
            self._add_traits(*row)

    def _add_traits(self, seq: int, text: str, facets: str) -> None:
        with suppress(ValueError, AttributeError, UnreadableRowError):  # a damaged record; `check` reports it
            self._db.execute(
                f"UPDATE texts SET ({RANKING_COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE seq = ?",
                (*ranking_values(text, facets), seq),
            )

    def problems(self) -> list[Problem]:
        (left,) = self._db.execute(
            f"SELECT count(*) FROM sayings LEFT JOIN items USING (seq) WHERE state IS NULL OR NOT {IN_ORBIT}"
        ).fetchone()
        return [problem(None, Reason.STILL_READ, count=left)] if left else []
