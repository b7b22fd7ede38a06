"""Memories as Markdown notes with front matter, which people, Obsidian and basic-memory can read."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

from celestial_engine.core.record.forgetting import Protection
from celestial_engine.core.record.item import CelestialItem

MARK = "celestial"  # the field of the front matter that tells our notes from others
_FRONT = re.compile(r"---[ \t]*\n(.*?)\n---[ \t]*(?:\n|$)", re.DOTALL)
_PAIR = re.compile(r"([\w.-]{1,100}):(?:[ \t]+(.*))?")
_TITLE_LENGTH = 60
_LONGEST_NUMBER = 40  # more digits are a text
_PLAIN = re.compile(r"[\w./ :+-]+")
_TIMES = ("Z", "+00:00")


@dataclass(frozen=True)
class Note:
    """A note: its front matter as plain values, and the text below it."""

    front: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""

    @property
    def is_ours(self) -> bool:
        return self.front.get(MARK) == "memory"

    @property
    def item_id(self) -> str | None:
        value = self.front.get("id")
        return value if isinstance(value, str) and value else None

    @property
    def tags(self) -> tuple[str, ...]:
        value = self.front.get("tags", [])
        return tuple(str(tag) for tag in (value if isinstance(value, list) else [value]) if str(tag).strip())


def note_of(item: CelestialItem) -> Note:
    """The note of a memory; what a note has no place for is left out."""
    front: dict[str, Any] = {
        MARK: "memory",
        "id": item.id,
        "title": title_of(item.content),
        "type": "memory",
        "created": datetime.fromtimestamp(item.created_at, timezone.utc).isoformat().replace(_TIMES[1], _TIMES[0]),
    }
    if item.category is not None:
        front["category"] = item.category.value
    if item.tags:
        front["tags"] = list(item.tags)
    front["importance"] = round(item.arbitrary_importance, 4)
    if item.protection is not Protection.NONE:
        front["protection"] = item.protection.value
    if item.validity.until is not None:
        front["superseded_by"] = item.validity.superseded_by
    return Note(front, item.content)


def written(note: Note) -> str:
    """The note as text. A text that begins or ends with white space is kept by an empty line on either side."""
    lines = [f"{name}: {_value_text(value)}" for name, value in note.front.items()]
    return "\n".join(["---", *lines, "---", "", note.text, ""])


def read_note(text: str) -> Note:
    """The inverse of `written`; any other Markdown is a note without our mark."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    block = _FRONT.match(text)
    if block is None:
        return Note({}, text.strip())
    front = {}
    for line in block[1].split("\n"):
        pair = _PAIR.fullmatch(line.rstrip())
        if pair:
            front[pair[1]] = _value(pair[2] or "")
    body = text[block.end() :]
    return Note(front, body.removeprefix("\n").removesuffix("\n"))


def title_of(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TITLE_LENGTH else line[: _TITLE_LENGTH - 1].rstrip() + "…"


def file_name_of(item: CelestialItem) -> str:
    """A name for people with the beginning of the id, safe on every system."""
    words = re.sub(r"[^\w]+", "-", title_of(item.content)).strip("-")[:40].strip("-")
    short = re.sub(r"[^\w-]", "", item.id)[:8] or "memory"
    return f"{words or 'memory'}-{short}.md"


def _value_text(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_quoted(str(one)) for one in value) + "]"
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    """Quoted as JSON (which YAML reads too) unless it is plain."""
    plain = _PLAIN.fullmatch(text) and text == text.strip() and ": " not in text and _value(text) == text
    return text if plain else json.dumps(text, ensure_ascii=False)


def _value(text: str) -> Any:
    text = text.strip()
    if text.startswith("["):
        try:
            return json.loads(text, parse_constant=_no_number)
        except (ValueError, RecursionError):
            pass
        if text.endswith("]"):
            return [_scalar(part.strip()) for part in _split(text[1:-1])]
    return _scalar(text)


def _scalar(text: str) -> Any:
    if text.startswith('"'):
        try:
            return json.loads(text)
        except ValueError:
            pass
    if len(text) <= _LONGEST_NUMBER and re.fullmatch(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", text):
        return json.loads(text) if not re.fullmatch(r"-?0\d.*", text) else text
    return {"true": True, "false": False, "null": None, "": ""}.get(text, text.strip("'"))


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is a word")


def _split(text: str) -> list[str]:
    """The entries of a list in one line; a comma in quotes separates nothing."""
    return [part for part in re.findall(r'\s*("(?:[^"\\]|\\.)*"|[^,]+)', text) if part.strip()]
