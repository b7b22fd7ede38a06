"""Archive files: compressed, written atomically once and never changed."""

from __future__ import annotations

import contextlib
import errno
import os
import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from celestial_engine.errors import DiskFullError, Problem, ReadOnlyError, Reason, StorageError, os_problem, problem
from celestial_engine.storage.vault import SealedError

if TYPE_CHECKING:
    from celestial_engine.core.keeping.archive import ArchiveContents
    from celestial_engine.ports import ArchiveFiles
    from celestial_engine.storage.vault import Vault

UNFINISHED_ARCHIVE = ".celestial-archive-"
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_CHUNK = 1 << 16


class ArchiveFolder:
    """The archive files of one database. Names are never reused, so a copy of a file stays valid."""

    def __init__(self, path: str, vault: Vault | None = None) -> None:
        self.path = path
        self._vault = vault

    def write(self, name: str, lines: bytes) -> None:
        """Writes the file; it is on disk when this returns."""
        packed = compressed(lines)
        self.put(name, packed if self._vault is None else self._vault.seal(packed))

    def read(self, name: str) -> ArchiveContents:
        from celestial_engine.core.keeping.archive import ArchiveContents, unpack

        try:
            with open(self._path_of(name), "rb") as stream:
                packed = stream.read()
            return unpack(decompress_readable(packed if self._vault is None else self._vault.open(packed)))
        except SealedError as error:
            return ArchiveContents(problems=(problem(None, Reason.SYSTEM_ERROR, cause=str(error)),))
        except FileNotFoundError:
            return ArchiveContents(problems=(problem(None, Reason.FILE_MISSING),))
        except OSError as error:
            return ArchiveContents(problems=(os_problem(error),))

    def remove(self, name: str) -> None:
        """Removes the file, and any unfinished part that a crash left."""
        target = self._path_of(name)
        with os_errors(target), contextlib.suppress(FileNotFoundError):
            for unfinished in os.listdir(self.path):
                if unfinished.startswith(f"{UNFINISHED_ARCHIVE}{name}-"):
                    os.unlink(os.path.join(self.path, unfinished))
            os.unlink(target)

    def names(self) -> list[str]:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            return sorted(name for name in os.listdir(self.path) if not name.startswith("."))
        return []

    def size(self, name: str) -> int:
        with contextlib.suppress(OSError):
            return os.path.getsize(self._path_of(name))
        return 0

    def raw(self, name: str) -> bytes | None:
        """Returns the file's bytes; None if it does not exist."""
        target = self._path_of(name)
        with os_errors(target), contextlib.suppress(FileNotFoundError), open(target, "rb") as stream:
            return stream.read()
        return None

    def copy_from(self, other: ArchiveFolder | InMemoryArchives, name: str) -> None:
        """Copies the file here, durably; an existing file of that name is the same."""
        packed = None if os.path.exists(self._path_of(name)) else other.raw(name)
        if packed is not None:
            self.put(name, packed)

    def put(self, name: str, packed: bytes) -> None:
        """Writes a compressed file; it is on disk when this returns."""
        import tempfile  # slow to import, rarely needed

        target = self._path_of(name)
        with os_errors(target):
            os.makedirs(self.path, mode=0o700, exist_ok=True)
            # Readable by its owner only, and recognised by its prefix when cleaning up after a crash.
            handle, unfinished = tempfile.mkstemp(dir=self.path, prefix=f"{UNFINISHED_ARCHIVE}{name}-")
            try:
                with open(handle, "wb") as stream:
                    stream.write(packed)
                    stream.flush()
                    os.fsync(stream.fileno())
                os.replace(unfinished, target)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(unfinished)
                raise
            sync_folder(self.path)

    def _path_of(self, name: str) -> str:
        if not name or name.startswith(".") or os.path.basename(name) != name or "\0" in name:
            raise StorageError(self.path, Reason.NOT_AN_ARCHIVE, got=name)
        return os.path.join(self.path, name)


class InMemoryArchives:
    """Archives that live as long as the in-memory store they belong to."""

    path = "(memory)"

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    def write(self, name: str, lines: bytes) -> None:
        self._files[name] = compressed(lines)

    def read(self, name: str) -> ArchiveContents:
        from celestial_engine.core.keeping.archive import ArchiveContents, unpack

        if name not in self._files:
            return ArchiveContents(problems=(problem(None, Reason.FILE_MISSING),))
        return unpack(decompress_readable(self._files[name]))

    def raw(self, name: str) -> bytes | None:
        return self._files.get(name)

    def put(self, name: str, packed: bytes) -> None:
        self._files[name] = packed

    def remove(self, name: str) -> None:
        self._files.pop(name, None)

    def names(self) -> list[str]:
        return sorted(self._files)

    def size(self, name: str) -> int:
        return len(self._files.get(name, b""))


def archive_problems(archives: ArchiveFiles, files: Iterable[str]) -> list[Problem]:
    return [
        problem(None, Reason.IN_ARCHIVE, archive=file, cause=one)
        for file in files
        for one in archives.read(file).problems
    ]


def compressed(lines: bytes) -> bytes:
    import gzip

    return gzip.compress(lines, mtime=0)


def decompress_readable(packed: bytes) -> bytes:
    """Returns all that can be decompressed; of a damaged file, what comes before the damage."""
    parts = []
    unpacking = zlib.decompressobj(wbits=31)
    for start in range(0, len(packed), _CHUNK):
        try:
            parts.append(unpacking.decompress(packed[start : start + _CHUNK]))
        except zlib.error:  # noqa: PERF203 - the first piece that fails is the last
            parts.append(_byte_by_byte(b"".join(parts), packed))
            break
    return b"".join(parts)


def _byte_by_byte(so_far: bytes, packed: bytes) -> bytes:
    """Returns what a chunk held before its damage: one bad byte makes zlib refuse the whole chunk."""
    unpacking = zlib.decompressobj(wbits=31)
    data = bytearray()
    with contextlib.suppress(zlib.error):
        for place in range(len(packed)):
            data += unpacking.decompress(packed[place : place + 1])
    return bytes(data[len(so_far) :])


def sync_folder(path: str) -> None:
    """Syncs a folder: a new name in it survives a power cut only then."""
    if os.name == "nt":
        return
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextlib.contextmanager
def os_errors(path: str) -> Iterator[None]:
    """Maps system errors to ours."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise DiskFullError(path=path) from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise ReadOnlyError(path, os_problem(error)) from error
        raise StorageError(path, os_problem(error)) from error


def archive_folder_of(path: str) -> str:
    """Returns the default folder for the archives of a database or backup."""
    return path + ".archive"
