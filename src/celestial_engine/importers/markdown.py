"""The Markdown notes that this engine writes: a memory a note, with its front matter."""

from __future__ import annotations

import os
from collections.abc import Iterator

from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.core.keeping.notes import MARK, Note, read_note
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.importers import values
from celestial_engine.importers.basic_memory import note_files
from celestial_engine.importers.reading import UnusableEntry, open_source

NAME = "markdown"
_MOST_NOTE_BYTES = 2 << 20
_SNIFFED_NOTES = 20


def is_folder(path: str) -> bool:
    for count, file in enumerate(note_files(path)):
        if count >= _SNIFFED_NOTES:
            return False
        note = _note(file)
        if note is not None and note.is_ours:
            return True
    return False


def read(path: str) -> Iterator[ImportedRecord | UnusableEntry]:
    root = path if os.path.isdir(path) else os.path.dirname(path)
    for file in note_files(path):
        within = os.path.relpath(file, root).replace(os.sep, "/")
        note = _note(file)
        if note is None:
            yield UnusableEntry(within, "unreadable")
        elif note.is_ours:
            yield _record(note, within)
        elif note.front.get(MARK) != "index":
            yield UnusableEntry(within, "no_id")  # somebody else's note: basic-memory reads those


def _record(note: Note, where: str) -> ImportedRecord | UnusableEntry:
    if not note.text.strip():
        return UnusableEntry(where, "no_text")
    front = note.front
    importance = front.get("importance")
    return ImportedRecord(
        NAME,
        note.item_id or where,
        note.text,
        where,
        values.parse_time(front.get("created")),
        importance=importance if isinstance(importance, float) and 0 <= importance <= 1 else None,
        category=values.category(str(front.get("category", ""))),
        tags=note.tags,
        protection=Protection.PINNED if front.get("protection") == "pinned" else Protection.NONE,
        metadata={"file": where},
    )


def _note(file: str) -> Note | None:
    with open_source(file) as stream:
        data = stream.read(_MOST_NOTE_BYTES + 1)
    if len(data) > _MOST_NOTE_BYTES:
        return None
    try:
        return read_note(data.decode("utf-8"))
    except UnicodeDecodeError:
        return None
