"""Reading what somebody else wrote: files are untrusted, so everything is bounded, and what is broken is told."""

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
# damaged, cut off, packed in an unknown way, encrypted
_BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
_BETWEEN = r'["{}\[\]]'
_IN_TEXT = r'(?s)\\.|"'


@dataclass(frozen=True)
class Garbage:
    """Something in a source that is no memory: where it stands and a word for why."""

    where: str
    reason: str


class UnreadableError(Exception):
    """A part of a source that cannot be read; the reason is one word."""


def parsed(text: str | bytes) -> Any:
    """JSON, or UnreadableError."""
    try:
        return json.loads(text)
    except RecursionError:
        raise UnreadableError("too_deep") from None
    except ValueError:  # UnicodeDecodeError, too
        raise UnreadableError("not_json") from None


def lines(path: str) -> Iterator[tuple[int, bytes | None]]:
    """The lines of a file with their numbers, without blank ones; None for one that is too long to be read."""
    with opened(path) as stream:
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
    """Every line of a JSONL file as (where, value); a line that cannot be read as (where, Garbage)."""
    for number, line in lines(path):
        where = f"line {number}"
        try:
            yield where, Garbage(where, "too_long") if line is None else parsed(line)
        except UnreadableError as error:
            yield where, Garbage(where, str(error))


def document(path: str) -> Any:
    """A whole JSON document that is not a list of many."""
    with opened(path) as stream:
        data = stream.read(MOST_DOCUMENT_BYTES + 1)
    if len(data) > MOST_DOCUMENT_BYTES:
        raise ImportSourceError(path, Reason.DOCUMENT_TOO_LARGE, most=MOST_DOCUMENT_BYTES >> 20)
    try:
        return parsed(data.removeprefix(b"\xef\xbb\xbf"))
    except UnreadableError as error:
        raise ImportSourceError(path, _WHY[str(error)]) from None


def elements(path: str, member: str | None = None) -> Iterator[tuple[str, Any]]:
    """The elements of a JSON list one by one, as `json_lines` gives lines, however long the list is."""
    with opened(path, member) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace")
        for number, element in enumerate(_split(text), 1):
            where = f"element {number}"
            try:
                if element is None:
                    raise UnreadableError("too_long")
                yield where, parsed(element)
            except UnreadableError as error:
                yield where, Garbage(where, str(error))


@contextmanager
def opened_text(path: str) -> Iterator[IO[str]]:
    """A table: in UTF-8, in UTF-16 with its mark, or as Excel writes it on a Korean Windows."""
    with opened(path) as stream, io.TextIOWrapper(stream, _encoding_of(path), "replace", newline="") as text:
        yield text


def _encoding_of(path: str) -> str:
    with opened(path) as stream:
        if stream.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return "utf-16"
        return next((name for name in ("utf-8-sig", "cp949") if _is_written_in(stream, name)), "utf-8-sig")


def _is_written_in(stream: IO[bytes], encoding: str) -> bool:
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
def opened(path: str, member: str | None = None) -> Iterator[IO[bytes]]:
    """A file, or what a zip holds under a name; a folder or a missing file is told as what it is."""
    try:
        if member is None:
            with open(path, "rb") as stream:
                yield stream
        else:
            with zipfile.ZipFile(path) as packed, packed.open(member) as inside:
                yield io.BufferedReader(_Unpacked(inside, path))
    except OSError as error:
        raise ImportSourceError(path, os_problem(error)) from error
    except _BROKEN_ZIP as error:
        raise ImportSourceError(path, Reason.ZIP_UNREADABLE, cause=str(error)) from error


class _Unpacked(io.RawIOBase):
    """What comes out of a zip, counted: a bomb ends here and not on the disk or in memory."""

    def __init__(self, stream: IO[bytes], path: str) -> None:
        self._stream, self._path, self._read = stream, path, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer))
        self._read += len(data)
        if self._read > MOST_UNPACKED_BYTES:
            raise ImportSourceError(self._path, Reason.UNPACKS_TOO_LARGE, most=MOST_UNPACKED_BYTES >> 30)
        buffer[: len(data)] = data
        return len(data)


def _split(stream: IO[str]) -> Iterator[str | None]:
    """The texts of those elements of a list that are objects or lists; None for one too long or too deep to be read.

    Only brackets and quotes are looked at: nothing recurses, and no more than one element is held.
    """
    depth, quoted, lost, size = 0, False, False, 0
    kept: list[str] = []
    while chunk := _whole_escapes(stream):
        start = place = 0
        while found := compiled(_IN_TEXT if quoted else _BETWEEN).search(chunk, place):
            sign, place = found.group(), found.end()
            if sign == '"':
                quoted = not quoted
            elif sign in "{[":
                depth += 1
                if depth == 2:
                    start, size, lost = found.start(), 0, False
                    kept.clear()
                lost = lost or depth > MOST_DEPTH
            elif sign in "}]":
                depth -= 1
                if depth == 1:
                    yield None if lost else "".join((*kept, chunk[start:place]))
                    kept.clear()
                elif depth < 1:
                    return
        if depth > 1:
            size += len(chunk) - start
            lost = lost or size > MOST_DOCUMENT_BYTES
            if lost:
                kept.clear()
            else:
                kept.append(chunk[start:])
    if depth > 1:
        yield None if lost else "".join(kept)  # cut off in the middle: told as what it is


def _whole_escapes(stream: IO[str]) -> str:
    """A piece of a text that does not end between a backslash and what it escapes."""
    chunk = stream.read(_CHUNK)
    while chunk.endswith("\\") and (more := stream.read(1)):
        chunk += more
    return chunk


def member_named(path: str, names: str) -> list[str]:
    """The members of a zip whose own name (without folders) matches a pattern; nothing is unpacked."""
    try:
        with zipfile.ZipFile(path) as packed:
            return sorted(name for name in packed.namelist() if compiled(names).fullmatch(os.path.basename(name)))
    except (zipfile.BadZipFile, OSError):
        return []


_WHY = {
    "not_json": problem(None, Reason.NOT_JSON_DOCUMENT),
    "too_deep": problem(None, Reason.TOO_DEEP, most=MOST_DEPTH),
}
