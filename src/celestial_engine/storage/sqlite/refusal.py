"""Refuse the writes of one owner for some seconds, while their last rows are moved to another database."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from functools import lru_cache

from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import BusyError
from celestial_engine.storage.sqlite.connections import Connections

_LEASE_SECONDS = 15.0  # so long a killed process still refuses
_NOW = "(julianday('now') - 2440587.5) * 86400.0"
_PREFIX = "moving "


def is_refused(connection: sqlite3.Connection, owner: Owner) -> bool:
    row = connection.execute(f"SELECT lease_until > {_NOW} FROM jobs WHERE name = ?", (_name(owner),)).fetchone()
    return row is not None and bool(row[0])


@contextlib.contextmanager
def refuse_writes(connections: Connections, owner: Owner, path: str) -> Iterator[Callable[[], None]]:
    """Holds a lease that every writer of the owner sees; yields what extends it."""
    import socket  # only the process that moves an owner needs it

    name, holder = _name(owner), f"{socket.gethostname()}:{os.getpid()}"
    with connections.writing(durable=False) as db:
        if is_refused(db, owner):
            raise BusyError(path=path, seconds=0)
        db.execute(
            f"INSERT INTO jobs (name, holder, lease_until) VALUES (?, ?, {_NOW} + ?) "
            "ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, lease_until = excluded.lease_until",
            (name, holder, _LEASE_SECONDS),
        )

    def extend() -> None:
        with connections.writing(durable=False) as db:
            update = db.execute(
                f"UPDATE jobs SET lease_until = {_NOW} + ? WHERE name = ? AND holder = ? AND lease_until > {_NOW}",
                (_LEASE_SECONDS, name, holder),
            )
            if not update.rowcount:  # writes may have come in between
                raise BusyError(path=path, seconds=_LEASE_SECONDS)

    try:
        yield extend
        extend()  # or raises: writes may have come in
    finally:
        with connections.writing(durable=False) as db:
            db.execute("DELETE FROM jobs WHERE name = ? AND holder = ?", (name, holder))


@lru_cache(maxsize=64)
def _name(owner: Owner) -> str:
    key = f"{owner.user_id}\0{owner.agent_id}".encode("utf-8", "surrogatepass")
    return _PREFIX + hashlib.sha256(key).hexdigest()
