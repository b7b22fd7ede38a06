"""`celestial import`: what `celestial export` wrote, back as the same memories."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import nullcontext

from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import InvalidItemError
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import BAD_INPUT, OK, CommandError


def import_file(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    done = memory.import_memories(_records(args.file, console), by="celestial import", channel="cli")
    if console.as_json:
        console.data({"added": done.added, "known": done.known})
    else:
        console.say(console.texts("say.imported", added=done.added, known=done.known))
    return OK


def _records(path: str, console: Console) -> Iterator[object]:
    try:
        source = nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb")  # noqa: SIM115
        with source as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _record(number, line)
    except OSError as error:
        reason = console.texts.remark(error.strerror or str(error))
        raise CommandError("input", BAD_INPUT, path=path, reason=reason) from error


def _record(number: int, line: bytes) -> object:
    try:
        return json.loads(line)
    except ValueError as error:
        raise InvalidItemError(reason=f"line {number} is not JSON ({error})") from None
