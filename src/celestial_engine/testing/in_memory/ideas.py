"""How well each kind of idea was received, on a dictionary."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.imagination.rules import PatternStrength
from celestial_engine.core.record.owner import Owner
from celestial_engine.testing.in_memory.transaction import Transaction


class DictIdeas:
    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def patterns(self, owner: Owner) -> dict[str, PatternStrength]:
        return {
            name: strength
            for (pattern_owner, name), strength in sorted(self._tx.data.patterns.items())
            if pattern_owner == owner
        }

    def put_pattern(self, owner: Owner, strength: PatternStrength) -> None:
        self._tx.check_writes(owner)
        self._tx.data.patterns = {**self._tx.data.patterns, (owner, strength.pattern): strength}

    def forget_item(self, owner: Owner, item_id: str) -> None:
        self._tx.data.patterns = {
            key: replace(strength, waiting=None) if (key[0], strength.waiting) == (owner, item_id) else strength
            for key, strength in self._tx.data.patterns.items()
        }
