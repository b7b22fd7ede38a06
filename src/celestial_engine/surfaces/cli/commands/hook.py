"""What a host calls each turn: its event on standard input, the context to add on standard output."""

from __future__ import annotations

import argparse
import json
import sys
from argparse import Namespace
from typing import Any

from celestial_engine.engine import CelestialMemory
from celestial_engine.surfaces.cli import arguments
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK
from celestial_engine.surfaces.cli.texts.catalogue import Texts

_MOST_BYTES = 1 << 20


EVENTS = ("user-prompt",)
CONTEXT_TOKENS = 800  # what a host is handed each turn, unless it asks for more


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("event", choices=EVENTS, help=texts("arg.hook_event"))
    help_text = texts("opt.budget", default=CONTEXT_TOKENS)
    options.add_argument("--budget", metavar="N", default=str(CONTEXT_TOKENS), help=help_text)


def on_memory(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    """Observes the turn. A bad event is reported on standard error, and nothing is added to the output."""
    event = _event()
    prompt, session = event.get("prompt"), event.get("session_id")
    if not isinstance(prompt, str) or not prompt.strip():
        console.remark(console.texts("hook.trouble", reason=console.texts("hook.no_event")))
        return OK
    observed = memory.observe(
        {"role": "user", "content": prompt},
        budget=arguments.whole_number(args.budget, "budget", console.texts),
        session_id=session if isinstance(session, str) and session.strip() else None,
    )
    if observed.problem is not None:
        console.remark(console.texts("hook.trouble", reason=console.texts.problem(observed.problem)))
    if observed.context:
        _hand_over(observed.context, console)
    return OK


def _hand_over(context: str, console: Console) -> None:
    """As text, or in the form that Claude Code asks of hooks that answer in JSON."""
    if console.as_json:
        added = {"hookEventName": "UserPromptSubmit", "additionalContext": context}
        console.data({"hookSpecificOutput": added})
    else:
        console.verbatim(context)


def _event() -> dict[str, Any]:
    stream = getattr(sys.stdin, "buffer", None)
    said = b"" if stream is None or sys.stdin.isatty() else stream.read(_MOST_BYTES + 1)
    try:
        event = json.loads(said.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return {}
    return event if isinstance(event, dict) else {}
