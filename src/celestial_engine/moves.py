"""Move owners from one database to another: between SQLite files and PostgreSQL servers, either way."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from celestial_engine.bootstrap import open_movable
from celestial_engine.config import Environment, StorageConfig, database_key, is_server, without_password
from celestial_engine.core.keeping.move import MoveReport
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import MoveError, Reason
from celestial_engine.flow import moving
from celestial_engine.flow.ledger.verify import verify
from celestial_engine.ports import Clock

if TYPE_CHECKING:
    from celestial_engine.core.ledger.chain import Fault
    from celestial_engine.flow.moving import OwnerProgress
    from celestial_engine.ports.moving import MovableStore


def move_memories(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    owners: Sequence[Owner] | None = None,
    *,
    dry_run: bool = False,
    progress: OwnerProgress | None = None,
    clock: Clock = time.time,
) -> MoveReport:
    """Copies these owners (all unless given) into the database `target`, verifies them, and deletes nothing.

    Others may use the source meanwhile: an owner's writes are refused only while their last rows are copied. If it
    is interrupted, run it again: it goes on where it was.
    """
    env = Environment.read()
    here, there = (_config(_path(path), env) for path in (source, target))
    if here.path == there.path:
        raise MoveError(without_password(there.path), "*", Reason.MOVED_TO_ITSELF)
    from_store = open_movable(here, must_exist=True)
    try:
        known = from_store.owners()
        for owner in owners or ():
            if owner not in known:
                name = f"{owner.user_id}/{owner.agent_id}"
                raise MoveError(without_password(there.path), name, Reason.MOVE_UNKNOWN_OWNER, source=from_store.path)
        chosen = known if owners is None else owners
        if dry_run:
            return moving.plan(from_store, without_password(there.path), chosen)
        to_store = open_movable(there, must_exist=False)
        try:
            return moving.move(from_store, to_store, chosen, clock, _fault, progress)
        finally:
            to_store.close()
    finally:
        from_store.close()


def _fault(store: MovableStore, owner: Owner) -> Fault | None:
    return verify(store, owner, all_owners=False).fault


def _path(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    return text if is_server(text) else os.path.realpath(os.path.expanduser(text))


def _config(path: str, env: Environment) -> StorageConfig:
    """The places of files in the environment belong to the database in the environment, or to a server."""
    key = database_key(path, env)
    if not is_server(path) and path != _path(env.db_path):
        return StorageConfig(path, words=env.words, key=key)
    return StorageConfig(path, words=env.words, ledger=env.ledger, archive=env.archive, key=key, files=env.files)
