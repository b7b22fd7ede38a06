"""A declared command run: its operation called as REST and MCP call it, and the answer shown."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

from celestial_engine.core.codec import encode
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.declared import Declared, declared
from celestial_engine.surfaces.cli.failures import OK, failure_of
from celestial_engine.surfaces.cli.requests import chosen, requests_from
from celestial_engine.surfaces.cli.views.command_result import Before, CommandResult, View
from celestial_engine.surfaces.known_ids import known_id
from celestial_engine.surfaces.operations.declaration import Caller
from celestial_engine.surfaces.tracing import traced_run

CHANNEL = "cli"


def run_declared(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    """Prints the answer of the operation as JSON, exactly as REST gives it, or as people read it."""
    action = getattr(args, "action", None)
    offered = declared(args.command)[args.command if action is None else f"{args.command} {action}"]
    one = chosen(offered, args)
    caller = caller_of(memory, console)
    requests = requests_from(one, offered, args, lambda typed_id: known_id(memory, typed_id), console.texts)
    try:
        return _run(one, caller, requests, console)
    finally:
        console.progress("")


def caller_of(memory: CelestialMemory, console: Console) -> Caller:
    """The owner of the memory, at the machine."""
    return Caller(memory, memory.owner, CHANNEL, progress=console.bar, language=console.texts.language, local=True)


def show(console: Console, view: View, result: CommandResult) -> None:
    if console.as_json:
        console.data(encode(result.answer))
    else:
        console.progress("")
        view(result)


def _run(one: Declared, caller: Caller, requests: list[Any], console: Console) -> int:
    declared_in = one.operation.run.__module__.rpartition(".")[2]
    views = import_module(f"celestial_engine.surfaces.cli.views.{declared_in}")
    view, name = views.VIEWS[one.operation.name], one.operation.name
    before = getattr(views, "BEFORE", {}).get(name)
    if one.command.each:
        return _run_each(one, caller, requests, console, view, before)
    before_answer = None if before is None else before(caller, requests[0])
    live = getattr(views, "LIVE", {}).get(name)
    if live is not None and not console.as_json:  # shows what happens while it happens
        caller = replace(caller, progress=None, on_event=partial(live, console))
    result = CommandResult(
        console, caller, requests[0], traced_run(one.operation, caller, requests[0]), before_answer
    )
    show(console, view, result)
    console.flush()
    exit_code_of = getattr(views, "EXIT_CODES", {}).get(name)
    return OK if exit_code_of is None else int(exit_code_of(result))


def _run_each(
    one: Declared, caller: Caller, requests: list[Any], console: Console, view: View, before: Before | None
) -> int:
    """Runs the requests one after the other; a refusal is printed and does not stop the rest."""
    answers, exit_code = [], OK
    for request in requests:
        try:
            before_answer = None if before is None else before(caller, request)
            answers.append(traced_run(one.operation, caller, request))
        except CelestialError as error:
            failure = failure_of(error, console.texts)
            console.fail(failure)
            exit_code = exit_code or failure.exit_code
            continue
        if not console.as_json:
            view(CommandResult(console, caller, request, answers[-1], before_answer))
    if console.as_json:
        console.data(encode(answers))
    return exit_code
