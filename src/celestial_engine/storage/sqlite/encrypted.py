"""Connections to encrypted databases: SQLCipher with the errors of Python's `sqlite3`, which the store knows.

A process uses one library for a file: SQLite's locks belong to the process, and a second one would release them.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from sqlcipher3 import dbapi2

from celestial_engine.storage.vault import Vault, is_plain_database

_CACHE_KIB = 32 << 10  # a page that is not in the cache has to be decrypted again

_ERRORS: dict[type[Exception], type[sqlite3.Error]] = {
    dbapi2.IntegrityError: sqlite3.IntegrityError,
    dbapi2.OperationalError: sqlite3.OperationalError,
    dbapi2.ProgrammingError: sqlite3.ProgrammingError,
    dbapi2.InterfaceError: sqlite3.InterfaceError,
}


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except dbapi2.Error as error:
        raise _ERRORS.get(type(error), sqlite3.DatabaseError)(*error.args) from error


class _Cursor(dbapi2.Cursor):  # type: ignore[misc]
    def fetchone(self) -> Any:
        try:
            return super().fetchone()
        except dbapi2.Error as error:
            raise sqlite3.DatabaseError(*error.args) from error

    def fetchall(self) -> list[Any]:
        try:
            return list(super().fetchall())
        except dbapi2.Error as error:
            raise sqlite3.DatabaseError(*error.args) from error

    def __iter__(self) -> Iterator[Any]:
        return iter(self.fetchall())


class _Connection(dbapi2.Connection):  # type: ignore[misc]
    vault: Vault | None = None

    def execute(self, statement: str, values: Any = ()) -> Any:
        try:
            return self.cursor(_Cursor).execute(statement, values)
        except dbapi2.Error as error:
            raise _ERRORS.get(type(error), sqlite3.DatabaseError)(*error.args) from error

    def executemany(self, statement: str, values: Iterable[Any]) -> Any:
        with _translated():
            return self.cursor(_Cursor).executemany(statement, values)

    def commit(self) -> None:
        with _translated():
            super().commit()

    def rollback(self) -> None:
        with _translated():
            super().rollback()

    def backup(self, target: Any, **options: Any) -> None:
        with _translated():
            super().backup(target, **options)


def connect(path: str, address: str, vault: Vault, *, timeout: float, uri: bool) -> Any:
    """Opens a database with its key; one that is not encrypted is opened without."""
    with _translated():
        connection = dbapi2.connect(
            address, timeout=timeout, uri=uri, isolation_level=None, check_same_thread=False, factory=_Connection
        )
    connection.vault = vault
    try:
        connection.execute("PRAGMA cipher_log_level = NONE")  # it would write to standard error; errors are raised
        if not is_plain_database(path):
            connection.execute(f"PRAGMA key = \"x'{vault.database_key(path)}'\"")
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    except BaseException:
        connection.close()
        raise
    return connection
