"""Access over a network: tokens as digests only, and rate limits for all processes on the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from celestial_engine.core.rate_limits import Allowance, Bucket
from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.dialect import Transactions

if TYPE_CHECKING:
    from celestial_engine.core.access import Grant, Scope

_COLUMNS = "id, name, user_id, agent_id, scopes, created_at, last_used_at, revoked_at, expires_at"


class SqliteGrants:
    def __init__(self, connections: Transactions) -> None:
        self._connections = connections

    def add(self, grant: Grant, digest: str) -> None:
        with self._connections.writing(durable=True) as db:
            db.execute(
                f"INSERT INTO grants (digest, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    digest, grant.id, grant.name, grant.owner.user_id, grant.owner.agent_id, _text(grant.scopes),
                    grant.created_at, grant.last_used_at, grant.revoked_at, grant.expires_at,
                ),
            )  # fmt: skip

    def of_digest(self, digest: str) -> Grant | None:
        with self._connections.reading() as db:
            row = db.execute(f"SELECT {_COLUMNS} FROM grants WHERE digest = ?", (digest,)).fetchone()
        return None if row is None else _grant(row)

    def all(self) -> list[Grant]:
        with self._connections.reading() as db:
            rows = db.execute(f"SELECT {_COLUMNS} FROM grants ORDER BY created_at, id").fetchall()
        return [_grant(row) for row in rows]

    def used(self, grant_id: str, now: float) -> None:
        with self._connections.writing(durable=False) as db:
            db.execute("UPDATE grants SET last_used_at = ? WHERE id = ?", (now, grant_id))

    def revoke(self, grant_id: str, now: float) -> bool:
        with self._connections.writing(durable=True) as db:
            changed = db.execute(
                "UPDATE grants SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", (now, grant_id)
            )
            return changed.rowcount == 1

    def drop_ended(self, before: float) -> None:
        with self._connections.writing(durable=False) as db:
            db.execute("DELETE FROM grants WHERE expires_at <= ?", (before,))

    def add_key(self, digest: str, owner: Owner, expires_at: float) -> None:
        with self._connections.writing(durable=False) as db:
            db.execute(
                "INSERT INTO login_keys (digest, user_id, agent_id, expires_at) VALUES (?, ?, ?, ?)",
                (digest, owner.user_id, owner.agent_id, expires_at),
            )

    def take_key(self, digest: str, now: float) -> Owner | None:
        # One write transaction, so that only one of two processes can use a key.
        with self._connections.writing() as db:
            db.execute("DELETE FROM login_keys WHERE expires_at <= ?", (now,))
            row = db.execute("SELECT user_id, agent_id FROM login_keys WHERE digest = ?", (digest,)).fetchone()
            db.execute("DELETE FROM login_keys WHERE digest = ?", (digest,))
        return None if row is None else Owner(*row)


class SqliteRateLimits:
    def __init__(self, connections: Transactions) -> None:
        self._connections = connections

    def take(self, caller: str, now: float, rate: float, burst: int) -> Allowance:
        with self._connections.writing(durable=False) as db:
            row = db.execute("SELECT left_over, at FROM rate_limits WHERE caller = ?", (caller,)).fetchone()
            if row is None:  # a full bucket is the same as none: callers that stay away leave no rows
                db.execute("DELETE FROM rate_limits WHERE full_at <= ?", (now,))
            bucket, allowance = (Bucket(burst, now) if row is None else Bucket(*row)).taken(now, rate, burst)
            db.execute(
                "INSERT INTO rate_limits (caller, left_over, at, full_at) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (caller) DO UPDATE SET left_over = excluded.left_over, at = excluded.at, "
                "full_at = excluded.full_at",
                (caller, bucket.left, bucket.at, bucket.full_at(rate, burst)),
            )
        return allowance


def _text(scopes: frozenset[Scope]) -> str:
    from celestial_engine.core.access import Scope

    return ",".join(scope.value for scope in Scope if scope in scopes)


def _grant(row: tuple[Any, ...]) -> Grant:
    from celestial_engine.core.access import Grant, Scope

    grant_id, name, user_id, agent_id, scopes, created, used, revoked, expires = row
    owner = Owner(user_id, agent_id)
    return Grant(grant_id, name, owner, frozenset(map(Scope, scopes.split(","))), created, used, revoked, expires)
