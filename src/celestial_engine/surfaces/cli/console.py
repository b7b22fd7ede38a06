"""Where a command's output goes: lines for people, or one JSON document for programs."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterable
from typing import TextIO

from celestial_engine.surfaces.cli.failures import Failure
from celestial_engine.surfaces.cli.terminal import bar, harmless_json, neutralised, padded
from celestial_engine.surfaces.cli.texts.catalogue import Texts


class Console:
    """Standard output and standard error. What people read is made harmless here, at the last door."""

    def __init__(self, texts: Texts, *, as_json: bool) -> None:
        self.texts = texts
        self.as_json = as_json
        self._out = _opened(sys.stdout)
        self._err = _opened(sys.stderr)

    def say(self, *lines: str) -> None:
        for line in lines:
            self._out.write(neutralised(line) + "\n")

    def verbatim(self, text: str) -> None:
        """A text that is harmless already, for programs and people alike."""
        self._speak_unicode()
        self._out.write(text + "\n")

    def remark(self, line: str) -> None:
        """A line for people beside the output, which may go elsewhere."""
        self._out.flush()
        self._err.write(neutralised(line) + "\n")

    def data(self, value: object) -> None:
        """One JSON document, easy to read."""
        self._speak_unicode()
        self._out.write(harmless_json(value, indent=2) + "\n")

    def records(self, values: Iterable[object]) -> None:
        """One JSON document a line."""
        self._speak_unicode()
        for value in values:
            self._out.write(harmless_json(value) + "\n")

    def fail(self, failure: Failure) -> None:
        if self.as_json:
            self._err.write(harmless_json({"error": failure.code, "message": failure.message}) + "\n")
        else:
            self._err.write(neutralised(f"{self.texts('fail.prefix')}: {failure.message}") + "\n")

    def progress(self, text: str) -> None:
        """A line that the next one overwrites, for a terminal; an empty one ends it."""
        if self._err.isatty():
            self._err.write("\r\x1b[K" + neutralised(text))
            self._err.flush()

    def bar(self, done: int, total: int, doing: str = "") -> None:
        """How far something has come, on the line that the next one overwrites."""
        drawn = padded(bar(done / (total or 1)), 20)
        self.progress(f"{doing} {drawn} {done} / {total}".lstrip())

    def flush(self) -> None:
        self._out.flush()

    def abandon_output(self) -> None:
        """Nobody reads any more: what is still buffered must not fail again when Python ends."""
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._out.fileno())
            os.close(nowhere)

    def _speak_unicode(self) -> None:
        """JSON is UTF-8, whatever the locale says."""
        if isinstance(self._out, io.TextIOWrapper) and not _is_unicode(self._out):
            self._out.reconfigure(encoding="utf-8")


def _opened(stream: TextIO | None) -> TextIO:
    if stream is None:  # closed by the parent process
        return io.StringIO()
    if isinstance(stream, io.TextIOWrapper) and not _is_unicode(stream):
        stream.reconfigure(errors="replace")  # a question mark is better than no answer
    return stream


def _is_unicode(stream: TextIO) -> bool:
    return stream.encoding.lower().replace("-", "") == "utf8"
