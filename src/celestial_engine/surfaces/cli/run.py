"""One run of the command: language, arguments, memory, command, exit code."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from celestial_engine.config import Environment, spoken_language
from celestial_engine.errors import CelestialError
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import BAD_INPUT, OK, CommandError, UsageError, failure_of
from celestial_engine.surfaces.cli.index import COMMANDS, by_hand
from celestial_engine.surfaces.cli.parser import build_parser
from celestial_engine.surfaces.cli.texts.catalogue import LANGUAGES, Texts
from celestial_engine.surfaces.tracing import send_spans

# The command line has no background thread: each command does some of that work first.
_MOST_VISITS = 20_000
# Who would be promoted must not leave right before the night that promotes.
_NOT_BEFORE = ("rebalance", "sleep")
_NEVER_EMPTY = ("db", "user", "agent", "project_memory", "embedder", "url")


def run(argv: Sequence[str]) -> int:
    """Does what the arguments ask for, and turns every failure into a sentence and an exit code."""
    environment = _environment()
    console = Console(Texts(_language(argv, environment)), as_json=_option_value(argv, "--json") is not None)
    try:
        exit_code = _run(argv, console, environment)
        console.flush()
    except BrokenPipeError:  # `| head` has seen enough
        console.abandon_output()
        return OK
    except (Exception, KeyboardInterrupt) as error:
        if sys.flags.dev_mode and not isinstance(error, KeyboardInterrupt):
            raise  # python -X dev: show the traceback
        failure = failure_of(error, console.texts)
        console.fail(failure)
        if _command(argv) == "hook" and not isinstance(error, KeyboardInterrupt):
            return OK  # a host's turn goes on without its memory; some take a failing hook for a veto
        if isinstance(error, OSError):  # most likely the output itself cannot be written
            console.abandon_output()
        return failure.exit_code
    return exit_code


def _run(argv: Sequence[str], console: Console, environment: Environment | None) -> int:
    command = _command(argv)
    parser = build_parser(console.texts, command, bare=command not in COMMANDS)
    try:
        args = parser.parse_args(argv)
    except SystemExit as stop:  # --help and --version
        return int(stop.code or OK)
    console.as_json = args.json
    if args.command is None:
        if console.as_json:
            raise UsageError("the following arguments are required: COMMAND")
        parser.print_help(sys.stderr)
        return BAD_INPUT
    for option in _NEVER_EMPTY:
        if getattr(args, option, None) == "":
            # An unset variable in a script must not quietly mean somebody else's memories.
            raise CommandError("empty_option", BAD_INPUT, option=f"--{option.replace('_', '-')}")
    if environment is not None and environment.notices:
        from celestial_engine.surfaces.cli.commands.config import notice_line

        for notice in environment.notices:
            console.remark(notice_line(console.texts, notice))
    send_spans()
    from celestial_engine.surfaces.cli.projects import choose_project  # --help does without it

    choose_project(args)
    module = by_hand(args.command)
    if module is None:
        return _run_on_memory(args, console)
    written = import_module(module)
    if hasattr(written, "run"):
        return int(written.run(args, console))
    return _run_on_memory(args, console, written)


def _run_on_memory(args: Namespace, console: Console, written: Any | None = None) -> int:
    from celestial_engine.engine import CelestialMemory

    with CelestialMemory(args.db, rebalance_interval=None, user_id=args.user, agent_id=args.agent) as memory:
        if args.command not in _NOT_BEFORE:
            memory.maintenance.rebalance_if_due(most=_MOST_VISITS)
        if written is not None:
            return int(written.on_memory(memory, args, console))
        from celestial_engine.surfaces.cli.execute import run_declared

        with _redactions_said_once():
            return run_declared(memory, args, console)


@contextmanager
def _redactions_said_once() -> Iterator[None]:
    """The answer says what was redacted, in the language of the text: the log need not say it a second time."""
    import logging  # slow to import, and `--help` needs none of it

    logger = logging.getLogger("celestial_engine.flow.turn.record")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _environment() -> Environment | None:
    try:
        return Environment.read()
    except CelestialError:
        return None  # bad settings are reported when they are needed


def _language(argv: Sequence[str], environment: Environment | None) -> str:
    language = _option_value(argv, "--lang")
    if language in LANGUAGES:
        return language
    return spoken_language() if environment is None else environment.language


def _command(argv: Sequence[str]) -> str | None:
    """The first word that is neither an option nor the value of one."""
    words = iter(argv)
    for word in words:
        if not word.startswith("-"):
            return word
        if word in ("--db", "--user", "--agent", "--project-memory", "--lang"):
            next(words, None)
    return None


def _option_value(argv: Sequence[str], option: str) -> str | None:
    """Returns the value of an option before the arguments are parsed; None if it is not there."""
    value = None
    for index, argument in enumerate(argv):
        if argument == "--":
            break
        if argument == option:
            value = argv[index + 1] if index + 1 < len(argv) else ""
        elif argument.startswith(f"{option}="):
            value = argument.partition("=")[2]
    return value
