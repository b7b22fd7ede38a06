"""Take memories out: `export_to(memory, path, format)` writes one of `EXPORT_FORMATS`. See docs/interchange.md."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import InvalidInputError, Reason, StorageError, os_problem
from celestial_engine.exporters import aimem, bundle, foreign, markdown

__all__ = ["EXPORT_FORMATS", "ExportFormat", "ExportReport", "export_to"]

Write = Callable[[str, list[CelestialItem], CelestialMemory], int]


@dataclass(frozen=True)
class ExportFormat:
    """One format: its name, what it is, what it cannot hold, and the function that writes it."""

    name: str
    about: str
    lost: str
    write: Write


@dataclass(frozen=True)
class ExportReport:
    """What was written where; `left_out` counts memories that the format has no place for."""

    path: str
    format: str
    exported: int
    left_out: int


EXPORT_FORMATS: dict[str, ExportFormat] = {
    one.name: one
    for one in (
        ExportFormat(
            "bundle",
            "our own bundle: every field, versioned and hashed; imported and exported again it is the same file",
            "zones, scores and vectors (computed again), the ledger, the self, what was learned", bundle.write,
        ),
        ExportFormat(
            "markdown", "a folder of notes with front matter, for Obsidian, basic-memory and Claude's memory folder",
            "recalls, lifetimes, emotions, links, metadata, sessions; what is on the cliff", markdown.write,
        ),
        ExportFormat(
            "memory-md", "one MEMORY.md with one line per memory",
            "everything but the text and the kind; line breaks; what is on the cliff", markdown.write_one,
        ),
        ExportFormat(
            "mem0", "the JSON that mem0 and its importers read",
            "recalls, lifetimes, protection, importance, kinds, emotions, links; what is on the cliff",
            foreign.write_mem0,
        ),
        ExportFormat(
            "letta", "passages of archival memory as JSON",
            "recalls, lifetimes, protection, importance, kinds, emotions, links, sessions; what is on the cliff",
            foreign.write_letta,
        ),
        ExportFormat(
            "memorywire", "JSON lines by the schemas of memorywire",
            "recalls, protection, links, sessions, times below a millisecond; what is on the cliff",
            foreign.write_memorywire,
        ),
        ExportFormat(
            "aimem", "the AIMEM bundle (draft-vu-aimem-bundle): one JSON document with a checksum",
            "recalls, lifetimes, importance, kinds, emotions, metadata, sessions, tags above 64 characters; what is "
            "on the cliff",
            aimem.write,
        ),
        ExportFormat(
            "jsonl", "one JSON object per line, with the usual names",
            "lifetimes, emotions, links; what is on the cliff", foreign.write_jsonl,
        ),
        ExportFormat(
            "csv", "a table with a line of names",
            "lifetimes, emotions, links, metadata; what is on the cliff", foreign.write_csv,
        ),
    )
}  # fmt: skip


def export_to(memory: CelestialMemory, path: str | os.PathLike[str], kind: str = "bundle") -> ExportReport:
    """Writes this owner's memories. A file is replaced at once when it is complete; a folder gets a file a memory."""
    if kind not in EXPORT_FORMATS:
        raise InvalidInputError("format", Reason.UNKNOWN_CHOICE, got=kind, choices=tuple(EXPORT_FORMATS))
    target = os.path.abspath(os.fspath(path))
    every = [CelestialItem.from_dict(record) for record in memory.transfer.export()]
    kept = every if kind == "bundle" else [item for item in every if item.state is not State.CLIFF]
    kept.sort(key=lambda item: (item.created_at, item.id))
    try:
        count = EXPORT_FORMATS[kind].write(target, kept, memory)
    except OSError as error:
        raise StorageError(target, os_problem(error)) from error
    return ExportReport(target, kind, count, len(every) - count)
