"""Turns and checkpoints on dictionaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from celestial_engine.core.learning.checkpoints import Checkpoint
from celestial_engine.core.learning.credit import PendingTurn
from celestial_engine.core.learning.rewards import Reward
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.turn.policy import Action
from celestial_engine.testing.in_memory.transaction import Transaction


class DictLessons:
    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def checkpoints(self, owner: Owner) -> list[Checkpoint]:
        found = [checkpoint for (whose, _), (checkpoint, _) in self._tx.data.checkpoints.items() if whose == owner]
        return sorted(found, key=lambda checkpoint: -checkpoint.version)

    def checkpoint_bytes(self, owner: Owner, version: int) -> bytes | None:
        found = self._tx.data.checkpoints.get((owner, version))
        return None if found is None else found[1]

    def turn(self, owner: Owner, turn_id: str) -> PendingTurn | None:
        return self._tx.data.turns.get((owner, turn_id))

    def last_turn(self, owner: Owner, session_id: str | None) -> PendingTurn | None:
        return next((turn for turn in reversed(self._turns_of(owner)) if turn.session_id == session_id), None)

    def newest_turn(self, owner: Owner) -> PendingTurn | None:
        return next(reversed(self._turns_of(owner)), None)

    def turns(self, owner: Owner, limit: int, before: str | None = None) -> list[PendingTurn]:
        turns = self._turns_of(owner)
        if before is not None:
            places = [place for place, turn in enumerate(turns) if turn.turn_id == before]
            turns = turns[: places[0]] if places else []
        return turns[::-1][:limit]

    def replay(self, owner: Owner, places: Sequence[float]) -> list[PendingTurn]:
        rewarded = [replace(turn, hits=()) for turn in self._turns_of(owner) if turn.reward is not None]
        return [rewarded[int(place * len(rewarded))] for place in places] if rewarded else []

    def action_counts(self, owner: Owner) -> dict[Action, int]:
        return dict.fromkeys(Action, 0) | Counter(turn.action for turn in self._turns_of(owner))

    def add_turn(self, owner: Owner, turn: PendingTurn, keep: int) -> None:
        self._tx.check_writes(owner)
        self._tx.data.turns.setdefault((owner, turn.turn_id), turn)
        for old in self._turns_of(owner)[:-keep]:
            del self._tx.data.turns[(owner, old.turn_id)]

    def credit_turn(self, owner: Owner, turn_id: str, reward: Reward) -> None:
        self._tx.check_writes(owner)
        turn = self._tx.data.turns[(owner, turn_id)]
        self._tx.data.turns[(owner, turn_id)] = replace(turn, reward=reward.value, rewarded_as=reward.kind)

    def put_checkpoint(self, owner: Owner, checkpoint: Checkpoint, packed: bytes, keep: int) -> None:
        self._tx.check_writes(owner)
        self._tx.data.checkpoints[(owner, checkpoint.version)] = (checkpoint, packed)
        for old in self.checkpoints(owner)[keep:]:
            del self._tx.data.checkpoints[(owner, old.version)]

    def forget_item(self, owner: Owner, item_id: str) -> None:
        """Deletes the turn that saved it, and removes it from the hits of the others."""
        for key, turn in list(self._tx.data.turns.items()):
            if key[0] != owner:
                continue
            if turn.saved_id == item_id:
                del self._tx.data.turns[key]
            elif any(hit.item_id == item_id for hit in turn.hits):
                self._tx.data.turns[key] = replace(
                    turn, hits=tuple(hit for hit in turn.hits if hit.item_id != item_id)
                )

    def _turns_of(self, owner: Owner) -> list[PendingTurn]:
        return [turn for (whose, _), turn in self._tx.data.turns.items() if whose == owner]
