"""Turns and versions on dictionaries: what `storage/sqlite/learning.py` does with tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from celestial_engine.core.learning.checkpoints import Checkpoint
from celestial_engine.core.learning.credit import PendingTurn
from celestial_engine.core.learning.rewards import Reward
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.turn.policy import Action


@dataclass
class LessonNotes:
    turns: dict[tuple[Owner, str], PendingTurn] = field(default_factory=dict)  # in the order of noting
    versions: dict[tuple[Owner, int], tuple[Checkpoint, bytes]] = field(default_factory=dict)

    def snapshot(self) -> LessonNotes:
        return LessonNotes(dict(self.turns), dict(self.versions))

    def forget(self, owner: Owner, item_id: str) -> None:
        """A purged memory: the turn that saved it goes, and it is no hit of any other."""
        for key, turn in list(self.turns.items()):
            if key[0] != owner:
                continue
            if turn.saved_id == item_id:
                del self.turns[key]
            elif any(hit.item_id == item_id for hit in turn.hits):
                self.turns[key] = replace(turn, hits=tuple(hit for hit in turn.hits if hit.item_id != item_id))


class DictLessons:
    """The lessons of a session on dictionaries."""

    _lessons: LessonNotes

    def checkpoints(self, owner: Owner) -> list[Checkpoint]:
        found = [checkpoint for (whose, _), (checkpoint, _) in self._lessons.versions.items() if whose == owner]
        return sorted(found, key=lambda checkpoint: -checkpoint.version)

    def checkpoint_bytes(self, owner: Owner, version: int) -> bytes | None:
        found = self._lessons.versions.get((owner, version))
        return None if found is None else found[1]

    def turn(self, owner: Owner, turn_id: str) -> PendingTurn | None:
        return self._lessons.turns.get((owner, turn_id))

    def last_turn(self, owner: Owner, session_id: str | None) -> PendingTurn | None:
        return next((turn for turn in reversed(self._noted(owner)) if turn.session_id == session_id), None)

    def newest_turn(self, owner: Owner) -> PendingTurn | None:
        return next(reversed(self._noted(owner)), None)

    def replay(self, owner: Owner, places: Sequence[float]) -> list[PendingTurn]:
        rewarded = [replace(turn, hits=()) for turn in self._noted(owner) if turn.reward is not None]
        return [rewarded[int(place * len(rewarded))] for place in places] if rewarded else []

    def action_counts(self, owner: Owner) -> dict[Action, int]:
        return dict.fromkeys(Action, 0) | Counter(turn.action for turn in self._noted(owner))

    def note_turn(self, owner: Owner, turn: PendingTurn, keep: int) -> None:
        self._lessons.turns.setdefault((owner, turn.turn_id), turn)
        for old in self._noted(owner)[:-keep]:
            del self._lessons.turns[(owner, old.turn_id)]

    def credit_turn(self, owner: Owner, turn_id: str, reward: Reward) -> None:
        turn = self._lessons.turns[(owner, turn_id)]
        self._lessons.turns[(owner, turn_id)] = replace(turn, reward=reward.value, rewarded_as=reward.kind)

    def put_checkpoint(self, owner: Owner, checkpoint: Checkpoint, packed: bytes, keep: int) -> None:
        self._lessons.versions[(owner, checkpoint.version)] = (checkpoint, packed)
        for old in self.checkpoints(owner)[keep:]:
            del self._lessons.versions[(owner, old.version)]

    def _noted(self, owner: Owner) -> list[PendingTurn]:
        return [turn for (whose, _), turn in self._lessons.turns.items() if whose == owner]
