"""Read untrusted files: every size is bounded, and unreadable parts are reported."""

from __future__ import annotations

import codecs
import io
import json
import os
import zipfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

from celestial_engine.core.patterns import compiled
from celestial_engine.errors import ImportSourceError, Reason, os_problem, problem
from celestial_engine.importers.json_parts import MOST_DEPTH, Element, split_list, split_object

MOST_LINE_BYTES = 8 << 20
MOST_DOCUMENT_BYTES = 256 << 20
MOST_UNPACKED_BYTES = 4 << 30
_CHUNK = 1 << 20
_SAMPLE = 20  # elements of a list that tell what it holds
_MOST_FIELDS = 1000
# damaged, truncated, unknown compression, encrypted
_BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


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
    """Read a whole JSON document into memory; for long lists use `elements` or `listed`."""
    with open_source(path) as stream:
        data = stream.read(MOST_DOCUMENT_BYTES + 1)
    if len(data) > MOST_DOCUMENT_BYTES:
        raise ImportSourceError(path, Reason.DOCUMENT_TOO_LARGE, most=MOST_DOCUMENT_BYTES >> 20)
    try:
        return parse_json(data.removeprefix(b"\xef\xbb\xbf"))
    except UnreadableError as error:
        raise ImportSourceError(path, _PROBLEMS[str(error)]) from None


def is_list(path: str) -> bool:
    """Whether a JSON text begins as a list."""
    with open_source(path) as stream:
        return stream.read(64).decode("utf-8-sig", "replace").lstrip().startswith("[")


def elements(path: str, member: str | None = None) -> Iterator[tuple[str, Any]]:
    """Yield (location, value) for every element of a JSON list, without reading the whole list into memory."""
    with open_text(path, member) as stream:
        for number, text in enumerate(split_list(stream), 1):
            yield f"element {number}", _value(text, f"element {number}")


def listed(path: str, names: Collection[str]) -> Iterator[tuple[str, int, Any]]:
    """Yield (name, position, value) for every element of the lists with these names in a JSON object of any size."""
    with open_text(path) as stream:
        positions = dict.fromkeys(names, 0)
        for part in split_object(stream):
            if isinstance(part, Element) and part.name in positions:
                positions[part.name] += 1
                position = positions[part.name]
                yield part.name, position, _value(part.text, f"{part.name}, item {position}")


def outlines(path: str) -> Iterator[dict[str, Any]]:
    """Yield what is known of a JSON object after each of its lists: its strings, and each list's first elements.

    Strings are paired as they stand, so names are keys; a value that is a string is a key as well.
    """
    with open_text(path) as stream:
        found: dict[str, Any] = {}
        before = ""
        for part in split_object(stream):
            if isinstance(part, Element):
                sample = found.get(part.name)
                if isinstance(sample, list) and len(sample) < _SAMPLE:
                    sample.append(_value(part.text, ""))
                    if len(sample) == _SAMPLE:
                        yield found
            elif part.opens:
                found[part.text] = []
            elif len(found) < _MOST_FIELDS:
                found.setdefault(part.text, None)
                if found.get(before, "") is None:
                    found[before] = part.text
                before = part.text
        yield found


@contextmanager
def open_text(path: str, member: str | None = None) -> Iterator[IO[str]]:
    with open_source(path, member) as stream, io.TextIOWrapper(stream, "utf-8-sig", "replace") as text:
        yield text


def _value(text: str | None, where: str) -> Any:
    try:
        return UnusableEntry(where, "too_long") if text is None else parse_json(text)
    except UnreadableError as error:
        return UnusableEntry(where, str(error))


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
