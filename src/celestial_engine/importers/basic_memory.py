"""basic-memory: a folder of Markdown notes with front matter, `- [category] observation` and `- relation [[Note]]`.

A note becomes one memory with its title and prose. Each observation becomes a child memory. Relations link the note
to other notes and are imported as triples.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.core.patterns import compiled
from celestial_engine.importers import values
from celestial_engine.importers.reading import UnusableEntry, open_source

NAME = "basic-memory"
_MAX_NOTES = 100_000
_MAX_NOTE_BYTES = 1 << 20
_OBSERVATION = r"\s*[-*] \[([^\[\]\n]{1,50})\] (.+)"
_RELATION = r"\s*[-*] (.{0,100}?)\s*\[\[([^\[\]\n|]{1,200})(?:\|[^\[\]\n]*)?\]\](?:\s*\([^\n]*\))?\s*"
_TAG = r"(?<!\S)#([\w/-]+)"
_SECTION_HEADING = r"(?m)^#+ *(?:Observations|Relations)[ \t]*$\n?"
_TIMES = ("created", "date", "modified", "updated")
_CHECKBOXES = ("x", "X", "-", " ")


@dataclass(frozen=True)
class _Note:
    path: str  # relative to the imported folder
    title: str
    front: dict[str, Any]
    prose: str
    observations: tuple[tuple[str, str], ...]
    relations: tuple[tuple[str, str], ...]

    @property
    def permalink(self) -> str:
        return values.name(self.front.get("permalink")) or self.path.removesuffix(".md")


def has_notes(path: str) -> bool:
    return next(note_files(path), None) is not None


def read(path: str) -> Iterator[ImportedRecord | UnusableEntry]:
    names: dict[str, str] = {}
    for note in _notes(path):
        if isinstance(note, _Note):
            names |= {name.casefold(): note.permalink for name in (note.title, note.permalink)}
    for note in _notes(path):
        if isinstance(note, UnusableEntry):
            yield note
        else:
            yield from _note_records(note, names)


def _note_records(note: _Note, names: dict[str, str]) -> Iterator[ImportedRecord | UnusableEntry]:
    front, tags = note.front, values.names(note.front.get("tags"))
    created = values.parse_time(front.get("created") or front.get("date"))
    changed = values.parse_time(front.get("modified") or front.get("updated"))
    used = {key for key in _TIMES if values.parse_time(front.get(key)) is not None} | {"tags"}
    metadata = {key: value for key, value in front.items() if key not in used}
    related = [names[target.casefold()] for _, target in note.relations if target.casefold() in names]
    yield ImportedRecord(
        NAME,
        note.permalink,
        f"{note.title}\n\n{note.prose}" if note.prose else note.title,
        note.path,
        created,
        changed,
        tags=tags,
        related=tuple(related),
        triples=tuple((note.title, verb, target) for verb, target in note.relations),
        metadata={**metadata, "file": note.path},
    )
    for category, observation in note.observations:
        yield ImportedRecord(
            NAME,
            f"{note.permalink}\n{category}\n{observation}",
            f"{note.title} ({category}): {compiled(_TAG).sub('', observation).strip() or observation}",
            note.path,
            created,
            changed,
            category=values.category(category.casefold()),
            tags=tuple(dict.fromkeys((category, *compiled(_TAG).findall(observation), *tags))),
            parent=note.permalink,
            metadata={"file": note.path},
        )


def _notes(path: str) -> Iterator[_Note | UnusableEntry]:
    root = path if os.path.isdir(path) else os.path.dirname(path)
    for file in note_files(path):
        within = os.path.relpath(file, root).replace(os.sep, "/")
        with open_source(file) as stream:
            data = stream.read(_MAX_NOTE_BYTES + 1)
        if len(data) > _MAX_NOTE_BYTES:
            yield UnusableEntry(within, "too_long")
            continue
        try:
            text = data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            yield UnusableEntry(within, "unreadable")
            continue
        yield _note(within, text) if text.strip() else UnusableEntry(within, "no_text")


def note_files(path: str) -> Iterator[str]:
    """Yield the notes of a folder and its subfolders, without hidden files and symbolic links."""
    if os.path.isfile(path):
        yield path
        return
    count = 0
    for folder, folders, files in os.walk(path, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            file = os.path.join(folder, name)
            if name.endswith(".md") and not name.startswith(".") and not os.path.islink(file):
                yield file
                count += 1
                if count >= _MAX_NOTES:
                    return


def _note(path: str, text: str) -> _Note:
    front, body = _front_matter(text)
    prose, observations, relations = [], [], []
    fenced = False
    for line in body.split("\n"):
        fenced ^= line.lstrip().startswith("```")
        relation = None if fenced else compiled(_RELATION).fullmatch(line)
        observation = None if fenced else compiled(_OBSERVATION).fullmatch(line)
        if observation and observation[1] not in _CHECKBOXES and not observation[2].startswith("("):
            observations.append((observation[1].strip(), observation[2].strip()))
        elif relation:
            relations.append((relation[1].strip() or "relates to", relation[2].strip()))
        else:
            prose.append(line)
    body_text = compiled(_SECTION_HEADING).sub("", "\n".join(prose)).strip()
    heading = compiled(r"# +(.+)").match(body_text)
    explicit_title = values.name(front.get("title")) or (values.name(heading[1]) if heading else None)
    title = explicit_title or os.path.basename(path).removesuffix(".md")
    if heading and heading[1].strip() == title:
        body_text = body_text[heading.end() :].strip()
    return _Note(path, title, front, body_text, tuple(observations), tuple(relations))


def _front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Parse `key: value` lines and lists between the dashes; any other YAML stays text."""
    block = compiled(r"(?s)---[ \t]*\n(.*?)\n---[ \t]*(?:\n|$)").match(text)
    if block is None:
        return {}, text
    front: dict[str, Any] = {}
    last = ""
    for line in block[1].split("\n"):
        entry = compiled(r"\s*- (.+)").fullmatch(line)
        pair = compiled(r"([\w .-]{1,100}):(?:\s+(.*))?").fullmatch(line.rstrip())
        if entry and last:
            listed = front[last] if isinstance(front[last], list) else []
            front[last] = [*listed, _strip_quotes(entry[1])]
        elif pair:
            last = pair[1].strip()
            front[last] = _value(pair[2] or "")
    return front, text[block.end() :]


def _value(text: str) -> Any:
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return [_strip_quotes(part) for part in text[1:-1].split(",") if part.strip()]
    return _strip_quotes(text)


def _strip_quotes(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
