"""Backups made, looked at and put back; the last two with no memory open."""

from __future__ import annotations

import argparse
from argparse import Namespace
from dataclasses import asdict

from celestial_engine.core.keeping.backup import BackupReport
from celestial_engine.engine import CelestialMemory
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, STORAGE, UsageError
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.format import file_size
from celestial_engine.surfaces.cli.views.maintenance import say_problems


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("path", metavar="PATH", nargs="?", help=texts("arg.backup_path"))
    arguments.add_argument("file", metavar="FILE", nargs="?", help=texts("arg.backup_file"))
    options.add_argument("--force", action="store_true", help=texts("opt.force"))
    options.add_argument("--dry-run", action="store_true", help=texts("opt.dry_run"))


def run(args: Namespace, console: Console) -> int:
    return _closed_backup(args, console) if args.path in ("verify", "restore") else _backup(args, console)


def _backup(args: Namespace, console: Console) -> int:
    if args.file is not None or args.dry_run:
        raise UsageError(f"unrecognized arguments: {args.file or '--dry-run'}")
    with CelestialMemory(args.db, rebalance_interval=None, user_id=args.user, agent_id=args.agent) as memory:
        try:
            report = memory.transfer.backup(args.path, force=args.force, progress=console.bar)
        finally:
            console.progress("")
    return _show(console, report, "say.backed_up", OK)


def _closed_backup(args: Namespace, console: Console) -> int:
    """`backup verify FILE` and `backup restore FILE`."""
    from celestial_engine.backups import restore_backup, verify_backup

    if args.file is None:
        raise UsageError("the following arguments are required: FILE")
    if args.path == "verify":
        return _show(console, verify_backup(args.file), "say.verified", STORAGE)
    try:
        report = restore_backup(args.file, args.db, dry_run=args.dry_run, progress=console.bar)
    finally:
        console.progress("")
    if console.as_json:
        backup = {**asdict(report.backup), "problems": list(map(str, report.backup.problems))}
        console.data({**asdict(report), "backup": backup})
        return OK
    texts = console.texts
    sentence = "say.would_restore_backup" if report.dry_run else "say.restored_backup"
    console.say(texts(sentence, path=report.path, backup=report.backup.path, count=report.backup.memories))
    if report.kept_as is not None:
        console.say(texts("say.kept_as", path=report.kept_as))
    if report.purged is None:
        console.say(texts("say.purged_unknown"))
    elif report.purged:
        console.say(texts("say.purged_again", count=report.purged))
    say_problems(console, map(texts.problem, report.backup.problems))
    return OK


def _show(console: Console, report: BackupReport, sentence: str, with_problems: int) -> int:
    if console.as_json:
        console.data({**asdict(report), "problems": list(map(str, report.problems))})
    else:
        size = file_size(report.size_bytes)
        console.say(console.texts(sentence, path=report.path, size=size, count=report.memories,
                                  archives=report.archives))  # fmt: skip
        say_problems(console, map(console.texts.problem, report.problems))
    return with_problems if report.problems else OK
