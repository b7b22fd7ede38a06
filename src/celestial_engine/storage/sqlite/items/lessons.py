"""Turns that wait for a reward, and versions of the learned policy."""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.rows import enum_value

if TYPE_CHECKING:
    from celestial_engine.core.learning.checkpoints import Checkpoint
    from celestial_engine.core.learning.credit import PendingHit, PendingTurn
    from celestial_engine.core.learning.rewards import Reward
    from celestial_engine.core.turn.policy import Action

_TURN = (
    "SELECT number, turn_id, session_id, at, action, phase, state, usual, learned, exam, saved_id, reward, "
    "rewarded_as, shared, reason FROM turns"
)


class SqliteLessons:
    """Reads within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def checkpoints(self, owner: Owner) -> list[Checkpoint]:
        rows = self._tx.db.execute(
            "SELECT version, at, began, digest, metrics FROM checkpoints WHERE owner = ? ORDER BY version DESC",
            (self._tx.number(owner),),
        ).fetchall()
        if not rows:
            return []
        from celestial_engine.core.learning.checkpoints import Checkpoint

        return [Checkpoint(version, at, began, digest, _metrics(text)) for version, at, began, digest, text in rows]

    def checkpoint_bytes(self, owner: Owner, version: int) -> bytes | None:
        row = self._tx.db.execute(
            "SELECT packed FROM checkpoints WHERE owner = ? AND version = ?", (self._tx.number(owner), version)
        ).fetchone()
        return None if row is None or not isinstance(row[0], bytes) else row[0]

    def turn(self, owner: Owner, turn_id: str) -> PendingTurn | None:
        return self._turn("turn_id = ?", (self._tx.number(owner), turn_id))

    def last_turn(self, owner: Owner, session_id: str | None) -> PendingTurn | None:
        if session_id is None:
            return self._turn("session_id IS NULL", (self._tx.number(owner),))
        return self._turn("session_id = ?", (self._tx.number(owner), session_id))

    def newest_turn(self, owner: Owner) -> PendingTurn | None:
        return self._turn("TRUE", (self._tx.number(owner),))

    def turns(self, owner: Owner, limit: int, before: str | None = None) -> list[PendingTurn]:
        number = self._tx.number(owner)
        behind, values = "TRUE", tuple[object, ...]()
        if before is not None:
            behind = "number < (SELECT number FROM turns WHERE owner = ? AND turn_id = ?)"
            values = (number, before)
        rows = self._tx.db.execute(
            f"{_TURN} WHERE owner = ? AND {behind} ORDER BY number DESC LIMIT ?", (number, *values, limit)
        ).fetchall()
        return [_turn_from(row, self._hits(number, row[0])) for row in rows]

    def replay(self, owner: Owner, places: Sequence[float]) -> list[PendingTurn]:
        number = self._tx.number(owner)
        numbers = [
            turn
            for (turn,) in self._tx.db.execute(
                "SELECT number FROM turns WHERE owner = ? AND reward IS NOT NULL ORDER BY number", (number,)
            )
        ]
        chosen = [numbers[int(place * len(numbers))] for place in places] if numbers else []
        query = f"{_TURN} WHERE owner = ? AND number = ?"
        rows = (self._tx.db.execute(query, (number, turn)).fetchone() for turn in chosen)
        return [_turn_from(row, ()) for row in rows]

    def action_counts(self, owner: Owner) -> dict[Action, int]:
        from celestial_engine.core.turn.policy import Action

        rows = self._tx.db.execute(
            "SELECT action, count(*) FROM turns WHERE owner = ? GROUP BY action", (self._tx.number(owner),)
        )
        return dict.fromkeys(Action, 0) | {enum_value(Action, action): count for action, count in rows}

    def _turn(self, condition: str, values: tuple[object, ...]) -> PendingTurn | None:
        row = self._tx.db.execute(
            f"{_TURN} WHERE owner = ? AND {condition} ORDER BY number DESC LIMIT 1", values
        ).fetchone()
        if row is None:
            return None
        return _turn_from(row, self._hits(values[0], row[0]))

    def _hits(self, owner: object, number: int) -> list[PendingHit]:
        from celestial_engine.core.learning.credit import PendingHit

        hits = self._tx.db.execute(
            "SELECT item_id, features FROM turn_hits WHERE owner = ? AND number = ? ORDER BY place", (owner, number)
        )
        return [PendingHit(item_id, _floats(features)) for item_id, features in hits]


class SqliteLessonWriter(SqliteLessons):
    """Reads and writes turns and checkpoints. Triggers delete what refers to a purged memory."""

    __slots__ = ()

    def add_turn(self, owner: Owner, turn: PendingTurn, keep: int) -> None:
        number = self._tx.enrolled(owner)
        added = self._tx.insert(
            "INSERT INTO turns (owner, turn_id, session_id, at, action, phase, state, usual, learned, exam, "
            "saved_id, reward, rewarded_as, shared, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING",
            (number, turn.turn_id, turn.session_id, turn.at, turn.action.value, turn.phase.value, _blob(turn.state),
             turn.usual.value, turn.learned.value, turn.exam, turn.saved_id, turn.reward,
             None if turn.rewarded_as is None else turn.rewarded_as.value,
             None if turn.shared is None else turn.shared.value, turn.reason),
        )  # fmt: skip
        if added is None:
            return
        self._tx.db.executemany(
            "INSERT INTO turn_hits (number, place, owner, item_id, features) VALUES (?, ?, ?, ?, ?)",
            [(added, place, number, hit.item_id, _blob(hit.features)) for place, hit in enumerate(turn.hits)],
        )
        self._tx.db.execute(
            "DELETE FROM turns WHERE owner = ? AND number <= "
            "(SELECT number FROM turns WHERE owner = ? ORDER BY number DESC LIMIT 1 OFFSET ?)",
            (number, number, keep),
        )

    def credit_turn(self, owner: Owner, turn_id: str, reward: Reward) -> None:
        self._tx.db.execute(
            "UPDATE turns SET reward = ?, rewarded_as = ? WHERE owner = ? AND turn_id = ?",
            (reward.value, reward.kind.value, self._tx.writable(owner), turn_id),
        )

    def put_checkpoint(self, owner: Owner, checkpoint: Checkpoint, packed: bytes, keep: int) -> None:
        number = self._tx.enrolled(owner)
        self._tx.db.execute(
            "INSERT INTO checkpoints (owner, version, at, began, digest, metrics, packed) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (owner, version) DO UPDATE SET at = excluded.at, "
            "began = excluded.began, digest = excluded.digest, metrics = excluded.metrics, packed = excluded.packed",
            (number, checkpoint.version, checkpoint.at, checkpoint.began, checkpoint.digest,
             json.dumps(checkpoint.metrics), packed),
        )  # fmt: skip
        self._tx.db.execute(
            "DELETE FROM checkpoints WHERE owner = ? AND version <= "
            "(SELECT version FROM checkpoints WHERE owner = ? ORDER BY version DESC LIMIT 1 OFFSET ?)",
            (number, number, keep),
        )


def _turn_from(row: tuple[Any, ...], hits: Iterable[PendingHit]) -> PendingTurn:
    from celestial_engine.core.learning.credit import PendingTurn
    from celestial_engine.core.learning.rewards import RewardKind
    from celestial_engine.core.turn.policy import Action, Phase

    (_, turn_id, session_id, at, action, phase, state, usual, learned, exam, saved_id, reward, kind, shared,
     reason) = row  # fmt: skip
    return PendingTurn(
        turn_id, session_id, at, enum_value(Action, action), enum_value(Phase, phase), _floats(state),
        enum_value(Action, usual), enum_value(Action, learned), bool(exam), saved_id, tuple(hits), reward,
        None if kind is None else enum_value(RewardKind, kind),
        None if shared is None else enum_value(Action, shared),
        reason,
    )  # fmt: skip


def _metrics(text: str) -> dict[str, Any]:
    """Reads metrics, which are only for display: unreadable ones must not hide a usable version."""
    try:
        metrics = json.loads(text)
    except ValueError:
        return {}
    return metrics if isinstance(metrics, dict) else {}


def _blob(values: Sequence[float]) -> bytes:
    packed = array("f", values)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def _floats(raw: bytes) -> tuple[float, ...]:
    values = array("f")
    values.frombytes(raw[: len(raw) // 4 * 4])
    if sys.byteorder == "big":
        values.byteswap()
    return tuple(values)
