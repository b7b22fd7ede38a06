"""Where a command's output goes: lines for people, or one JSON document for programs."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterable
from typing import TextIO

from celestial_engine.surfaces.cli.failures import Failure
from celestial_engine.surfaces.cli.terminal import harmless_json, neutralised
from celestial_engine.surfaces.cli.texts import Texts


class Console:
    """Standard output and standard error. What people read is made harmless here, at the last door."""

    def __init__(self, texts: Texts, *, as_json: bool) -> None:
        self.texts = texts
        self.as_json = as_json
        self._out = _unicode_ready(sys.stdout)
        self._err = _unicode_ready(sys.stderr)

    def say(self, *lines: str) -> None:
        for line in lines:
            self._out.write(neutralised(line) + "\n")

    def data(self, value: object) -> None:
        """One JSON document, easy to read."""
        self._out.write(harmless_json(value, indent=2) + "\n")

    def records(self, values: Iterable[object]) -> None:
        """One JSON document a line."""
        for value in values:
            self._out.write(harmless_json(value) + "\n")

    def fail(self, failure: Failure) -> None:
        if self.as_json:
            self._err.write(harmless_json({"error": failure.code, "message": failure.message}) + "\n")
        else:
            self._err.write(neutralised(f"{self.texts('fail.prefix')}: {failure.message}") + "\n")

    def progress(self, text: str) -> None:
        """A line that the next one overwrites, for somebody who is watching; an empty one ends it."""
        if self._err.isatty():
            self._err.write("\r\x1b[K" + neutralised(text))
            self._err.flush()

    def flush(self) -> None:
        self._out.flush()

    def abandon_output(self) -> None:
        """Nobody reads any more: what is still buffered must not fail again when Python ends."""
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._out.fileno())
            os.close(nowhere)


def _unicode_ready(stream: TextIO | None) -> TextIO:
    if stream is None:  # closed by whoever started us
        return io.StringIO()
    if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower().replace("-", "") != "utf8":
        # JSON is UTF-8 whatever the locale says; for people a question mark is better than no answer.
        stream.reconfigure(encoding="utf-8" if not stream.isatty() else None, errors="replace")
    return stream
