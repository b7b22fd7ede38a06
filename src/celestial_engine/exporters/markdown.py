"""Markdown: a folder of notes with an index, or one MEMORY.md."""

from __future__ import annotations

import os

from celestial_engine.core.keeping.notes import MARK, file_name_of, note_of, title_of, written
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.engine import CelestialMemory
from celestial_engine.exporters.files import write_whole

INDEX = "MEMORY.md"
_OTHER = "other"


def write(path: str, items: list[CelestialItem], memory: CelestialMemory) -> int:
    names: set[str] = set()
    entries = []
    for item in items:
        name = file_name_of(item)
        if name in names:  # the beginnings of two ids are the same
            name = f"{name.removesuffix('.md')}-{len(names)}.md"
        names.add(name)
        write_whole(os.path.join(path, name), written(note_of(item)))
        entries.append((item, f"- [[{name.removesuffix('.md')}]]"))
    write_whole(os.path.join(path, INDEX), f"---\n{MARK}: index\n---\n" + _grouped(entries))
    return len(items)


def write_one(path: str, items: list[CelestialItem], memory: CelestialMemory) -> int:
    entries = [(item, "- " + " ".join(item.content.split())) for item in items]
    write_whole(path, f"# {title_of(f'What {memory.owner.user_id} told')}\n" + _grouped(entries))
    return len(items)


def _grouped(entries: list[tuple[CelestialItem, str]]) -> str:
    kinds: dict[str, list[str]] = {}
    for item, line in entries:
        kinds.setdefault(_OTHER if item.category is None else item.category.value, []).append(line)
    return "".join(f"\n## {kind}\n\n" + "\n".join(lines) + "\n" for kind, lines in kinds.items())
