"""How well each kind of idea was received, one row per owner and pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.items.transaction import Transaction

if TYPE_CHECKING:
    from celestial_engine.core.imagination.rules import PatternStrength


class SqliteIdeas:
    """Reads within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def patterns(self, owner: Owner) -> dict[str, PatternStrength]:
        from celestial_engine.core.imagination.rules import PatternStrength

        rows = self._tx.db.execute(
            "SELECT pattern, strength, liked, rejected, ignored, last_at, waiting FROM imagined_patterns "
            "WHERE owner = ? ORDER BY pattern",
            (self._tx.number(owner),),
        )
        return {row[0]: PatternStrength(*row) for row in rows}


class SqliteIdeaWriter(SqliteIdeas):
    """Reads and writes patterns. Triggers clear references to purged memories."""

    __slots__ = ()

    def put_pattern(self, owner: Owner, strength: PatternStrength) -> None:
        self._tx.db.execute(
            "INSERT INTO imagined_patterns "
            "(owner, pattern, strength, liked, rejected, ignored, last_at, waiting) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (owner, pattern) DO UPDATE SET strength = excluded.strength, liked = excluded.liked, "
            "rejected = excluded.rejected, ignored = excluded.ignored, last_at = excluded.last_at, "
            "waiting = excluded.waiting",
            (self._tx.enrolled(owner), strength.pattern, strength.strength, strength.liked,
             strength.rejected, strength.ignored, strength.last_at, strength.waiting),
        )  # fmt: skip
