"""How welcome each kind of idea has been, on dictionaries."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.imagination.rules import PatternStrength
from celestial_engine.core.record.owner import Owner
from celestial_engine.testing.in_memory.rows import DictRows


class DictPatterns(DictRows):
    def patterns(self, owner: Owner) -> dict[str, PatternStrength]:
        return {name: kept for (whose, name), kept in sorted(self._data.imagined.items()) if whose == owner}

    def put_pattern(self, owner: Owner, strength: PatternStrength) -> None:
        self._data.imagined = {**self._data.imagined, (owner, strength.pattern): strength}

    def _forget_imagination(self, owner: Owner, item_id: str) -> None:
        self._data.imagined = {
            key: replace(kept, waiting=None) if (key[0], kept.waiting) == (owner, item_id) else kept
            for key, kept in self._data.imagined.items()
        }
