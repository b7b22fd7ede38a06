"""Open a database: check the server, create or migrate the tables under a lock, and find out what it offers."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, NamedTuple

import psycopg

from celestial_engine.errors import (
    ForeignDatabaseError,
    NewerSchemaError,
    Reason,
    ServerAccessError,
    StandbyError,
    StorageError,
)
from celestial_engine.storage.postgres.connections import Connections
from celestial_engine.storage.postgres.dialect import ALL, SCOPE
from celestial_engine.storage.postgres.groups.ledger import BASE, OWN_POSITION
from celestial_engine.storage.postgres.schema.migrations import (
    APPLICATION,
    META,
    MIGRATIONS,
    READABLE_FROM,
    SCHEMA_VERSION,
)
from celestial_engine.storage.postgres.schema.tables import OWNER_TABLES

logger = logging.getLogger(__name__)

_NEEDED_VERSION = 160_000
_SET = "INSERT INTO meta (key, value) VALUES (%s, %s) ON CONFLICT (key) DO UPDATE SET value = excluded.value"


class Opened(NamedTuple):
    """The schema that holds the tables, pgvector's type if vectors have it, and whether this is a standby."""

    schema: str
    vector_oid: int | None
    standby: bool


def open_database(connections: Connections) -> Opened:
    with connections.named_errors(), connections.connect() as connection:
        schema = _checked_server(connection, connections.path)
        (standby,) = _one(connection, "SELECT pg_is_in_recovery()")
        if _version(connection, connections.path) < SCHEMA_VERSION:
            if standby:
                raise StandbyError(connections.path, Reason.SYSTEM_ERROR, cause="the tables are not current")
            with connection.transaction():
                lock = connections.lock_number(schema, "migration")
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (lock,))
                _migrate(connection, _version(connection, connections.path))  # another server may have been first
        if not standby:
            _raise_positions(connection)
        return Opened(schema, _vector_type(connection, connections.path), bool(standby))


def _checked_server(connection: psycopg.Connection[Any], path: str) -> str:
    version = connection.info.server_version
    if version < _NEEDED_VERSION:
        raise StorageError(path, Reason.OLD_POSTGRES, got=version // 10_000, least=_NEEDED_VERSION // 10_000)
    encoding, schema = _one(connection, "SELECT current_setting('server_encoding'), current_schema()::text")
    if encoding != "UTF8":
        raise StorageError(path, Reason.SERVER_ENCODING, got=encoding)
    if schema is None:
        cause = "no schema of the search_path exists"
        raise ServerAccessError(path, Reason.SYSTEM_ERROR, cause=cause)
    return str(schema)


def _version(connection: psycopg.Connection[Any], path: str) -> int:
    """Returns the version of the tables; 0 if there are none."""
    tables = {
        name
        for (name,) in connection.execute(
            "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace "
            "AND relname::text = ANY(%s)",
            (["meta", *OWNER_TABLES],),
        )
    }
    if not tables:
        return 0
    if "meta" not in tables:
        raise ForeignDatabaseError(path, Reason.OTHER_TABLES)
    try:
        settings = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    except psycopg.errors.UndefinedColumn:
        raise ForeignDatabaseError(path, Reason.OTHER_TABLES) from None
    return check_version(settings, path)


def check_version(settings: Mapping[str, str], path: str) -> int:
    """Returns the version in `meta`; raises if the tables are another program's, or too new for this code."""
    if settings.get("application") != APPLICATION:
        raise ForeignDatabaseError(path, Reason.OTHER_TABLES)
    if int(settings["readable_from"]) > SCHEMA_VERSION:
        raise NewerSchemaError(path=path, found=int(settings["schema_version"]), known=SCHEMA_VERSION)
    return int(settings["schema_version"])


def _migrate(connection: psycopg.Connection[Any], version: int) -> None:
    if version == 0:
        _install_pgvector(connection)
        connection.execute(META)
        connection.execute(_SET, ("application", APPLICATION))
    vector = "bytea" if _one(connection, "SELECT to_regtype('vector')")[0] is None else "vector"
    for migration in MIGRATIONS[version:]:
        connection.execute(";\n".join(migration).replace("{vector}", vector).encode())
    if version < SCHEMA_VERSION:
        connection.execute(_SET, ("schema_version", str(SCHEMA_VERSION)))
        connection.execute(_SET, ("readable_from", str(READABLE_FROM)))


def _install_pgvector(connection: psycopg.Connection[Any]) -> None:
    if _one(connection, "SELECT to_regtype('vector')")[0] is not None:
        return
    if not _one(connection, "SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'")[0]:
        return
    try:
        with connection.transaction():  # a savepoint: the role may not have the right
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except psycopg.errors.InsufficientPrivilege:
        logger.debug("the role may not create the extension vector")


def _vector_type(connection: psycopg.Connection[Any], path: str) -> int | None:
    name, oid = _one(
        connection,
        "SELECT format_type(atttypid, NULL), atttypid FROM pg_attribute "
        "WHERE attrelid = to_regclass('vectors') AND attname = 'embedding'",
    )
    if name == "bytea":
        logger.warning(
            "pgvector is not installed in %s: vectors are stored as bytes, and a search reads all of an owner's. "
            "Have a superuser run CREATE EXTENSION vector before the tables are created",
            path,
        )
        return None
    return int(oid)


def _raise_positions(connection: psycopg.Connection[Any]) -> None:
    """After a move to another server, transaction numbers may begin again: later entries still come later."""
    with connection.transaction():
        connection.execute(f"SET LOCAL {SCOPE} = '{ALL}'".encode())
        (newest,) = _one(connection, "SELECT coalesce(max(seq), 0) FROM ledger")
        if not newest:
            return
        (position,) = _one(connection, OWN_POSITION)
        if newest >= position:
            (base,) = _one(connection, f"SELECT coalesce(max(value), '0')::bigint FROM meta WHERE key = '{BASE}'")
            connection.execute(_SET, (BASE, str(base + newest - position + (1 << 40))))


def _one(connection: psycopg.Connection[Any], statement: str) -> Any:
    return connection.execute(statement.encode()).fetchone()
