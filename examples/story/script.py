"""The script: what is said and done on each day, read from plain text.

`# 7 22:00 title` begins a day, `name: words` is a turn, `[label]` at its end names the memory that comes of it,
`[?]` is a question whose answer is told, `[<label]` a reply that a memory was thought of for,
`~ words` are told by nobody, and `- deed | ...` is something that the user does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import time
from importlib.resources import files

PARTS = ("days_1.txt", "days_2.txt", "days_3.txt")
_DAY = re.compile(r"# (\d+) (\d\d):(\d\d) (.+)")
_TURN = re.compile(r"([^:\[\]]{1,20}): (.+?)(?: \[(\S+)\])?")


@dataclass(frozen=True)
class Spoken:
    who: str
    words: str
    label: str | None = None


@dataclass(frozen=True)
class Aside:
    words: str


@dataclass(frozen=True)
class Deed:
    """The first word or two say which; the rest is between bars."""

    name: str
    given: tuple[str, ...]


@dataclass(frozen=True)
class Day:
    number: int
    at: time
    title: str
    acts: tuple[Spoken | Aside | Deed, ...]


def days() -> list[Day]:
    """The whole story, in order."""
    folder = files(__package__ or __name__.rpartition(".")[0])
    return list(read("\n".join(folder.joinpath(part).read_text(encoding="utf-8") for part in PARTS)))


def read(text: str) -> Iterator[Day]:
    """The days of a script; a line that is none of its kinds raises ValueError."""
    number, at, title, acts = 0, time(), "", list[Spoken | Aside | Deed]()
    for line in text.splitlines():
        begun = _DAY.fullmatch(line)
        if begun is not None:
            if number:
                yield Day(number, at, title, tuple(acts))
            number, at, title, acts = int(begun[1]), time(int(begun[2]), int(begun[3])), begun[4], []
        elif line.strip():
            acts.append(_act(line))
    if number:
        yield Day(number, at, title, tuple(acts))


DEEDS = (
    "코어",
    "섬 받기",
    "섬",
    "믿음 받기",
    "믿음 다시",
    "믿음",
    "고쳐 부르기",
    "나머지 거절",
    "지우기",
    "상상",
    "자아",
)


def _act(line: str) -> Spoken | Aside | Deed:
    if line.startswith("~ "):
        return Aside(line[2:])
    if line.startswith("- "):
        name = next((deed for deed in DEEDS if line[2:] == deed or line[2:].startswith(f"{deed} ")), None)
        if name is not None:
            return Deed(name, tuple(part.strip() for part in line[2 + len(name) :].split("|")))
    said = _TURN.fullmatch(line)
    if said is None:
        raise ValueError(f"nobody says and nobody does: {line!r}")
    return Spoken(said[1], said[2], said[3])
