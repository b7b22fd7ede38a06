"""PostgreSQL's errors as ours: each says what to do."""

from __future__ import annotations

import psycopg
from psycopg import errors as pg
from psycopg_pool import PoolTimeout

from celestial_engine.errors import (
    BusyError,
    DiskFullError,
    OwnerMovingError,
    Reason,
    ServerAccessError,
    ServerFullError,
    ServerUnreachableError,
    SlowStatementError,
    StandbyError,
    StorageError,
)

_REFUSED = (
    pg.InvalidAuthorizationSpecification,  # and a wrong password
    pg.InvalidPassword,
    pg.InvalidCatalogName,
    pg.InsufficientPrivilege,
    pg.InvalidSchemaName,
)
# Before a connection exists there is no error code, only the server's or libpq's text.
_REFUSED_TEXTS = (
    "authentication failed", "does not exist", "no password supplied", "no pg_hba.conf entry",
    "does not support SSL", "certificate",  # TLS that is not as the address asks for
)  # fmt: skip
_CONNECTION_LOST = ("08", "57P")  # connection exceptions, and a server that shuts down or starts
_FULL_TEXTS = ("too many clients", "too many connections", "remaining connection slots")


def named_error(error: Exception, path: str, busy_seconds: float, statement_seconds: float) -> StorageError:
    """Maps an error of psycopg to ours."""
    text = str(error).strip().partition("\n")[0]
    match error:
        case pg.ReadOnlySqlTransaction():
            return StandbyError(path, Reason.SYSTEM_ERROR, cause=text)
        case pg.DivisionByZero():  # how the first statement of a writer says that its owner is being moved
            return OwnerMovingError(path=path)
        case pg.DiskFull():
            return DiskFullError(path=path)
        case pg.TooManyConnections():
            return ServerFullError(path=path)
        case pg.QueryCanceled():
            return SlowStatementError(path=path, seconds=statement_seconds)
        case pg.LockNotAvailable() | pg.SerializationFailure() | pg.DeadlockDetected() | PoolTimeout():
            return BusyError(path=path, seconds=busy_seconds)
    if isinstance(error, _REFUSED):
        return ServerAccessError(path, Reason.SYSTEM_ERROR, cause=text)
    if isinstance(error, psycopg.OperationalError):
        whole = str(error)
        if any(part in whole for part in _FULL_TEXTS):
            return ServerFullError(path=path)
        if any(part in whole for part in _REFUSED_TEXTS):
            return ServerAccessError(path, Reason.SYSTEM_ERROR, cause=text)
        if "No space left" in whole:
            return DiskFullError(path=path)
        if error.sqlstate is None or error.sqlstate.startswith(_CONNECTION_LOST):
            return ServerUnreachableError(path, Reason.SYSTEM_ERROR, cause=text)
    return StorageError(path, Reason.SYSTEM_ERROR, cause=text)
