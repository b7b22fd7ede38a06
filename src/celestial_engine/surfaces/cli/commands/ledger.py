"""The ledger: checked, shown, mended and packed; and an event undone."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict

from celestial_engine.core.ledger.chain import Fault, Wrong
from celestial_engine.core.record.forgetting import State
from celestial_engine.engine import CelestialMemory
from celestial_engine.surfaces.cli import answers, arguments
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, STORAGE, UsageError
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views import render


def ledger(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if args.head is not None and args.action != "verify":
        raise UsageError("unrecognized arguments: --head")
    return _ACTIONS[args.action](memory, args, console)


def undo(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    item = memory.ledger.undo(arguments.whole_number(args.event.removeprefix("#"), "event", console.texts))
    if console.as_json:
        console.data(answers.record(item))
        return OK
    key = "say.undone_gone" if item.state is State.CLIFF else "say.undone"
    zone = render.zone_name(console.texts, item.zone)
    console.say(console.texts(key, number=args.event.removeprefix("#"), id=render.short(item.id), zone=zone))
    return OK


def _verify(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    found = memory.ledger.verify(args.head)
    if console.as_json:
        head = None if found.head is None else str(found.head)
        console.data({**asdict(found), "head": head, "ok": found.ok})
        return OK if found.ok else STORAGE
    texts = console.texts
    if found.fault is None:
        console.say(texts("say.ledger_holds", count=found.entries))
    else:
        console.say(_fault(texts, found.fault), texts("say.ledger_advice"))
    if found.mirror is None:
        console.say(texts("say.no_ledger_files"))
    else:
        console.say(texts("say.ledger_files", path=found.mirror.path, lines=found.mirror.lines))
        if found.mirror.missing:
            console.say(texts("say.ledger_missing", count=found.mirror.missing))
        if found.mirror.unreadable:
            where = found.mirror.first_unreadable
            console.say(texts("say.ledger_unreadable", count=found.mirror.unreadable, where=where))
    return OK if found.ok else STORAGE


def _fault(texts: Texts, fault: Fault) -> str:
    key = f"wrong.{fault.wrong.value}"
    if fault.wrong in (Wrong.CUT, Wrong.REWRITTEN, Wrong.MISSING) and fault.where != "ledger":
        key = f"{key}_{fault.where}"
    return texts(key, number=fault.number)


def _head(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    head = memory.ledger.head()
    if console.as_json:
        console.data(None if head is None else {"number": head.number, "hash": head.hash, "head": str(head)})
    else:
        console.say(console.texts("say.no_history") if head is None else str(head))
    return OK


def _show(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    """The documents of the daily files, newest first: those of this owner, and of nobody else."""
    events = memory.ledger.history(None, arguments.limit(args.limit))
    documents = [event.to_document() | {"seq": event.number, "hash": event.hash} for event in events]
    if console.as_json:
        console.data(documents)
    elif documents:
        console.records(documents)
    else:
        console.say(console.texts("say.no_history"))
    return OK


def _repair(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    count = memory.ledger.repair()
    if console.as_json:
        console.data({"written": count})
    else:
        console.say(console.texts("say.ledger_repaired", count=count))
    return OK


def _compress(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    names = memory.ledger.compress()
    if console.as_json:
        console.data({"compressed": list(names)})
    else:
        console.say(*names, console.texts("say.ledger_compressed", count=len(names)))
    return OK


_ACTIONS: dict[str, Callable[[CelestialMemory, Namespace, Console], int]] = {
    "verify": _verify,
    "head": _head,
    "show": _show,
    "repair": _repair,
    "compress": _compress,
}
