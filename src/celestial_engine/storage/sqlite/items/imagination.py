"""How welcome each kind of idea has been, an owner and a pattern a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.items.transaction import Transaction

if TYPE_CHECKING:
    from celestial_engine.core.imagination.rules import PatternStrength


class PatternReading(Transaction):
    def patterns(self, owner: Owner) -> dict[str, PatternStrength]:
        from celestial_engine.core.imagination.rules import PatternStrength

        rows = self._db.execute(
            "SELECT pattern, strength, liked, rejected, ignored, last_at, waiting FROM imagined_patterns "
            "WHERE owner = ? ORDER BY pattern",
            (self._number(owner),),
        )
        return {row[0]: PatternStrength(*row) for row in rows}


class PatternsWritten(PatternReading):
    def _welcome(self, owner: Owner) -> int:
        raise NotImplementedError

    def put_pattern(self, owner: Owner, strength: PatternStrength) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO imagined_patterns "
            "(owner, pattern, strength, liked, rejected, ignored, last_at, waiting) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (self._number(owner) or self._welcome(owner), strength.pattern, strength.strength, strength.liked,
             strength.rejected, strength.ignored, strength.last_at, strength.waiting),
        )  # fmt: skip
