"""What each command does with a memory that is open: call the engine, show the result."""

from __future__ import annotations

import os
import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict
from importlib import import_module
from typing import Any

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError, EmptyContentError, InvalidInputError, NotFoundError, Reason
from celestial_engine.surfaces.cli import answers, arguments, filtering, placing
from celestial_engine.surfaces.cli.answers import record
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import BAD_INPUT, OK, CommandError, failure_of
from celestial_engine.surfaces.cli.parser import ZONES
from celestial_engine.surfaces.cli.views import render

Command = Callable[[CelestialMemory, Namespace, Console], int]

# -- remembering --------------------------------------------------------------------------------------


def store(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    text = arguments.given_text(args.text, "content", console.texts)
    importance = None if args.importance is None else arguments.importance(args.importance)
    if args.lines:
        return _store_lines(memory, args, console, text, importance)
    item = memory.store(
        text,
        importance,
        None if args.metadata is None else arguments.metadata(args.metadata, console.texts),
        tier=None if args.tier is None else Tier(args.tier),
        pinned=args.pin,
        immutable=args.immutable,
        tags=args.tag,
        session_id=args.session,
        **placing.coordinate(memory, args, console.texts),
    )
    if console.as_json:
        console.data(record(item))
    else:
        _say_stored(console, item)
    return OK


def _store_lines(
    memory: CelestialMemory, args: Namespace, console: Console, text: str, importance: float | None
) -> int:
    refused = placing.of_one_alone(args)
    if refused:
        raise CommandError("lines_alone", BAD_INPUT, options=", ".join(refused))
    lines = [line for line in (line.removesuffix("\r") for line in text.split("\n")) if line.strip()]
    if not lines:
        raise EmptyContentError(field="content")
    items = memory.store_many(lines, importance, source=placing.source(args), session_id=args.session)
    if console.as_json:
        console.data([record(item) for item in items])
    else:
        console.say(console.texts("say.stored_many", count=len(items)))
    return OK


def _say_stored(console: Console, item: CelestialItem) -> None:
    texts = console.texts
    console.say(
        texts(
            "say.stored",
            id=render.short(item.id),
            zone=render.zone_name(texts, item.zone),
            importance=f"{item.arbitrary_importance:.2f}",
            source=texts.word("importance", item.importance_source),
        )
    )


def update(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    item_id = memory.browse.find_id(args.id)
    changes = (args.text, args.importance, args.metadata)
    if all(change is None for change in changes):
        raise CommandError("nothing_to_update", BAD_INPUT)
    item = memory.update(
        item_id,
        None if args.text is None else arguments.given_text(args.text, "content", console.texts),
        None if args.importance is None else arguments.importance(args.importance),
        None if args.metadata is None else arguments.metadata(args.metadata, console.texts),
    )
    if console.as_json:
        console.data(record(item))
    else:
        console.say(*render.memory_view(console.texts, item, time.time()))
    return OK


# -- looking ------------------------------------------------------------------------------------------


def show(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    item = memory.get(memory.browse.find_id(args.id))
    if console.as_json:
        console.data(record(item))
    else:
        console.say(*render.memory_view(console.texts, item, time.time()))
    return OK


def explain(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    explanation = memory.explain(memory.browse.find_id(args.id))
    if console.as_json:
        weights = {name: value for name, value in asdict(explanation.config).items() if name.startswith("w_")}
        console.data(
            {
                "memory": record(explanation.item),
                "weights": weights,
                "breakdown": asdict(explanation.breakdown),
                "crossings": [asdict(crossing) for crossing in explanation.crossings],
            }
        )
    else:
        console.say(*render.explanation_view(console.texts, explanation, time.time()))
    return OK


def list_newest(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    zone = None if args.zone is None else int(args.zone) if args.zone.isdigit() else ZONES.index(args.zone)
    items = memory.list(
        arguments.limit(args.limit),
        zone=zone,
        tier=None if args.tier is None else Tier(args.tier),
        where=filtering.chosen(args, console.texts),
    )
    if items or console.as_json:
        return answers.show(
            console, items, render.memory_table(console.texts, items, time.time()), "say.nothing_listed"
        )
    return _say_why_nothing(console, memory.stats())


def _say_why_nothing(console: Console, numbers: dict[str, Any]) -> int:
    """Whoever sees an empty list wants to know whether there is nothing, or only nothing here."""
    if not numbers["total"] and not numbers["cliff"]:
        console.say(console.texts("say.nothing_listed"))
        return OK
    console.say(console.texts("say.nothing_matches"))
    if numbers["cliff"]:
        console.say(console.texts("say.see_cliff", count=numbers["cliff"]))
    return OK


def history(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    limit = arguments.limit(args.limit)
    item_id = args.id
    if item_id is not None:
        try:
            item_id = memory.browse.find_id(item_id)
        except NotFoundError:
            # What is gone for good is no longer among the memories, but the ledger still tells of it.
            if not memory.ledger.history(item_id, 1):
                raise
    events = memory.ledger.history(item_id, limit)
    if console.as_json:
        console.data(
            [{"number": event.number, "at": event.at, "type": event.type.value, "item_id": event.item_id,
              "detail": event.detail} for event in events]
        )  # fmt: skip
    elif events:
        console.say(*render.history_table(console.texts, events))
    else:
        console.say(console.texts("say.no_history"))
    return OK


# -- forgetting ---------------------------------------------------------------------------------------


def pin(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    return _change_each(memory, args, console, memory.pin, "say.pin")


def unpin(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    return _change_each(memory, args, console, memory.unpin, "say.unpin")


def forget(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    return _change_each(memory, args, console, memory.forget, "say.forget")


def restore(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if not args.all and args.reason is None:
        if not args.ids:
            raise InvalidInputError("id", Reason.IDS_ALL_OR_REASON)
        return _change_each(memory, args, console, memory.restore, "say.restore")
    if args.ids or (args.all and args.reason is not None):
        raise InvalidInputError("id", Reason.IDS_ALL_OR_REASON)
    back = memory.departures.restore_many(reason=args.reason)
    if console.as_json:
        console.data([record(item) for item in back])
        return OK
    nobody = "say.cliff_empty" if args.reason is None else "say.none_of_reason"
    said = {0: nobody, 1: "say.restored_one"}.get(len(back), "say.restored_many")
    reason = console.texts.word("reason", args.reason or "")
    console.say(console.texts(said, count=len(back), reason=reason))
    return OK


def _change_each(
    memory: CelestialMemory, args: Namespace, console: Console, change: Callable[[str], CelestialItem], done: str
) -> int:
    """Changes one after the other; a refusal is told, and does not keep the rest from being changed."""
    # All are looked up first: a mistyped id changes nothing at all.
    ids = list(dict.fromkeys(memory.browse.find_id(prefix) for prefix in args.ids))
    changed: list[CelestialItem] = []
    exit_code = OK
    for item_id in ids:
        try:
            before = memory.get(item_id).protection
            item = change(item_id)
        except CelestialError as error:
            failure = failure_of(error, console.texts)
            console.fail(failure)
            exit_code = exit_code or failure.exit_code
            continue
        changed.append(item)
        if not console.as_json:
            same = done in ("say.pin", "say.unpin") and item.protection is before
            _say_changed(console, item, f"{done}_already" if same else done)
    if console.as_json:
        console.data([record(item) for item in changed])
    return exit_code


def _say_changed(console: Console, item: CelestialItem, done: str) -> None:
    texts = console.texts
    left = item.departure.purge_at - item.departure.at if item.departure else 0.0
    zone = render.zone_name(texts, item.zone)
    protection = texts.word("protection", item.protection.value)
    console.say(
        texts(done, id=render.short(item.id), zone=zone, time=render.duration(texts, left), protection=protection)
    )


def cliff(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    items = memory.departures.cliff(arguments.limit(args.limit))
    return answers.show(console, items, render.cliff_table(console.texts, items, time.time()), "say.cliff_empty")


# -- keeping order ------------------------------------------------------------------------------------


def rebalance(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    result = memory.rebalance()
    if console.as_json:
        console.data(asdict(result))
    else:
        console.say(
            console.texts(
                "say.rebalanced",
                total=result.total_items,
                moved=result.moved,
                evicted=result.evicted,
                forgotten=result.forgotten,
                purged=result.purged,
                ms=f"{result.duration_ms:.1f}",
            )
        )
    return OK


def stats(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    numbers = memory.stats()
    size = stored_bytes(memory.path)
    if console.as_json:
        console.data({**numbers, "path": memory.path, "size_bytes": size})
    else:
        console.say(*render.stats_view(console.texts, numbers, memory.path, size))
    return OK


def stored_bytes(path: str) -> int | None:
    """The size of the database with its write-ahead log; None where there is no file."""
    sizes = [os.path.getsize(name) for name in (path, f"{path}-wal") if os.path.isfile(name)]
    return sum(sizes) if sizes else None


def _from(module: str, name: str) -> Command:
    """A command of another file, which is loaded when it is called."""

    def command(memory: CelestialMemory, args: Namespace, console: Console) -> int:
        run: Command = getattr(import_module(f"celestial_engine.surfaces.cli.commands.{module}"), name)
        return run(memory, args, console)

    return command


COMMANDS: dict[str, Command] = {
    "store": store,
    "update": update,
    "rate": filtering.rate,
    "decide": _from("turns", "decide"),
    "observe": _from("turns", "observe"),
    "hook": _from("hook", "hook"),
    "policy": _from("policy", "policy"),
    "recall": _from("search", "recall"),
    "search": _from("search", "search"),
    "compose": _from("search", "compose"),
    "related": _from("search", "related"),
    "show": show,
    "explain": explain,
    "list": list_newest,
    "history": history,
    "pin": pin,
    "unpin": unpin,
    "forget": forget,
    "restore": restore,
    "cliff": cliff,
    "inbox": _from("self_", "inbox"),
    "approve": _from("self_", "approve"),
    "reject": _from("self_", "reject"),
    "self": _from("self_", "self_"),
    "soul": _from("self_", "soul"),
    "undo": _from("ledger", "undo"),
    "rebalance": rebalance,
    "sleep": _from("sleep", "sleep"),
    "imagine": _from("imagine", "imagine"),
    "stats": stats,
    "export": _from("export", "export"),
    "import": _from("import_", "import_file"),
    "token": _from("tokens", "token"),
    "dashboard": _from("dashboard", "dashboard"),
    "ledger": _from("ledger", "ledger"),
    "backup": _from("backups", "backup"),
    "retain": _from("backups", "retain"),
    "archive": _from("backups", "archive"),
}
