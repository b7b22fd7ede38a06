"""Writing edits, and taking them back: what was there before is kept until the plugin is removed."""

from __future__ import annotations

import base64
import contextlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from celestial_engine.config import default_path
from celestial_engine.config.sources import process_environment
from celestial_engine.errors import os_problem
from celestial_engine.surfaces.cli.failures import STORAGE, CommandError
from celestial_engine.surfaces.cli.plugins.edits import Edit, bytes_of

_PRIVATE = 0o600  # settings can hold keys


class Undone(NamedTuple):
    """What removing a plugin does to a file: `after` is None if the file goes."""

    file: Path
    before: bytes | None
    after: bytes | None


class Record(NamedTuple):
    """What was installed: the files of each host before and after, and the folders that were made for all of them."""

    hosts: dict[str, dict[str, Any]]
    folders: list[str]

    @classmethod
    def read(cls) -> Record:
        content = bytes_of(record_file())
        try:
            record = {} if content is None else json.loads(content)
        except ValueError as error:
            raise CommandError("unreadable_file", STORAGE, path=record_file(), reason=str(error)) from None
        return cls(dict(record.get("hosts", {})), list(record.get("folders", [])))

    def write(self) -> None:
        _write(record_file(), json.dumps(self._asdict()).encode(), _PRIVATE)


def record_file() -> Path:
    return Path(default_path(process_environment())).parent / "plugins.json"


def is_installed(host: str) -> bool:
    return host in Record.read().hosts


def install(host: str, edits: Sequence[Edit]) -> None:
    """Writes the record of what was there first: whatever happens then can be taken back."""
    record = Record.read()
    originals = record.hosts.get(host, {})
    new_folders = _missing_folders([record_file(), *(edit.file for edit in edits)])
    for edit in edits:
        before = _original(edit, originals.get(str(edit.file)))
        originals = {**originals, str(edit.file): {"before": _packed(before), "after": _packed(edit.after)}}
    Record({**record.hosts, host: originals}, [*record.folders, *new_folders]).write()
    for edit in edits:
        if edit.after != edit.before:
            _write(edit.file, edit.after)


def removal(host: str, edits: Sequence[Edit]) -> list[Undone]:
    """Returns what taking the plugin out changes. A file that somebody changed since keeps those changes."""
    known = Record.read().hosts.get(host, {})
    undone = []
    for edit in edits:
        current, was = bytes_of(edit.file), known.get(str(edit.file))
        if current is None:
            continue
        if was is not None and current == _unpacked(was["after"]):
            undone.append(Undone(edit.file, current, _unpacked(was["before"])))
            continue
        left = edit.without(current.decode("utf-8-sig"))
        undone.append(Undone(edit.file, current, None if left is None else left.encode()))
    return [one for one in undone if one.before != one.after]


def uninstall(host: str, undone: Sequence[Undone]) -> None:
    """Restores the files, and removes the folders that the installation made if they are empty."""
    record = Record.read()
    hosts = {name: files for name, files in record.hosts.items() if name != host}
    for one in undone:
        if one.after is None:
            _remove(one.file)
        else:
            _write(one.file, one.after)
    if not hosts:
        _remove(record_file())
    for folder in sorted(map(Path, record.folders), key=lambda path: len(path.parts), reverse=True):
        with contextlib.suppress(OSError):  # something else is in it
            folder.rmdir()
    if hosts:
        Record(hosts, [folder for folder in record.folders if Path(folder).exists()]).write()


def _original(edit: Edit, was: Mapping[str, Any] | None) -> bytes | None:
    """Returns the file without the plugin; if it was changed since the last installation, with those changes."""
    if was is None or edit.before is None:
        return edit.before
    if edit.before == _unpacked(was["after"]):
        return _unpacked(was["before"])
    left = edit.without(edit.before.decode("utf-8-sig"))
    return None if left is None else left.encode()


def _missing_folders(paths: Sequence[Path]) -> list[str]:
    folders = {folder for path in paths for folder in path.parents if not folder.exists()}
    return sorted(map(str, folders))


def _write(file: Path, content: bytes, mode: int | None = None) -> None:
    """Replaces the file at once, or not at all; a link to the real settings stays a link."""
    file = file.resolve()
    fresh = file.with_name(f".{file.name}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if mode is None and file.exists():
            mode = file.stat().st_mode & 0o777
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode or 0o666), "wb") as stream:
            stream.write(content)
        if mode is not None:
            fresh.chmod(mode)
        os.replace(fresh, file)
    except OSError as error:
        raise CommandError("unwritable_file", STORAGE, path=file, reason=os_problem(error)) from None


def _remove(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise CommandError("unwritable_file", STORAGE, path=file, reason=os_problem(error)) from None


def _packed(content: bytes | None) -> str | None:
    return None if content is None else base64.b64encode(content).decode()


def _unpacked(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)
