"""Every memory as a line of JSON, to standard output or, all at once, to a file."""

from __future__ import annotations

import argparse
import contextlib
import os
import tempfile
from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import TextIO

from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import os_problem
from celestial_engine.exporters import EXPORT_FORMATS, export_to
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import BAD_INPUT, OK, STORAGE, CommandError
from celestial_engine.surfaces.cli.terminal import harmless_json
from celestial_engine.surfaces.cli.texts.catalogue import Texts

_REPORT_EVERY = 500
_PARTS_OF_A_DATABASE = ("", "-wal", "-shm", "-journal")


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    options.add_argument("--output", metavar="FILE", help=texts("opt.output"))
    options.add_argument("--format", choices=tuple(EXPORT_FORMATS), help=texts("opt.export_format"))


def on_memory(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if args.format is not None:
        return _in_format(memory, args, console)
    if args.output is None:
        console.records(_counted(memory.transfer.export(), console))
        return OK
    # Links are followed: the file is replaced, not the link that points to it.
    target = os.path.realpath(args.output)
    if target in {os.path.realpath(memory.path) + part for part in _PARTS_OF_A_DATABASE}:
        raise CommandError("output_is_database", BAD_INPUT, path=args.output)
    count = 0
    try:
        with _written_whole(target) as stream:
            for record in _counted(memory.transfer.export(), console):
                stream.write(harmless_json(record) + "\n")
                count += 1
    except OSError as error:
        reason = console.texts.problem(os_problem(error))
        raise CommandError("output", STORAGE, path=args.output, reason=reason) from error
    if console.as_json:
        console.data({"exported": count, "output": args.output})
    else:
        console.say(console.texts("say.exported", count=count, path=args.output))
    return OK


def _counted(records: Iterable[dict[str, object]], console: Console) -> Iterator[dict[str, object]]:
    """The same records, with progress on the terminal."""
    count = 0
    for record in records:
        yield record
        count += 1
        if count % _REPORT_EVERY == 0:
            console.progress(console.texts("say.exporting", count=count))
    if count >= _REPORT_EVERY:
        console.progress("")


def _in_format(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if args.output is None:
        raise CommandError("export_needs_output", BAD_INPUT)
    target = os.path.realpath(args.output)
    if target in {os.path.realpath(memory.path) + part for part in _PARTS_OF_A_DATABASE}:
        raise CommandError("output_is_database", BAD_INPUT, path=args.output)
    report = export_to(memory, target, args.format)
    if console.as_json:
        console.data({"exported": report.exported, "left_out": report.left_out, "output": args.output})
        return OK
    console.say(console.texts("say.exported", count=report.exported, path=args.output))
    console.say(console.texts("say.export_lost", lost=console.texts(f"export_lost.{report.format}")))
    return OK


@contextlib.contextmanager
def _written_whole(path: str) -> Iterator[TextIO]:
    """A file that is there completely or not at all, readable by its owner alone."""
    if os.path.exists(path) and not os.path.isfile(path):
        # A device or a pipe is written to; to replace it would destroy it.
        with open(path, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    handle, unfinished = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".celestial-export-")
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(unfinished, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise
