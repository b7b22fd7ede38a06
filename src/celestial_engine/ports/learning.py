"""What a store keeps for the part that learns: turns that wait for a reward, and versions of what was learned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.learning.checkpoints import Checkpoint
    from celestial_engine.core.learning.credit import PendingTurn
    from celestial_engine.core.learning.rewards import Reward
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.core.turn.policy import Action


class Lessons(Protocol):
    """Asked by whoever chooses, ranks or credits."""

    def checkpoints(self, owner: Owner) -> list[Checkpoint]:
        """Newest first."""
        ...

    def checkpoint_bytes(self, owner: Owner, version: int) -> bytes | None: ...
    def turn(self, owner: Owner, turn_id: str) -> PendingTurn | None: ...
    def last_turn(self, owner: Owner, session_id: str | None) -> PendingTurn | None:
        """The newest of that session."""
        ...

    def newest_turn(self, owner: Owner) -> PendingTurn | None: ...
    def replay(self, owner: Owner, places: Sequence[float]) -> list[PendingTurn]:
        """Rewarded turns without their hits, each by its place among them: 0 the oldest, just below 1 the newest."""
        ...

    def action_counts(self, owner: Owner) -> dict[Action, int]:
        """What was done with the turns that are kept."""
        ...


class LessonWriting(Protocol):
    """Within one transaction."""

    def note_turn(self, owner: Owner, turn: PendingTurn, keep: int) -> None:
        """Keeps the newest so many; one that is known already stays as it is."""
        ...

    def credit_turn(self, owner: Owner, turn_id: str, reward: Reward) -> None: ...
    def put_checkpoint(self, owner: Owner, checkpoint: Checkpoint, packed: bytes, keep: int) -> None:
        """A new version, or the same once more; keeps the newest so many."""
        ...
