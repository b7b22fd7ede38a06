"""Encrypt a database and all its files in place, change its key, or decrypt it.

The database is copied with its new key, compared, and takes the place of the old one, which is overwritten. Every
other file is rewritten on its own. Reading accepts old and new forms: an interrupted run is just started again.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from celestial_engine.errors import BusyError, CorruptDatabaseError, ForeignDatabaseError, Reason, StorageError
from celestial_engine.storage.archive import UNFINISHED_ARCHIVE, archive_folder_of, os_errors, sync_folder
from celestial_engine.storage.ledger_months import is_packed_month
from celestial_engine.storage.soul_file import UNFINISHED_SOUL
from celestial_engine.storage.sqlite import driver
from celestial_engine.storage.sqlite.connections import is_open_here
from celestial_engine.storage.sqlite.files.backup import PARTS_OF_A_DATABASE, UNFINISHED_BACKUP, sqlite_errors
from celestial_engine.storage.vault import SALT_BYTES, Vault, is_plain_database, is_sealed

_NEW = ".rekeying"
# As mkstemp names them: eight characters, and nothing else that somebody may have put there.
_LEFT_UNFINISHED = (
    f"{re.escape(UNFINISHED_BACKUP)}[a-z0-9_]{{8}}",
    f"{re.escape(UNFINISHED_ARCHIVE)}.+-[a-z0-9_]{{8}}",
    f"{re.escape(UNFINISHED_SOUL)}[a-z0-9_]{{8}}\\.tmp",
)
_PATIENCE_SECONDS = 2.0
_ZEROS = bytes(1 << 20)


@dataclass(frozen=True)
class FilesOfDatabase:
    """Everything that is encrypted with a database."""

    database: str
    ledger: str | None
    archive: str
    souls: tuple[str, ...]
    backups: tuple[str, ...]


@dataclass(frozen=True)
class Rekeyed:
    """How many databases (with backups) and other files have the new key now."""

    databases: int
    files: int


def rekey(files: FilesOfDatabase, old: Vault | None, new: Vault | None) -> Rekeyed:
    """Gives everything the new key; None: not encrypted. `new` must also open what `old` sealed."""
    opener = new or old
    if opener is None:
        return Rekeyed(0, 0)
    databases = sum(_rekey_database(path, old, new, opener) for path in (files.database, *files.backups))
    if new is not None:
        _discard_leftovers(files)
    count = 0
    folders = [files.archive, *(archive_folder_of(path) for path in files.backups)]
    for path in [*files.souls, *(str(file) for folder in folders for file in _files_in(folder))]:
        count += _rekey_file(path, lambda data: _resealed(data, new, opener))
    for file in _files_in(files.ledger) if files.ledger else ():
        if file.name != "head":
            resealed = _resealed if is_packed_month(file.name) else _resealed_lines
            count += _rekey_file(str(file), partial(resealed, new=new, opener=opener))
    return Rekeyed(databases, count)


def new_vault(path: str, passphrase: str, older: str | None) -> Vault:
    """Returns the keys that a database gets: with the salt that it has if an interrupted run gave it this key."""
    older_vaults = (older,) if older else ()
    current = Vault.of_database(path, passphrase, older=older_vaults)
    if os.path.exists(path) and not is_plain_database(path) and _has_key(path, current):
        return current
    return Vault(passphrase, os.urandom(SALT_BYTES), older=older_vaults)


# -- databases ------------------------------------------------------------------------------------------


def _rekey_database(path: str, old: Vault | None, new: Vault | None, opener: Vault) -> bool:
    """Replaces one database by a copy with the new key; False if it has it already."""
    copy = path + _NEW
    for part in PARTS_OF_A_DATABASE:
        _discard(copy + part)  # an interrupted run left it, perhaps one that took the key away
    if not os.path.exists(path) or _has_key(path, new):
        return False
    with sqlite_errors(path, _PATIENCE_SECONDS):
        connection = driver.connect(path, timeout=_PATIENCE_SECONDS, vault=old or opener)
        try:
            _lock(connection, path)
            _export(connection, copy, new)
            _compare(connection, copy, path, new, opener)
            with os_errors(path):
                _sync(copy)
                replace_and_wipe(copy, path)
        finally:
            connection.close()
    for part in PARTS_OF_A_DATABASE[1:]:  # empty: the log was moved into the database
        _remove(path + part)
    return True


def _has_key(path: str, vault: Vault | None) -> bool:
    if vault is None or is_plain_database(path):
        return vault is None and is_plain_database(path)
    try:
        with sqlite_errors(path, _PATIENCE_SECONDS), contextlib.closing(driver.connect(path, vault=vault)) as db:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except (ForeignDatabaseError, CorruptDatabaseError):
        return False
    return True


def _lock(connection: sqlite3.Connection, path: str) -> None:
    """Refuses while a process has it open; empties the log."""
    if is_open_here(path):
        raise BusyError(path=path, seconds=0.0)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    connection.execute("COMMIT")
    busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise BusyError(path=path, seconds=_PATIENCE_SECONDS)


def _export(connection: sqlite3.Connection, copy: str, new: Vault | None) -> None:
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    key = "" if new is None else f"x'{new.database_key(copy)}'"
    connection.execute("ATTACH DATABASE ? AS rekeyed KEY ?", (copy, key))
    connection.execute("SELECT sqlcipher_export('rekeyed')").fetchone()
    for pragma in ("application_id", "user_version"):
        (value,) = connection.execute(f"PRAGMA main.{pragma}").fetchone()
        connection.execute(f"PRAGMA rekeyed.{pragma} = {value}")
    connection.execute("DETACH DATABASE rekeyed")


def _compare(connection: sqlite3.Connection, copy: str, path: str, new: Vault | None, opener: Vault) -> None:
    """Reads the copy with its key: it is sound, and every table has the same rows."""
    with contextlib.closing(driver.connect(copy, options="mode=ro", vault=new or opener)) as other:
        sound = [row[0] for row in other.execute("PRAGMA integrity_check")]
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in tables:
            counts = [db.execute(f'SELECT count(*) FROM "{name}"').fetchone() for db in (connection, other)]
            if sound != ["ok"] or counts[0] != counts[1]:
                raise CorruptDatabaseError(path, Reason.MOVE_DIFFERS, what=name)


# -- other files ----------------------------------------------------------------------------------------


def _resealed(data: bytes, new: Vault | None, opener: Vault) -> bytes | None:
    if new is None:
        return opener.open(data) if is_sealed(data) else None
    return None if new.is_current(data) else new.seal(opener.open(data))


def _resealed_lines(data: bytes, new: Vault | None, opener: Vault) -> bytes | None:
    packed = data.startswith(b"\x1f\x8b")
    lines = (gzip.decompress(data) if packed else data).split(b"\n")
    changed = [_resealed_line(line, new, opener) for line in lines]
    if changed == lines:
        return None
    joined = b"\n".join(changed)
    return gzip.compress(joined, mtime=0) if packed else joined


def _resealed_line(line: bytes, new: Vault | None, opener: Vault) -> bytes:
    if not line or (new is not None and new.is_current_line(line)):
        return line
    plain = opener.open_line(line)
    return plain if new is None else new.seal_line(plain)


def _rekey_file(path: str, change: Callable[[bytes], bytes | None]) -> bool:
    """Replaces a file atomically, and overwrites what it held; False if nothing changes."""
    with os_errors(path):
        try:
            data = Path(path).read_bytes()
        except FileNotFoundError:
            return False
        changed = change(data)
        if changed is None:
            return False
        beside = path + _NEW
        _discard(beside)
        handle = os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with open(handle, "wb") as file:
            file.write(changed)
            file.flush()
            os.fsync(file.fileno())
        replace_and_wipe(beside, path)
    return True


def _files_in(folder: str | None) -> Iterator[Path]:
    if folder is not None and os.path.isdir(folder):
        for file in sorted(Path(folder).iterdir()):
            if file.name.endswith(_NEW):
                _discard(str(file))  # an interrupted run left it
            elif file.is_file():
                yield file


def replace_and_wipe(new: str, path: str) -> None:
    """Puts a file in the place of another, whose bytes are overwritten.

    Flash and journaling file systems may keep older copies of them all the same.
    """
    # Held open, the old file can still be written when it has no name any more.
    handle = None if os.name == "nt" else os.open(path, os.O_RDWR)
    try:
        os.replace(new, path)
        sync_folder(os.path.dirname(os.path.abspath(path)))
        if handle is not None:
            wipe(handle)
    finally:
        if handle is not None:
            os.close(handle)


def wipe(handle: int) -> None:
    remaining = os.fstat(handle).st_size
    while remaining > 0:
        remaining -= os.write(handle, _ZEROS[:remaining])
    os.fsync(handle)


def _discard_leftovers(files: FilesOfDatabase) -> None:
    """Removes what killed processes left unfinished beside the files, if it is readable: nobody would look there."""
    paths = [files.database, *files.backups, *files.souls]
    kept = {os.path.realpath(path) for path in paths}
    folders = {os.path.dirname(os.path.abspath(path)) for path in paths}
    folders |= {files.archive, *(archive_folder_of(path) for path in files.backups)}
    named = re.compile("|".join(_LEFT_UNFINISHED))
    for folder in folders:
        for file in sorted(Path(folder).iterdir()) if os.path.isdir(folder) else ():
            if named.fullmatch(file.name) and os.path.realpath(file) not in kept:
                # What is another user's is not ours to remove, and no reason to leave the other files as they are.
                with contextlib.suppress(OSError):
                    if file.is_file() and not file.is_symlink() and _is_readable(file):
                        _discard(str(file))


def _is_readable(file: Path) -> bool:
    if file.name.startswith(UNFINISHED_BACKUP):
        return not _is_begun_encrypted(file) and not _is_being_copied(str(file))
    data = file.read_bytes()
    return data != b"" and not is_sealed(data)


def _is_begun_encrypted(file: Path) -> bool:
    """Whether nobody can read a copy, which has zeros in the place of its first page until it is complete."""
    with open(file, "rb") as stream:
        return stream.read(SALT_BYTES) != bytes(SALT_BYTES) and not is_plain_database(str(file))


def _is_being_copied(path: str) -> bool:
    """Whether a backup of another database is written there now: its writer has it locked until it is complete."""
    try:
        with sqlite_errors(path, 0.0), contextlib.closing(driver.connect(path, timeout=0.0, options="mode=ro")) as db:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BusyError:
        return True
    except StorageError:
        return False  # cut off in the middle
    return False


def _discard(path: str) -> None:
    """Removes a file and overwrites what it held, unless it has another name by now."""
    try:
        handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return
    except OSError:  # not ours to write
        _remove(path)
        return
    try:
        if os.name == "nt":  # nothing that is open can be removed there
            wipe(handle)
        else:
            _remove(path)
            if os.fstat(handle).st_nlink == 0:
                wipe(handle)
    finally:
        os.close(handle)
    if os.name == "nt":
        _remove(path)


def _remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def _sync(path: str) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
