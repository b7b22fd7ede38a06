"""The use of language models by day."""

from __future__ import annotations

from celestial_engine.ports import Spent
from celestial_engine.storage.sqlite.dialect import Database, Transactions


class SqliteSpending:
    def __init__(self, connections: Transactions) -> None:
        self._connections = connections

    def spend(self, day: int, tokens: int, most_calls: int | None, most_tokens: int | None) -> bool:
        with self._connections.writing(durable=False) as db:
            spent = _spent(db, day)
            if most_calls is not None and spent.calls + 1 > most_calls:
                return False
            if most_tokens is not None and spent.tokens + tokens > most_tokens:
                return False
            db.execute(
                "INSERT INTO model_days (day, calls, tokens) VALUES (?, 1, ?) "
                "ON CONFLICT (day) DO UPDATE SET calls = model_days.calls + 1, "
                "tokens = model_days.tokens + excluded.tokens",
                (day, tokens),
            )
            return True

    def correct(self, day: int, tokens: int) -> None:
        with self._connections.writing(durable=False) as db:
            db.execute(
                "UPDATE model_days SET tokens = CASE WHEN tokens > ? THEN tokens + ? ELSE 0 END WHERE day = ?",
                (-tokens, tokens, day),
            )

    def spent(self, day: int) -> Spent:
        with self._connections.reading() as db:
            return _spent(db, day)


def _spent(db: Database, day: int) -> Spent:
    row = db.execute("SELECT calls, tokens FROM model_days WHERE day = ?", (day,)).fetchone()
    return Spent(0, 0) if row is None else Spent(*row)
