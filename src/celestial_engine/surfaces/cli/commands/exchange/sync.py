"""`celestial sync`: exchange with the owner's other devices, through a folder or over HTTP."""

from __future__ import annotations

import argparse
from argparse import Namespace

from celestial_engine.config import Environment
from celestial_engine.core.codec import encode
from celestial_engine.engine import CelestialMemory
from celestial_engine.engine.sync import SyncReport, SyncStatus
from celestial_engine.errors import os_problem
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.execute import caller_of
from celestial_engine.surfaces.cli.failures import BAD_INPUT, OK, REFUSED, STORAGE, CommandError
from celestial_engine.surfaces.cli.terminal import one_line
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.format import duration

_STATUS, _NEW_DEVICE = "status", "new-device"
_SHOWN_ID = 8
_DAY = 86_400.0


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("place", metavar="FOLDER|URL|status|new-device", help=texts("arg.sync_place"))
    options.add_argument("--token", metavar="TOKEN", help=texts("opt.sync_token"))
    options.add_argument("--passphrase-file", metavar="FILE", help=texts("opt.passphrase_file"))
    options.add_argument("--plaintext", action="store_true", help=texts("opt.plaintext"))
    options.add_argument("--name", metavar="NAME", help=texts("opt.sync_name"))
    options.add_argument("--dry-run", action="store_true", help=texts("opt.sync_dry_run"))


def on_memory(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if args.place == _STATUS:
        return _show_status(memory, memory.sync.status(name=args.name), console)
    if args.place == _NEW_DEVICE:
        return _show_status(memory, memory.sync.new_device(), console)
    if args.name is not None:
        memory.sync.status(name=args.name)
    report = _exchange(memory, args, console)
    from celestial_engine.surfaces.operations.sync import report_view

    if console.as_json:
        console.data(encode(report_view(caller_of(memory, console), report)))
    else:
        console.progress("")
        _say(console, report)
    return REFUSED if report.problems else OK


def _exchange(memory: CelestialMemory, args: Namespace, console: Console) -> SyncReport:
    environment, passphrase = Environment.read(), _passphrase(args.passphrase_file, console)
    passphrase = passphrase or environment.sync_passphrase
    if "://" not in args.place:
        return memory.sync.with_folder(
            args.place, passphrase=passphrase, plaintext=args.plaintext, dry_run=args.dry_run, progress=console.bar
        )
    if args.dry_run:
        raise CommandError("sync_dry_run", BAD_INPUT)
    token = args.token or environment.sync_token
    if not token:
        raise CommandError("sync_token", BAD_INPUT)
    return memory.sync.with_device(args.place, token, passphrase=passphrase, plaintext=args.plaintext)


def _passphrase(path: str | None, console: Console) -> str | None:
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as stream:
            text = stream.readline().rstrip("\r\n")
    except OSError as error:
        reason = console.texts.problem(os_problem(error))
        raise CommandError("passphrase_file", STORAGE, path=path, reason=reason) from error
    if not text:
        raise CommandError("passphrase_empty", BAD_INPUT, path=path)
    return text


def _say(console: Console, report: SyncReport) -> None:
    texts = console.texts
    sentence = "say.sync_planned" if report.dry_run else "say.synced"
    console.say(texts(sentence, sent=report.sent_memories, read=report.read))
    for kind, count in report.changed.items():
        console.say(texts("say.sync_changed", what=texts.word("event", kind), count=count))
    if report.conflicts:
        console.say(texts("say.sync_conflicts", count=len(report.conflicts)))
    for place in report.waiting:
        console.say(texts("say.sync_waiting", place=place))
    for problem in report.problems:
        console.say(texts("say.sync_problem", place=problem.field, problem=texts.problem(problem)))


def _show_status(memory: CelestialMemory, status: SyncStatus, console: Console) -> int:
    from celestial_engine.surfaces.operations.sync import status_view

    texts, now = console.texts, memory.parts.now()
    if console.as_json:
        console.data(encode(status_view(status)))
        return OK
    console.say(texts("say.sync_device", name=status.name, device=status.device))
    for other in status.devices:
        when = texts("time.ago", time=duration(texts, now - other.heard_at))
        console.say(texts("say.sync_other", name=other.name, device=other.id[:_SHOWN_ID], when=when))
        if other.clock_ahead is not None:
            console.say(texts("say.sync_clock", days=round(other.clock_ahead / _DAY)))
    for target, count in status.unsent.items():
        console.say(texts("say.sync_unsent", target=target[:_SHOWN_ID], count=count))
    for conflict in status.conflicts:
        console.say(texts("say.sync_conflict", id=conflict.item_id[:_SHOWN_ID], text=one_line(conflict.in_force)))
        for device, text in conflict.others:
            console.say(texts("say.sync_other_text", device=device[:_SHOWN_ID], text=one_line(text)))
    return OK
