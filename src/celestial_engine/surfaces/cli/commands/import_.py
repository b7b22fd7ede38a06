"""`celestial import`: moving in from another memory, a chat export, or an export of this one."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import ImportSourceError
from celestial_engine.importers import FORMATS, ImportReport, import_from, mapping_of
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK
from celestial_engine.surfaces.cli.terminal import one_line
from celestial_engine.surfaces.cli.texts.catalogue import Texts

_PLACES = ("line", "element", "item", "memory", "message", "point")


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("file", metavar="PATH", help=texts("arg.import_file"))
    options.add_argument("--from", dest="format", choices=("auto", *FORMATS), default="auto", help=texts("opt.from"))
    options.add_argument("--map", metavar="MEANING=FIELD,...", help=texts("opt.map"))
    options.add_argument("--of", metavar="NAME", help=texts("opt.of"))
    options.add_argument("--dry-run", action="store_true", help=texts("opt.import_dry_run"))


def on_memory(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    mapping = None if args.map is None else mapping_of(args.map)
    with _file(args.file) as path:
        try:
            report = import_from(
                memory, path, args.format, mapping=mapping, user=args.of, dry_run=args.dry_run,
                progress=lambda done, total: _show_progress(console, done, total),
                by="celestial import", channel="cli",
            )  # fmt: skip
        finally:
            console.progress("")
    report = replace(report, path=args.file)
    if console.as_json:
        console.data(report.to_dict())
    else:
        _say(console, report)
    return OK


def _show_progress(console: Console, done: int, total: int) -> None:
    if total:
        console.bar(done, total, console.texts("say.importing"))
    else:  # a source is read through before anything of it comes in
        console.progress(f"{console.texts('say.import_checking')} {done}")


@contextmanager
def _file(path: str) -> Iterator[str]:
    """The path; of standard input a copy, because a source is read twice."""
    if path != "-":
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="celestial-import-") as folder:
        copy = os.path.join(folder, "input")
        with open(copy, "wb") as stream:
            shutil.copyfileobj(sys.stdin.buffer, stream)
        try:
            yield copy
        except ImportSourceError as error:  # nobody knows the copy
            raise type(error)(path, *error.problems) from error


def _say(console: Console, report: ImportReport) -> None:
    texts = console.texts
    console.say(texts("say.import_format", path=report.path, format=report.format))
    if not report.read:
        console.say(texts("say.import_nothing", format=report.format))
        return
    sentence = "say.would_import" if report.dry_run else "say.imported"
    console.say(texts(sentence, added=report.added, known=report.known))
    if report.redacted:
        console.say(texts("say.import_redacted", count=report.redacted))
    if report.undated:
        where = _place(texts, one_line(report.first_undated))
        console.say(texts("say.import_undated", count=report.undated, where=where))
    if report.zones:
        zones = ", ".join(f"{texts.word('zone', zone)} {count}" for zone, count in report.zones.items())
        console.say(texts("say.import_zones", zones=zones))
    if report.skipped:
        console.say(texts("say.import_skipped", count=sum(report.skipped.values())))
    firsts = {skipped.reason: skipped.where for skipped in reversed(report.examples)}
    for reason, count in report.skipped.items():
        word, where = texts.word("skipped", reason), _place(texts, one_line(firsts.get(reason, "?")))
        console.say(texts("say.import_reason", count=count, reason=word, where=where))


def _place(texts: Texts, where: str) -> str:
    """`line 3` of a file in the reader's language; whatever else names a record is a name."""
    return ", ".join(_step(texts, step) for step in where.split(", "))


def _step(texts: Texts, step: str) -> str:
    kind, _, number = step.partition(" ")
    return texts(f"place.{kind}", number=number) if kind in _PLACES and number.isdigit() else step
