"""Proofs of purged memories: written for somebody else, and checked on any machine without a database."""

from __future__ import annotations

import argparse
import json
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import StorageError, os_problem
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, STORAGE, UsageError
from celestial_engine.surfaces.cli.texts.catalogue import Texts

_CHECK = "check"
_MOST_BYTES = 256 * 1024 * 1024


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("words", metavar="ID", nargs="+", help=texts("arg.proof_ids"))
    options.add_argument("--out", metavar="FILE", help=texts("opt.proof_out"))
    options.add_argument("--anchor", metavar="NUMBER:HASH", help=texts("opt.proof_anchor"))


def run(args: Namespace, console: Console) -> int:
    if args.words[0] == _CHECK:
        return _check(args, console)
    if args.anchor is not None:
        raise UsageError("unrecognized arguments: --anchor")
    with CelestialMemory(args.db, rebalance_interval=None, user_id=args.user, agent_id=args.agent) as memory:
        document = memory.ledger.prove_purged(args.words)
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    if args.out is None:
        console.verbatim(text)
        return OK
    try:
        Path(args.out).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise StorageError(args.out, os_problem(error)) from error
    if console.as_json:
        console.data({"path": args.out, "anchor": document["anchor"]["head"], "entries": len(document["entries"])})
        return OK
    console.say(
        console.texts("say.proof_written", path=args.out, count=len(document["memories"])),
        console.texts("say.proof_anchor", anchor=document["anchor"]["head"]),
    )
    return OK


def _check(args: Namespace, console: Console) -> int:
    """`proof check FILE`: needs no database."""
    from celestial_engine.core.ledger.chain import Head
    from celestial_engine.core.ledger.proof import check_proof
    from celestial_engine.surfaces.operations.proofs import result_of

    if len(args.words) != 2 or args.out is not None:
        raise UsageError("the following arguments are required: FILE")
    try:
        with open(args.words[1], "rb") as file:
            text = file.read(_MOST_BYTES)
    except OSError as error:
        raise StorageError(args.words[1], os_problem(error)) from error
    found = check_proof(text, None if args.anchor is None else Head.read(args.anchor))
    if console.as_json:
        console.data(asdict(result_of(found)))
        return OK if found.ok else STORAGE
    if found.fault is not None:
        console.remark(console.texts(f"proof.{found.fault.value}", number=found.number or 0))
        return STORAGE
    for memory in found.memories:
        console.say(console.texts("say.proof_purged", id=memory.id, at=memory.at, number=memory.event))
    console.say(
        console.texts("say.proof_holds"),
        console.texts("say.proof_given" if args.anchor else "say.proof_compare", anchor=str(found.anchor)),
    )
    return OK
