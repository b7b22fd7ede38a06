"""Work on a PostgreSQL database that its own tools do not do."""

from __future__ import annotations

import argparse
from argparse import Namespace

from celestial_engine.backups import distribute_server
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK
from celestial_engine.surfaces.cli.texts.catalogue import Texts


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("action", choices=("distribute",), help=texts("arg.postgres_action"))
    options.add_argument("--dry-run", action="store_true", help=texts("opt.dry_run"))


def run(args: Namespace, console: Console) -> int:
    statements = distribute_server(args.db, dry_run=args.dry_run)
    if console.as_json:
        console.data({"dry_run": args.dry_run, "statements": statements})
        return OK
    for statement in statements if args.dry_run else ():
        console.say(f"{statement};")
    if not args.dry_run:
        console.say(
            console.texts("say.distributed" if statements else "say.already_distributed", count=len(statements))
        )
    return OK
