"""What the doctor says of the files: whether they are there, who may read and write them, and room on the disk."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator

from celestial_engine.errors import os_problem
from celestial_engine.surfaces.cli.commands.doctor.check import Check
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.format import file_size

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_OWN = stat.S_IRUSR | stat.S_IWUSR
_LITTLE_ROOM_BYTES = 200 << 20
_NO_ROOM_BYTES = 20 << 20  # less than a write-ahead log and a night's work may take
_MOST_FILES = 10_000


def look_at_database(path: str, texts: Texts, *, repair: bool) -> Iterator[Check]:
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        yield _missing(path, texts)
        return
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        reason = texts.problem(os_problem(error))
        yield Check("file", "problem", texts("doctor.unreachable", path=path, reason=reason))
        return
    if not stat.S_ISREG(found.st_mode):
        return  # the engine says what is wrong with it
    log = _size(f"{path}-wal")
    if found.st_size == 0:
        yield Check("missing", "note", texts("doctor.missing")) if log == 0 else _missing(path, texts)
        return
    yield Check("size", "ok", texts("doctor.size", size=file_size(found.st_size + log)))
    yield _room(path, found.st_size + log, texts)
    if os.name != "nt":
        yield _permissions(path, found, texts, repair=repair)
        yield from _writable(path, texts, repair=repair)


def _missing(path: str, texts: Texts) -> Check:
    """No database yet, or one that was moved away: then its log is still there, maybe with a process that uses it."""
    if _size(f"{path}-wal") == 0:
        return Check("missing", "note", texts("doctor.missing"))
    return Check("moved", "problem", texts("doctor.log_alone", path=path, log=f"{path}-wal"))


def _size(path: str) -> int:
    return os.path.getsize(path) if os.path.isfile(path) else 0


def _room(path: str, size: int, texts: Texts) -> Check:
    """A backup needs as much room as the database."""
    try:
        free = shutil.disk_usage(os.path.dirname(path) or ".").free
    except OSError as error:
        return Check("disk", "warning", texts("doctor.disk_unknown", reason=texts.problem(os_problem(error))))
    if free < _NO_ROOM_BYTES:
        return Check("disk", "problem", texts("doctor.disk_full", free=file_size(free)))
    if free < max(_LITTLE_ROOM_BYTES, size):
        return Check("disk", "warning", texts("doctor.disk_low", free=file_size(free)))
    return Check("disk", "ok", texts("doctor.disk", free=file_size(free)))


# -- permissions ----------------------------------------------------------------------------------------


def _permissions(path: str, found: os.stat_result, texts: Texts, *, repair: bool) -> Check:
    """Who may read it; only the owner of a file can change that."""
    mode = f"{stat.S_IMODE(found.st_mode):03o}"
    shared = bool(found.st_mode & _OTHERS)
    if found.st_uid != os.geteuid():
        owner = _user_name(found.st_uid)
        if shared:
            return Check("permissions", "warning", texts("doctor.anothers_readable", owner=owner, mode=mode))
        return Check("permissions", "note", texts("doctor.anothers", owner=owner, mode=mode))
    if shared and repair and _change_mode(path, found.st_mode & ~_OTHERS):
        return Check("permissions", "ok", texts("doctor.made_private", mode=mode))
    if shared:
        return Check("permissions", "warning", texts("doctor.readable", mode=mode))
    return Check("permissions", "ok", texts("doctor.private"))


def _writable(path: str, texts: Texts, *, repair: bool) -> Iterator[Check]:
    """Whether the database and its log can be read and written by their owner."""
    for name in (path, f"{path}-wal", f"{path}-shm"):
        found = os.stat(name) if os.path.exists(name) else None
        if found is None or found.st_mode & _OWN == _OWN or found.st_uid != os.geteuid():
            continue
        mode = f"{stat.S_IMODE(found.st_mode):03o}"
        if repair and _change_mode(name, found.st_mode | _OWN):
            yield Check("writable", "ok", texts("doctor.made_writable", path=name, mode=mode))
        else:
            yield Check("writable", "problem", texts("doctor.not_writable", path=name, mode=mode))
    folder = os.path.dirname(os.path.abspath(path))
    if not (os.access(path, os.W_OK) and os.access(folder, os.W_OK)):
        yield Check("read_only", "note", texts("doctor.read_only"))


def look_at_folders(paths: list[str], texts: Texts, *, repair: bool) -> Iterator[Check]:
    """Folders with what the database holds too: the ledger's daily files and archives."""
    if os.name == "nt":
        return
    open_to_others = [name for path in paths for name in _files_in(path) if _is_open_to_others(name)]
    if not open_to_others:
        return
    if repair:
        left = [name for name in open_to_others if not _change_mode(name, os.stat(name).st_mode & ~_OTHERS)]
        if not left:
            count = len(open_to_others)
            yield Check("folders", "ok", texts("doctor.folders_made_private", count=count, path=open_to_others[0]))
            return
        open_to_others = left
    count = len(open_to_others)
    yield Check("folders", "warning", texts("doctor.folders_readable", count=count, path=open_to_others[0]))


def _files_in(folder: str) -> list[str]:
    if not os.path.isdir(folder):
        return []
    return [folder, *(os.path.join(folder, name) for name in sorted(os.listdir(folder))[:_MOST_FILES])]


def _is_open_to_others(path: str) -> bool:
    found = os.lstat(path)
    return not stat.S_ISLNK(found.st_mode) and bool(found.st_mode & _OTHERS) and found.st_uid == os.geteuid()


def _change_mode(path: str, mode: int) -> bool:
    try:
        os.chmod(path, stat.S_IMODE(mode))
    except OSError:
        return False
    return True


def _user_name(uid: int) -> str:
    import pwd  # POSIX only

    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
