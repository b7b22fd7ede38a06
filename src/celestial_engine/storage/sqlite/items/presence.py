"""When owners were last active, and the clocks of their memories."""

from __future__ import annotations

from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT

_MAY_GO_STALE = f"{IN_ORBIT} AND protection = 'none' AND tier IN ('M30', 'M90')"
_IDLE_FROM = "coalesce(idle_since, last_recalled_at)"

_LATER = f"""
UPDATE items SET expires_at = expires_at + ?, purge_at = purge_at + ?, state_since = state_since + ?,
    idle_since = {_IDLE_FROM} + ? WHERE """
_EARLIER = f"""
UPDATE items SET
    expires_at = CASE WHEN expires_at + ? > ? THEN expires_at + ? ELSE expires_at END,
    purge_at = CASE WHEN purge_at + ? > ? THEN purge_at + ? ELSE purge_at END,
    state_since = CASE WHEN state_since IS NULL THEN NULL
        ELSE {{greatest}}(state_since + ?, {{least}}(created_at, ?)) END,
    idle_since = {{greatest}}({_IDLE_FROM} + ?, {{least}}(created_at, ?)) WHERE """
_PURGE = "UPDATE items SET next_moment = purge_at WHERE state = 'cliff' AND "
_GO_STALE = (
    f"UPDATE items SET next_moment = {{least}}(coalesce(next_moment, 1e300), {_IDLE_FROM} + ?) "
    f"WHERE {_MAY_GO_STALE} AND "
)
# Recalled by a clock that was ahead: recalled now. Its course is computed again at once.
_RECALLED = (
    "UPDATE items SET last_recalled_at = ?, next_moment = CASE WHEN next_moment IS NULL THEN NULL ELSE ? END "
    "WHERE last_recalled_at > ? AND "
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
        (condition, keys), dialect = self._tx.of_owner(owner), self._tx.dialect
        statements: list[tuple[str, tuple[float, ...]]] = []
        if seconds > 0:
            statements.append((_LATER, (seconds,) * 4))
        elif seconds < 0:
            clamped = (seconds, now, seconds)
            statements.append((_EARLIER, (*clamped, *clamped, seconds, now, seconds, now)))
        statements.append((_PURGE, ()))
        if stale_after is not None:
            statements.append((_GO_STALE, (stale_after,)))
        if seconds < 0:
            statements.append((_RECALLED, (now, now, now)))
        for statement, values in statements:
            update = statement.format(greatest=dialect.greatest, least=dialect.least)
            self._tx.db.execute(update + condition, (*values, *keys))
