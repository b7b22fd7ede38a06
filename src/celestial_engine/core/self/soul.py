"""SOUL.md: renders the approved self as a page that people edit, and parses their edits.

Every entry has its id and a short digest of its text. An entry whose digest does not match was edited, one
without an id is new, and a missing one was deleted.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.retrieval.framing import escape_for_prompt
from celestial_engine.core.self.islands import Island
from celestial_engine.core.self.self_state import Self
from celestial_engine.errors import Problem, Reason, problem

ISLANDS, BELIEFS, MEMORIES = "## Personality Islands", "## Sense of Self", "## Core Memories"
_SECTIONS = (ISLANDS, BELIEFS, MEMORIES)
_MOST_QUOTED = 300
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,}"
_HEADER = "<!-- celestial: the self, version {version}. Your edits are read with `celestial soul read`. -->"
_VERSION = r"<!-- celestial: the self, version (\d+)\."
_MARK = r"(?<!\s)\s*<!-- ([\w-]+) ([0-9a-f]{6}) -->\s*$"
_CONFLICT = r"^(?:<{7}|>{7})(?:\s|$)"


class NotASoulError(ValueError):
    """The text is not a valid SOUL.md; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True)
class IslandEntry:
    id: str | None
    title: str
    description: str
    founders: tuple[str, ...]  # references
    edited: bool = True

    @property
    def emoji_and_name(self) -> tuple[str, str]:
        """Splits the title; a first word without letters is the emoji."""
        first, _, rest = self.title.partition(" ")
        return (first, rest.strip()) if rest and not compiled(r"[^\W_]").search(first) else ("", self.title)


@dataclass(frozen=True)
class LineEntry:
    """A belief with its id, or a core memory with its reference."""

    id: str | None
    text: str
    edited: bool = True


@dataclass(frozen=True)
class SoulPage:
    """A parsed SOUL.md."""

    version: int | None
    islands: tuple[IslandEntry, ...]
    beliefs: tuple[LineEntry, ...]
    memories: tuple[LineEntry, ...]
    notes: str  # sections that the user added

    @property
    def ids(self) -> frozenset[str]:
        ids = [*(entry.id for entry in self.islands), *(entry.id for entry in self.beliefs)]
        return frozenset(part_id for part_id in ids if part_id is not None)

    def is_edited(self, base: frozenset[str]) -> bool:
        """Whether the user edited it; `base` are the ids of the version it was rendered from."""
        lines = (*self.beliefs, *self.memories)
        edited = any(entry.edited for entry in self.islands) or any(entry.edited for entry in lines)
        return edited or bool(base - self.ids)


def reference(item_id: str) -> str:
    short = item_id[:8] if compiled(_UUID).fullmatch(item_id) else _digest(item_id)[:8]
    return f"M0-{short}"


def page_digest(text: str) -> str:
    return _digest(text)


def render(present: Self, core: Sequence[CelestialItem], version: int, notes: str = "") -> str:
    """Renders the page; deterministic for the same self."""
    quoted = {item.id: _quoted(item) for item in core}
    lines = ["# SOUL", "", _HEADER.format(version=version), "", ISLANDS, ""]
    for island in present.islands:
        lines += [*_island_lines(island, quoted), ""]
    lines += [BELIEFS, ""]
    names = {island.id: _title(island) for island in present.islands}
    for belief in present.beliefs:
        statement = escape_for_prompt(belief.statement)
        lines.append(f"- {statement}{_mark(belief.id, statement)}")
        lines.append(f"  - Confidence: {belief.confidence:.2f}")
        if belief.island in names:
            lines.append(f"  - Island: {names[belief.island]}")
        lines += [f"  - Held up by: {reference(item_id)}" for item_id in belief.supports if item_id in quoted]
    lines += [*([""] if present.beliefs else []), MEMORIES, ""]
    for item in core:
        quote = quoted[item.id]
        lines.append(f'- {reference(item.id)}: "{quote}"{_mark("m", quote)}')
    text = "\n".join(lines).rstrip() + "\n"
    return f"{text}\n{notes.strip()}\n" if notes.strip() else text


