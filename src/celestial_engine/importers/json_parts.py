"""Split a JSON text of any size into its parts: only one part is held in memory, and nothing recurses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from celestial_engine.core.patterns import compiled

MOST_PART = 256 << 20  # characters
MOST_DEPTH = 200
_CHUNK = 1 << 20
_MOST_NAME = 200  # characters of a string of the outermost object; no field that is looked for is longer
_NESTED, _SEPARATED = r'["{}\[\]]', r'["{}\[\],]'
_STRING_END = r'(?s)\\.|"'


@dataclass(frozen=True)
class Element:
    """An element of a list: the name of the list, and its text; None if it is too long or too deep."""

    name: str
    text: str | None


@dataclass(frozen=True)
class Word:
    """A string of the outermost object: a field's name, or its value. `opens` if a list with that name begins."""

    text: str
    opens: bool = False


def split_list(stream: IO[str]) -> Iterator[str | None]:
    """Yield the text of each element of a JSON list; None for one that is too long or too deep."""
    return (part.text for part in _split(stream, 1) if isinstance(part, Element))


def split_object(stream: IO[str]) -> Iterator[Element | Word]:
    """Yield the elements of every list that is a field of a JSON object, and the object's own strings."""
    return _split(stream, 2)


def _split(stream: IO[str], level: int) -> Iterator[Element | Word]:
    """Scan brackets, quotes and, between elements, commas. Elements are those of lists `level` brackets deep."""
    depth, quoted, listed, name = 0, False, False, ""
    word: list[str] | None = None  # the pieces of a string of the outermost object that is being read
    element = _Pieces()
    while chunk := _read_chunk(stream):
        position = start = begin = 0
        while match := compiled(_pattern(quoted, listed and depth == level)).search(chunk, position):
            character, position = match.group(), match.end()
            if character == '"':
                quoted = not quoted
                if quoted and depth == 1 < level:
                    word, begin = [], position
                elif word is not None:
                    name = "".join((*word, chunk[begin : match.start()]))[:_MOST_NAME]
                    yield Word(name)
                    word = None
            elif character in "{[":
                depth += 1
                if depth == level:
                    listed, start = character == "[", position
                    if listed and level > 1:
                        yield Word(name, opens=True)
                element.deep = element.deep or (listed and depth > MOST_DEPTH)
            elif character in "}],":
                if listed and depth == level:
                    if (text := element.ended(chunk[start : match.start()])) != "":
                        yield Element(name, text)
                    start = position
                depth -= character != ","
                listed = listed and depth >= level
                if depth < 1:
                    return
        if word is not None:
            word.append(chunk[begin : begin + _MOST_NAME])
        if listed:
            element.add(chunk[start:])
    if listed and (text := element.ended("")) != "":
        yield Element(name, text)  # cut off: the caller's parser reports it


class _Pieces:
    """The text of an element, which may stand in several chunks."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._size = 0
        self.deep = False

    def add(self, piece: str) -> None:
        self._size += len(piece)
        if self.deep or self._size > MOST_PART:
            self._pieces.clear()
        else:
            self._pieces.append(piece)

    def ended(self, piece: str) -> str | None:
        """The element's text, without the space around it; None if it is too long or too deep."""
        self.add(piece)
        text = None if self.deep or self._size > MOST_PART else "".join(self._pieces).strip()
        self._pieces.clear()
        self._size, self.deep = 0, False
        return text


def _pattern(quoted: bool, between: bool) -> str:
    return _STRING_END if quoted else _SEPARATED if between else _NESTED


def _read_chunk(stream: IO[str]) -> str:
    """Read a chunk that does not end between a backslash and the character it escapes."""
    chunk = stream.read(_CHUNK)
    while chunk.endswith("\\") and (more := stream.read(1)):
        chunk += more
    return chunk
