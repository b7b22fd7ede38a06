"""A folder of Markdown notes that shows the memories, and that an editor or git may change: kept equal both ways.

What was written last is noted in a hidden file of the folder, which tells on which side a note changed; if on both,
nothing is overwritten and the conflict is shown.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import PurePath
from typing import Any

from celestial_engine.core.keeping.notes import MARK, Note, file_name_of, note_of, read_note, written
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError, InvalidInputError, Reason, StorageError, os_problem
from celestial_engine.exporters.files import write_whole

_NOTED = ".celestial-folder.json"
_CONFLICT = ".conflict.md"
_MOST_BYTES = 1 << 20
_MOST_GONE, _MOST_GONE_SHARE = 5, 0.2  # more missing files at once are an accident until somebody confirms it
_SHOWN = (State.ACTIVE, State.FADED, State.INACTIVE)


@dataclass(frozen=True)
class FolderReport:
    """What an exchange with the folder did, by file; `problems` are files that were left alone, with the reason."""

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    stored: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    forgotten: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    redacted: tuple[str, ...] = ()  # files in which a secret was replaced
    problems: tuple[tuple[str, str], ...] = ()
    dry_run: bool = False

    def to_dict(self) -> dict[str, Any]:
        problems = [{"file": file, "problem": problem} for file, problem in self.problems]
        return {**{name: list(value) for name, value in self._lists().items()}, "problems": problems,
                "dry_run": self.dry_run}  # fmt: skip

    def _lists(self) -> dict[str, tuple[str, ...]]:
        names = ("written", "removed", "stored", "updated", "forgotten", "conflicts", "redacted")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class _Noted:
    """A note when folder and memory were last equal."""

    file: str
    digest: str


@dataclass
class _Work:
    """What is known while one exchange runs."""

    items: dict[str, CelestialItem]
    noted: dict[str, _Noted]
    files: dict[str, Note] = field(default_factory=dict)
    problems: list[tuple[str, str]] = field(default_factory=list)
    done: dict[str, list[str]] = field(default_factory=dict)

    def note(self, action: str, file: str) -> None:
        self.done.setdefault(action, []).append(file)


def sync_folder(
    memory: CelestialMemory, path: str | os.PathLike[str], *, dry_run: bool = False, allow_large: bool = False
) -> FolderReport:
    """Makes folder and memory equal: what changed on one side since is carried out on the other.

    A deleted note lets its memory go over the cliff; `allow_large` confirms that many notes were deleted. What was
    changed on both sides is left, with the memory's text in a file beside it.
    """
    root = os.path.abspath(os.fspath(path))
    if os.path.exists(root) and not os.path.isdir(root):
        raise InvalidInputError("path", Reason.SYNC_NOT_A_FOLDER)
    try:
        return _View(memory, root, dry_run=dry_run, allow_large=allow_large).run()
    except OSError as error:
        raise StorageError(root, os_problem(error)) from error


class _View:
    def __init__(self, memory: CelestialMemory, root: str, *, dry_run: bool, allow_large: bool) -> None:
        self._memory, self._root, self._dry_run, self._allow_large = memory, root, dry_run, allow_large
        every = (CelestialItem.from_dict(record) for record in memory.transfer.export())
        self._work = _Work({item.id: item for item in every if item.state in _SHOWN}, self._read_noted())

    def run(self) -> FolderReport:
        by_id = self._read_files()
        missing = [item_id for item_id in self._work.noted if item_id not in by_id]
        for item_id, file in by_id.items():
            self._compare(item_id, file)
        self._handle_missing(missing)
        for item_id in self._work.items:
            if item_id not in by_id and item_id not in self._work.noted:
                self._write(item_id)
        known = set(by_id.values())
        for file, note in list(self._work.files.items()):
            if file not in known:
                self._store(file, note)
        if not self._dry_run:
            self._write_noted()
        lists = {name: tuple(sorted(files)) for name, files in self._work.done.items()}
        return FolderReport(**lists, problems=tuple(self._work.problems), dry_run=self._dry_run)

    # -- what is to be done -------------------------------------------------------------------------

    def _compare(self, item_id: str, file: str) -> None:
        work = self._work
        item, noted, note = work.items.get(item_id), work.noted.get(item_id), work.files[file]
        text = written(note)
        changed_there = noted is None or _digest(text) != noted.digest
        if item is None:
            self._memory_gone(item_id, file, changed_there=changed_there and noted is not None)
            return
        ours = written(note_of(item))
        changed_here = noted is None or _digest(ours) != noted.digest
        if text == ours:
            work.noted[item_id] = _Noted(file, _digest(ours))
        elif changed_there and os.path.exists(self._path(file) + _CONFLICT):
            work.note("conflicts", file)  # shown before, and not settled yet
        elif changed_there and changed_here and noted is not None:
            self._show_conflict(item_id, file, ours)
        elif changed_there:
            self._update(item, file, note)
        else:
            self._write(item_id, file)

    def _memory_gone(self, item_id: str, file: str, *, changed_there: bool) -> None:
        """The memory was forgotten: its note goes too, unless somebody has edited it since."""
        if item_id not in self._work.noted:
            self._store(file, self._work.files[file])  # a note from another memory
        elif changed_there:
            self._work.note("conflicts", file)
        else:
            self._work.note("removed", file)
            self._work.noted.pop(item_id)
            if not self._dry_run:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(self._path(file))

    def _handle_missing(self, missing: list[str]) -> None:
        """A note was deleted: its memory goes over the cliff, unless it changed since, or too many are gone."""
        work = self._work
        going = []
        for item_id in missing:
            item, noted = work.items.get(item_id), work.noted[item_id]
            if item is None:
                work.noted.pop(item_id)
            elif any(noted.file == file for file, _ in work.problems):
                continue  # it is there, but cannot be read
            elif _digest(written(note_of(item))) != noted.digest:
                self._write(item_id, noted.file)
            else:
                going.append(item_id)
        if len(going) > max(_MOST_GONE, _MOST_GONE_SHARE * len(work.noted)) and not self._allow_large:
            work.problems.append((self._root, Reason.FOLDER_EMPTIED.message()))
            return
        for item_id in going:
            self._forget(item_id)

    # -- doing it -----------------------------------------------------------------------------------

    def _write(self, item_id: str, file: str | None = None) -> None:
        item = self._work.items[item_id]
        name = file or self._free_name(item)
        text = written(note_of(item))
        self._work.noted[item_id] = _Noted(name, _digest(text))
        self._work.note("written", name)
        if not self._dry_run:
            write_whole(self._path(name), text)

    def _update(self, item: CelestialItem, file: str, note: Note) -> None:
        tags = note.tags if note.is_ours else item.tags  # without front matter it says nothing about tags
        if note.text == item.content and tags == item.tags:
            self._write(item.id, file)  # only fields that this memory decides were edited
            return
        try:
            changed = item if self._dry_run else self._memory.update(item.id, note.text, tags=tags)
        except CelestialError as error:
            self._work.problems.append((file, str(error)))
            return
        self._work.note("updated", file)
        self._settled(changed, file, note)

    def _store(self, file: str, note: Note) -> None:
        if self._dry_run:
            self._work.note("stored", file)
            return
        try:
            item = self._memory.store(note.text, tags=note.tags)
        except CelestialError as error:
            self._work.problems.append((file, str(error)))
            return
        self._work.note("stored", file)
        self._settled(item, file, note)

    def _settled(self, item: CelestialItem, file: str, note: Note) -> None:
        """Writes the note as the memory has it now; a secret in it was replaced at the door."""
        if self._dry_run:
            return
        if item.content != note.text:
            self._work.note("redacted", file)
        text = written(note_of(item))
        self._work.noted[item.id] = _Noted(file, _digest(text))
        write_whole(self._path(file), text)

    def _forget(self, item_id: str) -> None:
        file = self._work.noted[item_id].file
        try:
            if not self._dry_run:
                self._memory.forget(item_id)
        except CelestialError as error:  # core or immutable: its note comes back
            self._work.problems.append((file, str(error)))
            self._write(item_id, file)
            return
        self._work.noted.pop(item_id)
        self._work.items.pop(item_id)
        self._work.note("forgotten", file)

    def _show_conflict(self, item_id: str, file: str, ours: str) -> None:
        self._work.note("conflicts", file)
        if not self._dry_run:
            text = ours.replace(f"{MARK}: memory\n", f"{MARK}: conflict\n", 1)
            write_whole(self._path(file) + _CONFLICT, text)
            # Without the file beside it the note decides: deleting it settles the conflict.
            self._work.noted[item_id] = replace(self._work.noted[item_id], digest=_digest(ours))

    # -- files --------------------------------------------------------------------------------------

    def _read_files(self) -> dict[str, str]:
        """Reads every note; returns the files of those that name a memory, by its id."""
        by_id: dict[str, str] = {}
        for file in self._names():
            note = self._note(file)
            if note is None or note.front.get(MARK) in ("index", "conflict"):
                continue
            if not note.text.strip():
                self._work.problems.append((file, Reason.NOTE_EMPTY.message()))
                continue
            item_id = note.item_id if note.is_ours else None
            if item_id is not None and item_id in by_id:
                self._work.problems.append((file, Reason.NOTE_TWICE.message()))
                continue
            self._work.files[file] = note
            if item_id is not None:
                by_id[item_id] = file
        # A note that lost its front matter is still the note of its memory, and a new one if that is gone.
        taken = set(by_id.values())
        for item_id, noted in list(self._work.noted.items()):
            if item_id not in by_id and noted.file in self._work.files and noted.file not in taken:
                if item_id in self._work.items:
                    by_id[item_id] = noted.file
                else:
                    self._work.noted.pop(item_id)
        return by_id

    def _names(self) -> Iterator[str]:
        for folder, folders, files in os.walk(self._root, followlinks=False):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                path = os.path.join(folder, name)
                if name.endswith(".md") and not name.startswith(".") and not os.path.islink(path):
                    yield os.path.relpath(path, self._root)

    def _note(self, file: str) -> Note | None:
        with open(self._path(file), "rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
        try:
            if len(data) <= _MOST_BYTES:
                return read_note(data.decode("utf-8"))
        except UnicodeDecodeError:
            pass
        self._work.problems.append((file, Reason.NOTE_UNREADABLE.message()))
        return None

    def _free_name(self, item: CelestialItem) -> str:
        name, taken = file_name_of(item), {noted.file for noted in self._work.noted.values()} | set(self._work.files)
        number = 2
        while name in taken:
            name = f"{file_name_of(item).removesuffix('.md')}-{number}.md"
            number += 1
        return name

    def _path(self, file: str) -> str:
        return os.path.join(self._root, file)

    def _inside(self, file: str) -> str:
        """Raises ValueError unless this names a note in the folder: whoever shares the folder wrote the name."""
        name, root = PurePath(file), os.path.realpath(self._root)
        if name.is_absolute() or ".." in name.parts or not file.endswith(".md") or b"\0" in os.fsencode(file):
            raise ValueError("not the name of a note")
        # A link in place of the note itself is replaced, one in place of a folder would be followed.
        if os.path.commonpath([root, os.path.realpath(os.path.dirname(self._path(file)))]) != root:
            raise ValueError("not in the folder")
        return file

    def _read_noted(self) -> dict[str, _Noted]:
        try:
            with open(os.path.join(self._root, _NOTED), encoding="utf-8") as stream:
                found = json.load(stream)
            if found["user_id"] != self._memory.owner.user_id or found["agent_id"] != self._memory.owner.agent_id:
                raise InvalidInputError("path", Reason.FOLDER_OF_OTHERS, got=found["user_id"])
            return {
                str(item_id): _Noted(self._inside(str(file)), str(digest))
                for item_id, (file, digest) in found["notes"].items()
            }
        except FileNotFoundError:
            return {}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            if isinstance(error, InvalidInputError):
                raise
            raise InvalidInputError("path", Reason.FOLDER_NOTES_DAMAGED, got=_NOTED) from error

    def _write_noted(self) -> None:
        owner = self._memory.owner
        notes = {item_id: [noted.file, noted.digest] for item_id, noted in sorted(self._work.noted.items())}
        found = {"format": "celestial-folder", "version": 1, "user_id": owner.user_id, "agent_id": owner.agent_id}
        write_whole(os.path.join(self._root, _NOTED), json.dumps({**found, "notes": notes}, indent=1) + "\n")


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
