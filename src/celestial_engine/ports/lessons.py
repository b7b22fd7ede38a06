"""Session group `lessons`: turns that wait for a reward, and saved versions of the learned policy."""

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
    """Turns and checkpoints of one owner at a time. Consistency: the state at the start of the session."""

    def checkpoints(self, owner: Owner) -> list[Checkpoint]:
        """Every checkpoint of the owner, highest version first."""
        ...

    def checkpoint_bytes(self, owner: Owner, version: int) -> bytes | None:
        """The packed policy of one checkpoint; None if there is no such version."""
        ...

    def turn(self, owner: Owner, turn_id: str) -> PendingTurn | None:
        """One turn with its hits, in the order in which they were noted; None if it is not kept."""
        ...

    def last_turn(self, owner: Owner, session_id: str | None) -> PendingTurn | None:
        """The newest turn of that session (None: of the turns without a session); None if there is none."""
        ...

    def newest_turn(self, owner: Owner) -> PendingTurn | None:
        """The newest turn of any session; None if the owner has none."""
        ...

    def turns(self, owner: Owner, limit: int, before: str | None = None) -> list[PendingTurn]:
        """The newest turns of any session with their hits, newest first; `before` continues behind that turn.

        Empty if `before` is not kept.
        """
        ...

    def replay(self, owner: Owner, places: Sequence[float]) -> list[PendingTurn]:
        """One rewarded turn for each place, in the order of `places`, without its hits.

        A place is a position among the owner's rewarded turns: 0 is the oldest, just below 1 the newest.
        Empty if no turn was rewarded.
        """
        ...

    def action_counts(self, owner: Owner) -> dict[Action, int]:
        """How many of the kept turns chose each action; every action has an entry."""
        ...


class LessonWriter(Lessons, Protocol):
    """Reads and writes; reads see what this session wrote.

    Purging a memory deletes the turn that saved it and removes it from the hits of the others.
    """

    def add_turn(self, owner: Owner, turn: PendingTurn, keep: int) -> None:
        """Adds the turn, then deletes the oldest so that `keep` remain. A known `turn_id` changes nothing."""
        ...

    def credit_turn(self, owner: Owner, turn_id: str, reward: Reward) -> None:
        """Sets the reward of a turn; the caller has checked that it exists."""
        ...

    def put_checkpoint(self, owner: Owner, checkpoint: Checkpoint, packed: bytes, keep: int) -> None:
        """Inserts or replaces this version, then deletes the lowest versions so that `keep` remain."""
        ...
