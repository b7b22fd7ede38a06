"""Connections to one database: the pool, transactions, locks between writers, and recovery of lost connections."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import psycopg
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import ClosedError, ConfigError, CorruptDatabaseError, Reason, StorageError
from celestial_engine.storage.postgres.adapters import adapters_with
from celestial_engine.storage.postgres.dialect import ALL, SCOPE
from celestial_engine.storage.postgres.errors import named_error
from celestial_engine.storage.sqlite.rows import UnreadableRowError

logger = logging.getLogger(__name__)

T = TypeVar("T")
_ATTEMPTS = 5  # of what can be repeated as a whole
_FIRST_WAIT_SECONDS = 1.0
_FOREVER = 365 * 86_400.0
# A network that loses packets without a word is noticed within a minute, and not after the system's two hours.
_DEFAULTS = {
    "application_name": "celestial",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
_PREPARED = 400  # statements that a connection keeps prepared


class Connections:
    """A pool that any thread may borrow from; created again after a fork.

    A writer holds a lock on its owner, and a shared one on the whole store, until its transaction ends. So writers of
    one owner take turns and never see a serialisation failure, and writers of different owners do not wait.
    """

    def __init__(
        self,
        url: str,
        *,
        busy_timeout: float = 30.0,
        statement_timeout: float = 60.0,
        pool_size: int = 10,
        synchronous: bool = True,
    ) -> None:
        for name, value in (("busy_timeout", busy_timeout), ("statement_timeout", statement_timeout)):
            if value <= 0:
                raise ConfigError(name, Reason.NOT_ABOVE, low=0, got=value)
        if pool_size < 1:
            raise ConfigError("pool_size", Reason.NOT_ABOVE, low=0, got=pool_size)
        self._conninfo, self.path = _checked(url)
        self._busy_timeout, self._statement_timeout = busy_timeout, statement_timeout
        self._pool_size = pool_size
        self._synchronous = synchronous
        self._closed = False
        self._adapters = adapters_with(None)
        self._schema = ""
        self._pool: ConnectionPool[psycopg.Connection[Any]] | None = None
        self._process = os.getpid()
        self._lock = threading.Lock()

    # -- transactions -------------------------------------------------------------------------------

    @contextlib.contextmanager
    def reading(self, scope: str = ALL) -> Iterator[psycopg.Connection[Any]]:
        """Yields a connection whose statements see one committed state. `scope`: an owner's number, or all."""
        begin = f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {self._limits()}; SET LOCAL {SCOPE} = '{scope}'"
        with self.named_errors(), self._begun(begin) as connection:
            try:
                yield connection
            except BaseException:
                _roll_back(connection)
                raise
            with contextlib.suppress(psycopg.Error):  # everything was read
                connection.commit()  # a rollback would make psycopg forget its prepared statements

    @contextlib.contextmanager
    def writing(
        self, owner: Owner | None = None, *, durable: bool = True, scope: str = ALL, whole_store: bool = False
    ) -> Iterator[psycopg.Connection[Any]]:
        """Yields a connection inside a transaction: commits at the end, rolls back on any exception.

        Without an owner it takes no lock, unless it writes for the whole store.
        """
        # Each statement sees what was committed before it, so nothing is older than the locks.
        parts = ["BEGIN ISOLATION LEVEL READ COMMITTED", self._limits(), f"SET LOCAL {SCOPE} = '{scope}'"]
        if not durable or not self._synchronous:
            parts.append("SET LOCAL synchronous_commit = off")
        store = self.lock_number("store")
        if whole_store:
            parts.append(f"SELECT pg_advisory_xact_lock({store})")
        elif owner is not None:
            mine, moving = (self.lock_number(name, owner.user_id, owner.agent_id) for name in ("owner", "moving"))
            parts.append(
                f"SELECT pg_advisory_xact_lock_shared({store}), pg_advisory_xact_lock({mine}), "
                f"1 / pg_try_advisory_xact_lock_shared({moving})::int"
            )
        with self.named_errors(), self._begun("; ".join(parts)) as connection:
            try:
                yield connection
                connection.commit()
            except BaseException:
                _roll_back(connection)
                raise

    @contextlib.contextmanager
    def refusing(self, owner: Owner) -> Iterator[psycopg.Connection[Any]]:
        """Other writers of the owner are refused until this ends; it begins when none is left."""
        moving = self.lock_number("moving", owner.user_id, owner.agent_id)
        begin = (
            f"BEGIN; {self._limits()}; SET LOCAL idle_in_transaction_session_timeout = 0; "
            f"SELECT pg_advisory_xact_lock({moving})"
        )
        with self.named_errors(), self._begun(begin) as connection:
            try:
                yield connection
            finally:
                _roll_back(connection)

    def retried(self, work: Callable[[], T]) -> T:
        """Runs a whole transaction, and again if PostgreSQL asks for it: a deadlock or a serialisation failure."""
        for _ in range(_ATTEMPTS - 1):
            try:
                return work()
            except StorageError as error:  # noqa: PERF203 - it is the transaction that costs
                if not isinstance(error.__cause__, pg.SerializationFailure | pg.DeadlockDetected):
                    raise
        return work()

    def lock_number(self, *parts: str) -> int:
        """Returns the number of an advisory lock. Such locks are of the database, so the schema is part of it."""
        name = "\0".join((self._schema, *parts)).encode("utf-8", "surrogatepass")
        return int.from_bytes(hashlib.sha256(name).digest()[:8], "big", signed=True)

    # -- life ---------------------------------------------------------------------------------------

    def connect(self) -> psycopg.Connection[Any]:
        """Opens a connection outside the pool; its errors say why a server cannot be used."""
        return psycopg.connect(
            self._conninfo, autocommit=True, context=self._adapters, connect_timeout=max(2, int(self._busy_timeout))
        )

    def open(self, schema: str, vector_oid: int | None) -> None:
        """Starts the pool, once the database is known."""
        self._schema, self._adapters = schema, adapters_with(vector_oid)
        self._start()

    def close(self) -> None:
        self._closed = True
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None and self._process == os.getpid():
            pool.close()

    def _start(self) -> None:
        self._process = os.getpid()
        self._pool = ConnectionPool(
            self._conninfo,
            min_size=1,
            max_size=self._pool_size,
            timeout=self._busy_timeout,
            reconnect_timeout=_FOREVER,
            max_idle=300,
            kwargs={"autocommit": True, "context": self._adapters},
            configure=_configure,
            open=True,
        )
        weakref.finalize(self, _close_quietly, self._pool, os.getpid())

    # -- borrowing ----------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _begun(self, statement: str) -> Iterator[psycopg.Connection[Any]]:
        pool = self._current_pool()
        connection = self._begin(pool, statement)
        try:
            yield connection
        finally:
            pool.putconn(connection)

    def _begin(self, pool: ConnectionPool[psycopg.Connection[Any]], statement: str) -> psycopg.Connection[Any]:
        """Returns a connection that has run the statement; connections that were lost meanwhile are replaced."""
        for _ in range(self._pool_size + 1):
            connection = self._borrowed(pool)
            try:
                connection.execute(statement.encode(), prepare=False)
            except psycopg.OperationalError:
                lost = connection.closed
                _roll_back(connection)
                pool.putconn(connection)
                if not lost:
                    raise
                self.connect().close()  # or raises, at once and with the reason
            except BaseException:
                _roll_back(connection)
                pool.putconn(connection)
                raise
            else:
                return connection
        raise PoolTimeout("every connection of the pool was lost")

    def _borrowed(self, pool: ConnectionPool[psycopg.Connection[Any]]) -> psycopg.Connection[Any]:
        try:
            return pool.getconn(min(_FIRST_WAIT_SECONDS, self._busy_timeout))
        except PoolTimeout:
            self.connect().close()  # raises if the server is gone; otherwise all connections are in use
            return pool.getconn(self._busy_timeout)
        except PoolClosed:
            raise ClosedError(path=self.path) from None

    def _current_pool(self) -> ConnectionPool[psycopg.Connection[Any]]:
        if self._closed:
            raise ClosedError(path=self.path)
        if self._process != os.getpid():  # after a fork: the connections are the parent's
            with self._lock:
                if self._process != os.getpid():
                    _ABANDONED.append(self._pool)
                    self._start()
        assert self._pool is not None  # noqa: S101 - open() was called
        return self._pool

    def _limits(self) -> str:
        # In the transaction and not in the session, so that a pooler in between may share sessions.
        # Every query names its owner: the plan of a prepared statement fits all of them.
        return (
            "SET LOCAL plan_cache_mode = force_generic_plan; "
            f"SET LOCAL statement_timeout = {int(self._statement_timeout * 1000)}; "
            f"SET LOCAL lock_timeout = {int(self._busy_timeout * 1000)}"
        )

    @contextlib.contextmanager
    def named_errors(self) -> Iterator[None]:
        try:
            yield
        except (psycopg.Error, PoolTimeout) as error:
            raise named_error(error, self.path, self._busy_timeout, self._statement_timeout) from error
        except UnreadableRowError as error:
            raise CorruptDatabaseError(self.path, error.problem) from error


def _checked(url: str) -> tuple[str, str]:
    """Returns the address for libpq, and the one to show: without the password."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        cause = str(error).strip().partition("\n")[0]
        raise ConfigError("db_path", Reason.WRONG_ADDRESS, cause=cause) from error
    for name, value in _DEFAULTS.items():
        parts.setdefault(name, value)
    user = f"{parts['user']}@" if parts.get("user") else ""
    port = f":{parts['port']}" if parts.get("port") else ""
    printable = f"postgresql://{user}{parts.get('host') or 'localhost'}{port}/{parts.get('dbname') or ''}"
    return make_conninfo("", **parts), printable


def _configure(connection: psycopg.Connection[Any]) -> None:
    connection.prepared_max = _PREPARED


def _roll_back(connection: psycopg.Connection[Any]) -> None:
    with contextlib.suppress(psycopg.Error):
        connection.rollback()


def _close_quietly(pool: ConnectionPool[psycopg.Connection[Any]], process: int) -> None:
    if process == os.getpid():
        with contextlib.suppress(Exception):
            pool.close(timeout=1)


_ABANDONED: list[object] = []  # pools of a parent process: not even closed, which would end its sessions
