"""Read untrusted files: every size is bounded, and unreadable parts are reported."""

from __future__ import annotations

import codecs
import io
import json
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

from celestial_engine.core.patterns import compiled
from celestial_engine.errors import ImportSourceError, Reason, os_problem, problem

MOST_LINE_BYTES = 8 << 20
MOST_DOCUMENT_BYTES = 256 << 20
MOST_UNPACKED_BYTES = 4 << 30
MOST_DEPTH = 200
_CHUNK = 1 << 20
# damaged, truncated, unknown compression, encrypted
_BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
_STRUCTURE = r'["{}\[\]]'
_STRING_END = r'(?s)\\.|"'


@dataclass(frozen=True)
class UnusableEntry:
    """An entry of a source that is not a memory: its location and a reason code."""

    where: str
    reason: str


class UnreadableError(Exception):
    """A part of a source cannot be read; the message is the reason code."""


def parse_json(text: str | bytes) -> Any:
    """Parse JSON; raises UnreadableError."""
    try:
        return json.loads(text)
    except RecursionError:
        raise UnreadableError("too_deep") from None
    except ValueError:  # includes UnicodeDecodeError
        raise UnreadableError("not_json") from None


def lines(path: str) -> Iterator[tuple[int, bytes | None]]:
    """Yield (number, line) without blank lines; the line is None if it is too long."""
    with open_source(path) as stream:
        number = 0
        while line := stream.readline(MOST_LINE_BYTES + 1):
            number += 1
            if len(line) > MOST_LINE_BYTES:
                while line and not line.endswith(b"\n"):
                    line = stream.readline(MOST_LINE_BYTES)
                yield number, None
            elif line.strip():
                yield number, line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line


def json_lines(path: str) -> Iterator[tuple[str, Any]]:
    """Yield (location, value) for every line of a JSONL file; the value of an unreadable line is Garbage."""
    for number, line in lines(path):
        where = f"line {number}"
        try:
            yield where, UnusableEntry(where, "too_long") if line is None else parse_json(line)
        except UnreadableError as error:
            yield where, UnusableEntry(where, str(error))


def document(path: str) -> Any:
    """Read a whole JSON document into memory; for long lists use `elements`."""
    with open_source(path) as stream:
        data = stream.read(MOST_DOCUMENT_BYTES + 1)
    if len(data) > MOST_DOCUMENT_BYTES:
        raise ImportSourceError(path, Reason.DOCUMENT_TOO_LARGE, most=MOST_DOCUMENT_BYTES >> 20)
    try:
        return parse_json(data.removeprefix(b"\xef\xbb\xbf"))
    except UnreadableError as error:
        raise ImportSourceError(path, _PROBLEMS[str(error)]) from None


def elements(path: str, member: str | None = None) -> Iterator[tuple[str, Any]]:
    """Yield (location, value) for every element of a JSON list, without reading the whole list into memory."""
    with open_source(path, member) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace")
        for number, element in enumerate(_split_elements(text), 1):
            where = f"element {number}"
            try:
                if element is None:
                    raise UnreadableError("too_long")
                yield where, parse_json(element)
            except UnreadableError as error:
                yield where, UnusableEntry(where, str(error))


@contextmanager
def open_table(path: str) -> Iterator[IO[str]]:
    """Open a table in UTF-8, UTF-16 with a byte order mark, or cp949 (Excel on Korean Windows)."""
    with open_source(path) as stream, io.TextIOWrapper(stream, _encoding_of(path), "replace", newline="") as text:
        yield text


def _encoding_of(path: str) -> str:
    with open_source(path) as stream:
        if stream.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return "utf-16"
        return next((name for name in ("utf-8-sig", "cp949") if _decodes_as(stream, name)), "utf-8-sig")


def _decodes_as(stream: IO[bytes], encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    stream.seek(0)
    try:
        while chunk := stream.read(_CHUNK):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


@contextmanager
def open_source(path: str, member: str | None = None) -> Iterator[IO[bytes]]:
    """Open a file, or a member of a zip; raises ImportSourceError if it cannot be read."""
    try:
        if member is None:
            with open(path, "rb") as stream:
                yield stream
        else:
            with zipfile.ZipFile(path) as packed, packed.open(member) as inside:
                yield io.BufferedReader(_BoundedMember(inside, path))
    except OSError as error:
        raise ImportSourceError(path, os_problem(error)) from error
    except _BROKEN_ZIP as error:
        raise ImportSourceError(path, Reason.ZIP_UNREADABLE, cause=str(error)) from error


class _BoundedMember(io.RawIOBase):
    """A zip member with a limit on its unpacked size, against zip bombs."""

    def __init__(self, stream: IO[bytes], path: str) -> None:
        self._stream, self._path, self._bytes_read = stream, path, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer))
        self._bytes_read += len(data)
        if self._bytes_read > MOST_UNPACKED_BYTES:
            raise ImportSourceError(self._path, Reason.UNPACKS_TOO_LARGE, most=MOST_UNPACKED_BYTES >> 30)
        buffer[: len(data)] = data
        return len(data)


def _split_elements(stream: IO[str]) -> Iterator[str | None]:
    """Yield the text of each object or list in a JSON list; None for an element too long or too deep.

    Only brackets and quotes are scanned: no recursion, and only one element is held in memory.
    """
    depth, quoted, unreadable, size = 0, False, False, 0
    pieces: list[str] = []
    while chunk := _read_chunk(stream):
        start = position = 0
        while match := compiled(_STRING_END if quoted else _STRUCTURE).search(chunk, position):
            character, position = match.group(), match.end()
            if character == '"':
                quoted = not quoted
            elif character in "{[":
                depth += 1
                if depth == 2:
                    start, size, unreadable = match.start(), 0, False
                    pieces.clear()
                unreadable = unreadable or depth > MOST_DEPTH
            elif character in "}]":
                depth -= 1
                if depth == 1:
                    yield None if unreadable else "".join((*pieces, chunk[start:position]))
                    pieces.clear()
                elif depth < 1:
                    return
        if depth > 1:
            size += len(chunk) - start
            unreadable = unreadable or size > MOST_DOCUMENT_BYTES
            if unreadable:
                pieces.clear()
            else:
                pieces.append(chunk[start:])
    if depth > 1:
        yield None if unreadable else "".join(pieces)  # truncated: the caller's parser reports it


def _read_chunk(stream: IO[str]) -> str:
    """Read a chunk that does not end between a backslash and the character it escapes."""
    chunk = stream.read(_CHUNK)
    while chunk.endswith("\\") and (more := stream.read(1)):
        chunk += more
    return chunk


def zip_members(path: str, names: str) -> list[str]:
    """The members of a zip whose base name matches a pattern; nothing is unpacked."""
    try:
        with zipfile.ZipFile(path) as packed:
            return sorted(name for name in packed.namelist() if compiled(names).fullmatch(os.path.basename(name)))
    except (zipfile.BadZipFile, OSError):
        return []


_PROBLEMS = {
    "not_json": problem(None, Reason.NOT_JSON_DOCUMENT),
    "too_deep": problem(None, Reason.TOO_DEEP, most=MOST_DEPTH),
}
