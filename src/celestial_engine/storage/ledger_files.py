"""The ledger's daily files: `ledger-YYYYMMDD.jsonl`, one line per entry, outside the database.

They are appended to after the commit. What a crash, a second process or a full disk leaves out is written later from
the table: a small file `head` stores how far the mirror has come, as the position and hash of its last entry. A
writer holds a lock on it.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager

from celestial_engine.core.ledger.chain import START, Head, Written, line_of
from celestial_engine.core.record.events import day_of, moment_of
from celestial_engine.errors import CelestialError, StorageError
from celestial_engine.ports import MirrorLine, Reader
from celestial_engine.storage.vault import Vault

logger = logging.getLogger(__name__)

_MOST_AT_ONCE = 2_000  # lines after one commit, so that enabling the mirror late does not block for long
_PATIENCE_SECONDS = 0.2
_NAME = re.compile(r"ledger-(\d{6})(\d{2})?\.jsonl(\.gz|\.xz)?")  # of a day, or of a whole month
_HEAD = "head"
_HEAD_BYTES = 96  # fixed length, so that a new head overwrites the old one


class LedgerFiles:
    """The mirror of one database's ledger in one folder."""

    def __init__(self, path: str, vault: Vault | None = None) -> None:
        self.path = path
        self._vault = vault
        self._warned = False
        self._expected_size: tuple[str, int] = ("", 0)  # of the file that was written last

    def file_of(self, at: float) -> str:
        return self._in(f"ledger-{day_of(at)}.jsonl")

    def follow(
        self,
        read: Callable[[], AbstractContextManager[Reader]],
        fresh: Sequence[Written] = (),
        before: Head | None = None,
    ) -> bool:
        """Appends the entries that the files lack; False if that must wait for the next time.

        `fresh` are the entries just written, after the entry `before`: if the files end there, nothing is read.
        """
        try:
            with self._locked() as note:
                complete = note is not None and self._catch_up(note, read, fresh, before or START)
        except (OSError, StorageError) as error:
            self._warn_once("the ledger's files in %s cannot be written; they will catch up: %s", self.path, error)
            return False
        self._warned = self._warned and not complete
        return complete

    def lines(self) -> Iterator[MirrorLine]:
        """Yields every line of every file, including torn and foreign ones."""
        from celestial_engine.storage.ledger_months import lines_of  # writing a line needs no packed month

        try:
            names = self._names()
        except OSError as error:
            yield MirrorLine(self.path, str(error))
            return
        for name in names:
            place = 0
            try:
                for place, raw in enumerate(lines_of(self._in(name), self._vault), 1):
                    yield _read_line(f"{name}:{place}", self._plain(raw))
            except FileNotFoundError:  # compressed meanwhile
                continue
            except OSError as error:
                yield MirrorLine(f"{name}:{place + 1}", str(error))

    def write(self, entries: Sequence[Written]) -> None:
        """Appends missing lines to the files they belong to; raises OSError."""
        with self._locked() as note:
            if note is None:
                raise TimeoutError(f"{self.path} is locked by another process")
            head = _read_head(note)
            self._append(entries)
            newest = max(entries, key=lambda one: one.position)
            if head is not None and newest.position > head.number:
                _write_head(note, newest)

    def set_aside(self, at: float) -> str | None:
        """Moves the files aside and starts new ones, after an older database was restored. Raises OSError."""
        moment = moment_of(at)
        new_path = f"{self.path}-{day_of(at)}-{moment.hour:02}{moment.minute:02}{moment.second:02}"
        new_path = next(
            name for name in (new_path, *(f"{new_path}-{n}" for n in range(2, 1_000))) if not os.path.exists(name)
        )
        try:
            os.rename(self.path, new_path)
        except FileNotFoundError:
            return None
        self._warned = False
        return new_path

    def compress(self, month: str) -> list[str]:
        """Packs the files of each earlier month into one; it gets the lines that come later, too."""
        from celestial_engine.storage.ledger_months import pack, packed_name

        packed = []
        with self._locked() as note:
            if note is None:
                raise TimeoutError(f"{self.path} is locked by another process")
            months: dict[str, list[str]] = {}
            for name in self._names():
                match = _NAME.fullmatch(name)
                if match is not None and match[1] < month:
                    months.setdefault(match[1], []).append(name)
            for earlier, names in months.items():
                whole = packed_name(earlier)
                if names == [whole]:
                    continue
                pack(self._in(whole), [self._in(name) for name in names], self._vault)
                for name in names:
                    if name != whole:
                        os.unlink(self._in(name))
                packed.append(whole)
        return packed

    # -- appending ----------------------------------------------------------------------------------

    def _catch_up(
        self, note: int, read: Callable[[], AbstractContextManager[Reader]], fresh: Sequence[Written], before: Head
    ) -> bool:
        head = _read_head(note) or self._newest_line()
        if fresh and len(fresh) <= _MOST_AT_ONCE and head == before:
            self._append(fresh)
            _write_head(note, fresh[-1])
            return True
        with read() as session:
            entries = session.ledger.written(max(head.number - 1, 0), _MOST_AT_ONCE + 1)
            table = session.ledger.last_written() or START
        if head.number > 0 and (not entries or (entries[0].position, entries[0].entry.hash) != head):
            # Truncated, rewritten or restored: the files are evidence and stay as they are.
            self._warn_once(
                "the files in %s tell of entries that the ledger has not: celestial ledger verify", self.path
            )
            return False
        missing = entries[1:] if head.number > 0 else entries[:_MOST_AT_ONCE]
        if not missing:
            return True
        self._append(missing)
        _write_head(note, missing[-1])
        return missing[-1].position >= table.number

    def _append(self, entries: Sequence[Written]) -> None:
        """Appends the entries with one write per file."""
        files: dict[str, list[str]] = {}
        for position, entry in entries:
            at = entry.at if isinstance(entry.at, float) else 0.0
            files.setdefault(self.file_of(at), []).append(line_of(entry, position))
        for name, lines in files.items():
            encoded = [line.encode("utf-8", "backslashreplace") for line in lines]
            data = b"\n".join(map(self._vault.seal_line, encoded) if self._vault else encoded) + b"\n"
            file = os.open(name, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                size = os.fstat(file).st_size
                if (name, size) != self._expected_size and size and _last_byte(file, size) != b"\n":
                    data = b"\n" + data  # the last line was torn by a crash or a full disk
                if os.write(file, data) != len(data):
                    raise OSError(f"{name} took only a part")
                self._expected_size = (name, size + len(data))
            finally:
                os.close(file)

    def _plain(self, raw: bytes) -> bytes:
        return raw if self._vault is None else self._vault.open_line(raw)

    def _newest_line(self) -> Head:
        """Returns the newest entry in the files, if `head` does not say."""
        newest = START
        for line in self.lines():
            if line.position is not None and line.hash is not None and line.position > newest.number:
                newest = Head(line.position, line.hash)
        return newest

    # -- the folder ---------------------------------------------------------------------------------

    def _names(self) -> list[str]:
        try:
            return sorted(name for name in os.listdir(self.path) if _NAME.fullmatch(name))
        except FileNotFoundError:
            return []

    def _in(self, name: str) -> str:
        return os.path.join(self.path, name)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[int | None]:
        """Yields the open file `head`, locked against other threads and processes; None if it stays locked."""
        try:
            note = os.open(self._in(_HEAD), os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            os.makedirs(self.path, mode=0o700, exist_ok=True)
            note = os.open(self._in(_HEAD), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            deadline = time.monotonic() + _PATIENCE_SECONDS
            while not (locked := _lock(note)) and time.monotonic() < deadline:
                time.sleep(0.001)
            yield note if locked else None
        finally:
            os.close(note)  # this also releases the lock

    def _warn_once(self, message: str, *values: object) -> None:
        if not self._warned:
            self._warned = True
            logger.warning(message, *values)


def _read_line(place: str, raw: bytes) -> MirrorLine:
    text = raw.decode("utf-8", "replace").rstrip("\n")
    try:
        values = json.loads(text)
        head = Head.read(f"{values['seq']}:{values['hash']}")
        position = int(values.get("position", head.number))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return MirrorLine(place, text)
    names = (values.get(name) for name in ("user_id", "agent_id"))
    user_id, agent_id = (name if isinstance(name, str) else None for name in names)
    return MirrorLine(place, text, position, head.number, head.hash, user_id, agent_id)


def _read_head(note: int) -> Head | None:
    """Returns the stored head; None if it is missing or unreadable."""
    os.lseek(note, 0, os.SEEK_SET)
    try:
        return Head.read(os.read(note, _HEAD_BYTES + 1).decode("ascii"))
    except (UnicodeDecodeError, CelestialError):
        return None


def _write_head(note: int, last: Written) -> None:
    os.lseek(note, 0, os.SEEK_SET)
    os.write(note, f"{Head(last.position, last.entry.hash)}".ljust(_HEAD_BYTES - 1).encode() + b"\n")


def _last_byte(file: int, size: int) -> bytes:
    os.lseek(file, size - 1, os.SEEK_SET)
    return os.read(file, 1)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> bool:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
