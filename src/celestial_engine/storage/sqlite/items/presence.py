"""When owners were last active, and the clocks of their memories."""

from __future__ import annotations

from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT

_MAY_GO_STALE = f"{IN_ORBIT} AND protection = 'none' AND tier IN ('M30', 'M90')"
_IDLE_FROM = "ifnull(idle_since, last_recalled_at)"

_SHIFT = f"""
UPDATE items SET
    expires_at = CASE WHEN :seconds > 0 OR expires_at + :seconds > :now
        THEN expires_at + :seconds ELSE expires_at END,
    purge_at = CASE WHEN :seconds > 0 OR purge_at + :seconds > :now
        THEN purge_at + :seconds ELSE purge_at END,
    state_since = CASE WHEN :seconds > 0 THEN state_since + :seconds
        ELSE max(state_since + :seconds, min(created_at, :now)) END,
    idle_since = CASE WHEN :seconds > 0 THEN {_IDLE_FROM} + :seconds
        ELSE max({_IDLE_FROM} + :seconds, min(created_at, :now)) END
WHERE seq BETWEEN :low AND :high
"""
_RESCHEDULE = (
    "UPDATE items SET next_moment = purge_at WHERE seq BETWEEN :low AND :high AND state = 'cliff'",
    f"UPDATE items SET next_moment = min(ifnull(next_moment, 1e300), {_IDLE_FROM} + :stale_after) "
    f"WHERE seq BETWEEN :low AND :high AND {_MAY_GO_STALE} AND :stale_after IS NOT NULL",
    # Recalled by a clock that was ahead: recalled now. Its course is computed again at once.
    "UPDATE items SET last_recalled_at = :now, next_moment = CASE WHEN next_moment IS NULL THEN NULL ELSE :now END "
    "WHERE seq BETWEEN :low AND :high AND last_recalled_at > :now AND :seconds < 0",
)


class SqlitePresence:
    """Reads within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def last_active(self, owner: Owner) -> float | None:
        row = self._tx.db.execute(
            "SELECT last_active FROM presence WHERE owner = ?", (self._tx.number(owner),)
        ).fetchone()
        return None if row is None else float(row[0])

    def is_waited_for(self, owner: Owner) -> bool:
        row = self._tx.db.execute(
            "SELECT waiting FROM presence WHERE owner = ?", (self._tx.number(owner),)
        ).fetchone()
        return row is not None and bool(row[0])


class SqlitePresenceWriter(SqlitePresence):
    """Reads and writes within one transaction."""

    __slots__ = ()

    def set_active(self, owner: Owner, at: float) -> None:
        self._tx.db.execute(
            "INSERT INTO presence (owner, last_active) VALUES (?, ?) "
            "ON CONFLICT (owner) DO UPDATE SET last_active = excluded.last_active, waiting = 0",
            (self._tx.enrolled(owner), at),
        )

    def wait_for(self, owner: Owner) -> None:
        self._tx.db.execute("UPDATE presence SET waiting = 1 WHERE owner = ?", (self._tx.writable(owner),))

    def shift_clocks(self, owner: Owner, seconds: float, now: float, stale_after: float | None) -> None:
        self._tx.writable(owner)
        low, high = self._tx.key_range(owner)
        values = {"seconds": seconds, "now": now, "stale_after": stale_after, "low": low, "high": high}
        for statement in (_SHIFT, *_RESCHEDULE) if seconds else _RESCHEDULE:
            self._tx.db.execute(statement, values)
