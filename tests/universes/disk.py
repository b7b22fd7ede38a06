"""A simulated disk: an apsw VFS that forgets, tears and reorders what was not synced, fills up and fails.

Files lie on the real disk as a running system sees them. Beside each the disk remembers what a power cut would leave: the
bytes as of the last sync, and the writes since.
"""

# ruff: noqa: N802 - apsw names the methods
from __future__ import annotations

import errno
import itertools
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import apsw

SECTOR = 512
_numbers = itertools.count()


class Write:
    """A write or, without data, a truncation that has not been synced."""

    __slots__ = ("data", "offset")

    def __init__(self, offset: int, data: bytes | None) -> None:
        self.offset, self.data = offset, data

    def apply(self, content: bytearray, length: int | None = None) -> None:
        if self.data is None:
            del content[self.offset :]
            return
        data = self.data[:length]
        if len(content) < self.offset:
            content.extend(bytes(self.offset - len(content)))
        content[self.offset : self.offset + len(data)] = data


@dataclass
class Kept:
    """What a power cut leaves of one file."""

    synced: bytearray = field(default_factory=bytearray)
    pending: list[Write] = field(default_factory=list)
    last: list[tuple[int, bytes]] = field(default_factory=list)  # what was where the last sync wrote

    def sync(self) -> None:
        if self.pending:
            self.last = [
                (write.offset, bytes(self.synced[write.offset : write.offset + len(write.data)]))
                for write in self.pending
                if write.data is not None
            ]
        for write in self.pending:
            write.apply(self.synced)
        self.pending = []

    def after_power_cut(self, dice: random.Random) -> bytes:
        """Any of the unsynced writes may be there, in any order; one may be torn between two sectors."""
        content = bytearray(self.synced)
        likely = dice.choice((0.0, 0.5, 0.9, 1.0))
        for write in self.pending:
            if dice.random() < likely:
                torn = write.data is not None and dice.random() < 0.2
                length = dice.randrange(0, len(write.data) + 1, SECTOR) if torn and write.data else None
                write.apply(content, length)
        return bytes(content)


class Disk:
    """The disk of one universe. `folder` is where its files are; a power cut moves on to another."""

    def __init__(self, folder: Path, dice: random.Random) -> None:
        self.folder, self.dice = folder, dice
        self.files: dict[str, Kept] = {}
        self.unlinked: dict[str, Kept] = {}  # removed, but the folder was not synced
        self.full = False
        self.fail_in: int | None = None  # this many writes or syncs until one fails
        self.cut_in: int | None = None  # ... until the power is cut
        self.image: dict[str, bytes] | None = None
        self.name = f"universe{next(_numbers)}"
        self.vfs = _Vfs(self)

    @property
    def is_cut(self) -> bool:
        return self.image is not None

    def kept(self, path: str) -> Kept:
        if path not in self.files:
            content = Path(path).read_bytes() if os.path.exists(path) else b""
            self.files[path] = Kept(bytearray(content))
        return self.files[path]

    def tick(self, path: str, *, grows: bool = False) -> None:
        """Before every change: this is where the power is cut, and where disks fail."""
        if self.cut_in is not None:
            self.cut_in -= 1
            if self.cut_in < 0 and self.image is None:
                self.cut_power()
        if self.is_cut:
            raise apsw.IOError("the power is cut")
        if self.fail_in is not None:
            self.fail_in -= 1
            if self.fail_in < 0:
                self.fail_in = None
                raise apsw.IOError("disk I/O error")
        if self.full and grows:
            raise apsw.FullError("database or disk is full")

    def cut_power(self) -> None:
        """Remembers what the disk has at this moment; nothing is written after it."""
        image = {}
        for file in self.folder.rglob("*"):
            name = str(file.relative_to(self.folder))
            if not file.is_file() or name.endswith("-shm"):
                continue
            if str(file) in self.files:
                image[name] = self.files[str(file)].after_power_cut(self.dice)
            else:
                image[name] = self._other(file)
        for path, kept in self.unlinked.items():
            name = str(Path(path).relative_to(self.folder))
            if name not in image and self.dice.random() < 0.5:
                image[name] = bytes(kept.synced)
        self.image = image

    def _other(self, file: Path) -> bytes:
        """The ledger's daily files are never synced: their end may be lost. Everything else was."""
        content = file.read_bytes()
        if file.parent.name.endswith(".ledger") and self.dice.random() < 0.5:
            return content[: self.dice.randrange(len(content) + 1)]
        return content

    def lose_a_write(self) -> str | None:
        """The disk says that a write is safe, and it is not; returns the file."""
        candidates = [path for path, kept in self.files.items() if kept.last and os.path.exists(path)]
        if not candidates:
            return None
        path = self.dice.choice(sorted(candidates))
        offset, before = self.dice.choice(self.files[path].last)
        content = bytearray(Path(path).read_bytes())
        content[offset : offset + len(before)] = before
        Path(path).write_bytes(bytes(content))
        return path

    def write_other_file(self, write: Callable[[int, bytes], int]) -> Callable[[int, bytes], int]:
        """`os.write` for the files that are not SQLite's."""

        def limited(handle: int, data: bytes) -> int:
            if self.is_cut:
                raise OSError(errno.EIO, "the power is cut")
            if self.full and len(data) > 96:  # the file `head` has its room already
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(handle, data)

        return limited

    def close(self) -> None:
        self.vfs.unregister()


class _Vfs(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        super().__init__(disk.name, base="", makedefault=False)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> _File:
        return _File(self.disk, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self.disk.tick(filename)
        super().xDelete(filename, syncdir)
        kept = self.disk.files.pop(filename, None)
        if kept is not None and not syncdir:
            self.disk.unlinked[filename] = kept


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self.disk = disk
        self.path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self.is_ours = bool(self.path) and str(self.path).startswith(str(disk.folder))
        super().__init__("", name, flags)
        if self.is_ours:
            disk.unlinked.pop(str(self.path), None)
            disk.kept(str(self.path))

    def xWrite(self, data: bytes, offset: int) -> None:
        if not self.is_ours:
            super().xWrite(data, offset)
            return
        grows = offset + len(data) > super().xFileSize()
        self.disk.tick(str(self.path), grows=grows)
        super().xWrite(data, offset)
        self.disk.kept(str(self.path)).pending.append(Write(offset, bytes(data)))

    def xTruncate(self, size: int) -> None:
        if self.is_ours:
            self.disk.tick(str(self.path))
            self.disk.kept(str(self.path)).pending.append(Write(size, None))
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        if self.is_ours:
            self.disk.tick(str(self.path))
            self.disk.kept(str(self.path)).sync()
        # The real sync would only take time.
