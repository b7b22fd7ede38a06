"""`celestial folder`: the memories as Markdown notes, kept equal both ways."""

from __future__ import annotations

import argparse
from argparse import Namespace

from celestial_engine.engine import CelestialMemory
from celestial_engine.exporters.folder_view import FolderReport, sync_folder
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, REFUSED
from celestial_engine.surfaces.cli.terminal import one_line
from celestial_engine.surfaces.cli.texts.catalogue import Texts

_ACTIONS = ("written", "removed", "stored", "updated", "forgotten", "redacted")


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("path", metavar="DIR", help=texts("arg.folder_path"))
    options.add_argument("--dry-run", action="store_true", help=texts("opt.folder_dry_run"))
    options.add_argument("--allow-large", action="store_true", help=texts("opt.folder_allow_large"))


def on_memory(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    report = sync_folder(memory, args.path, dry_run=args.dry_run, allow_large=args.allow_large)
    if console.as_json:
        console.data(report.to_dict())
    else:
        _say(console, report)
    return REFUSED if report.problems or report.conflicts else OK


def _say(console: Console, report: FolderReport) -> None:
    texts = console.texts
    for action in _ACTIONS:
        if files := getattr(report, action):
            console.say(texts(f"say.folder_{action}", count=len(files)))
    if not any(getattr(report, field) for field in (*_ACTIONS, "conflicts", "problems")):
        console.say(texts("say.folder_same"))
    for file in report.conflicts:
        console.say(texts("say.folder_conflict", file=one_line(file)))
    for file, problem in report.problems:
        console.say(texts("say.folder_problem", file=one_line(file), problem=problem))
    if report.dry_run:
        console.say(texts("say.folder_dry_run"))
