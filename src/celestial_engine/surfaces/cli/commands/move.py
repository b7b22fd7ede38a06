"""Owners moved from one database to another."""

from __future__ import annotations

import argparse
from argparse import Namespace
from dataclasses import asdict

from celestial_engine.config import Environment
from celestial_engine.core.record.owner import Owner
from celestial_engine.moves import move_memories
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK
from celestial_engine.surfaces.cli.texts.catalogue import Texts


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("source", metavar="FROM", help=texts("arg.move_from"))
    arguments.add_argument("target", metavar="TO", help=texts("arg.move_to"))
    options.add_argument("--this-owner", action="store_true", help=texts("opt.move_this_owner"))
    options.add_argument("--dry-run", action="store_true", help=texts("opt.dry_run"))


def run(args: Namespace, console: Console) -> int:
    def show(owner: Owner, sentence: int, total: int) -> None:
        console.bar(sentence, total, console.texts("say.moving", owner=_name(owner)))

    owners = [_owner(args)] if args.this_owner else None
    try:
        report = move_memories(args.source, args.target, owners, dry_run=args.dry_run, progress=show)
    finally:
        console.progress("")
    if console.as_json:
        console.data(asdict(report))
        return OK
    texts = console.texts
    for one in report.owners:
        console.say(
            texts("say.would_move_owner", owner=_name(one.owner), count=one.memories, entries=one.entries)
            if report.dry_run
            else texts(
                "say.moved_owner", owner=_name(one.owner), count=one.memories, entries=one.entries,
                written=one.written, seconds=f"{one.refused_seconds:.1f}",
            )
        )  # fmt: skip
    sentence = "say.would_move" if report.dry_run else "say.moved"
    count = sum(one.memories for one in report.owners)
    console.say(texts(sentence, source=report.source, target=report.target, owners=len(report.owners), count=count))
    return OK


def _owner(args: Namespace) -> Owner:
    known = Environment.read().owner
    return Owner(args.user or known.user_id, args.agent or known.agent_id)


def _name(owner: Owner) -> str:
    return f"{owner.user_id}/{owner.agent_id}"