def _island_lines(island: Island, quoted: Mapping[str, str]) -> list[str]:
    title, description = _title(island), escape_for_prompt(island.description)
    quoted_founders = [item_id for item_id in island.founders if item_id in quoted]
    founders = tuple(reference(item_id) for item_id in quoted_founders)
    lines = [f"### {title}{_mark(island.id, _island_digest_text(title, description, founders))}"]
    lines += [description] if description else []
    lines += [f'- Founded by: {reference(item_id)} ("{quoted[item_id]}")' for item_id in quoted_founders]
    return [*lines, f"- Strength: {island.strength:.2f}", f"- Status: {island.status.value}"]


def parse_soul(text: str) -> SoulPage:
    """Parses a page. Unknown sections are kept as notes."""
    if compiled(_CONFLICT, re.MULTILINE).search(text):
        line = next(n for n, content in enumerate(text.splitlines(), 1) if compiled(_CONFLICT).match(content))
        raise NotASoulError(problem(None, Reason.SOUL_CONFLICT, line=line))
    version = compiled(_VERSION).search(text)
    sections = _sections(text)
    if not any(heading in sections for heading in _SECTIONS):
        raise NotASoulError(problem(None, Reason.SOUL_SECTIONS))
    notes = "\n\n".join(f"{heading}\n{body}".strip() for heading, body in sections.items()
                        if heading not in _SECTIONS and heading)  # fmt: skip
    return SoulPage(
        int(version.group(1)) if version else None,
        tuple(_islands(sections.get(ISLANDS, ""))),
        tuple(_beliefs(sections.get(BELIEFS, ""))),
        tuple(_memories(sections.get(MEMORIES, ""))),
        notes,
    )


def _sections(text: str) -> dict[str, str]:
    sections: dict[str, list[str]] = {"": []}
    heading = ""
    for line in text.splitlines():
        if line.startswith("## "):
            heading = line.strip()
            sections.setdefault(heading, [])
        else:
            sections[heading].append(line)
    return {heading: "\n".join(body) for heading, body in sections.items()}


def _islands(body: str) -> list[IslandEntry]:
    entries = []
    for block in compiled(r"^### ", re.MULTILINE).split(body)[1:]:
        heading, *rest = block.splitlines()
        title, island_id, mark = _split_mark(heading)
        founders = tuple(compiled(r"^- Founded by:\s*(M0-\w+)", re.MULTILINE).findall(block))
        description = " ".join(line.strip() for line in rest if line.strip() and not line.startswith("- "))
        edited = island_id is None or mark != _short(_island_digest_text(title, description, founders))
        entries.append(IslandEntry(island_id, title, description, founders, edited))
    return entries


def _beliefs(body: str) -> list[LineEntry]:
    entries = []
    for line in compiled(r"^- (.+)$", re.MULTILINE).findall(body):
        statement, belief_id, mark = _split_mark(line)
        if statement:
            entries.append(LineEntry(belief_id, statement, belief_id is None or mark != _short(statement)))
    return entries


def _memories(body: str) -> list[LineEntry]:
    entries = []
    for line in compiled(r"^- (M0-.+)$", re.MULTILINE).findall(body):
        content, _, mark = _split_mark(line)
        parts = compiled(r'(M0-\w+):\s*"(.*)"').fullmatch(content)
        if parts:
            entries.append(LineEntry(parts.group(1), parts.group(2), mark != _short(parts.group(2))))
    return entries


def _title(island: Island) -> str:
    return escape_for_prompt(f"{island.emoji} {island.name}".strip())


def _island_digest_text(title: str, description: str, founders: Sequence[str]) -> str:
    return "\n".join((title, description, *sorted(founders)))


def _quoted(item: CelestialItem) -> str:
    text = escape_for_prompt(item.content)
    return text if len(text) <= _MOST_QUOTED else f"{text[:_MOST_QUOTED]}…"


def _mark(part_id: str, text: str) -> str:
    return f" <!-- {part_id} {_short(text)} -->"


def _split_mark(line: str) -> tuple[str, str | None, str | None]:
    match = compiled(_MARK).search(line)
    return (line.strip(), None, None) if match is None else (line[: match.start()].strip(), match[1], match[2])


def _short(text: str) -> str:
    return _digest(text)[:6]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
