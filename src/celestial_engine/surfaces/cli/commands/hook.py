"""What a host calls each turn: its event on standard input, the context to add on standard output."""

from __future__ import annotations

import argparse
import json
import sys
from argparse import Namespace
from typing import Any

from celestial_engine.core.patterns import compiled
from celestial_engine.engine import CelestialMemory
from celestial_engine.surfaces.cli import arguments
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK
from celestial_engine.surfaces.cli.texts.catalogue import Texts

_MOST_BYTES = 1 << 20
_SAID_BY_HOOKS = r"(?s)\A\s*(?:<hook_context>.*?</hook_context>\s*)+"


# Where hosts put what the model said: Claude Code and Codex, Gemini CLI, Cursor.
_ANSWERS = ("last_assistant_message", "prompt_response", "text")
EVENTS = ("user-prompt", "session-start", "stop", "subagent-stop")
CONTEXT_TOKENS = 800  # what a host is handed each turn, unless it asks for more


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("event", choices=EVENTS, help=texts("arg.hook_event"))
    help_text = texts("opt.budget", default=CONTEXT_TOKENS)
    options.add_argument("--budget", metavar="N", default=str(CONTEXT_TOKENS), help=help_text)


def on_memory(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    """A bad event is reported on standard error, and nothing is added to the output."""
    event, budget = _event(), arguments.whole_number(args.budget, "budget", console.texts)
    match args.event:
        case "user-prompt":
            context = _observed(memory, console, event, "user", _own_words(event.get("prompt")), budget)
            _hand_over(context, console, event, "UserPromptSubmit")
        case "session-start":  # after compaction too: the host has just lost what it was told before
            _hand_over(memory.profile(budget).text, console, event, "SessionStart")
        case _:  # what a model says is noticed, and never kept as the user's own words
            answer = next(filter(None, map(event.get, _ANSWERS)), None)
            if answer is not None:
                _observed(memory, console, event, "assistant", answer, budget)
    return OK


def _observed(
    memory: CelestialMemory, console: Console, event: dict[str, Any], role: str, text: object, budget: int
) -> str:
    """Observes a turn and returns the context to add."""
    if not isinstance(text, str) or not text.strip():
        console.remark(console.texts("hook.trouble", reason=console.texts("hook.no_event")))
        return ""
    session = event.get("session_id") or event.get("conversation_id")
    observed = memory.observe(
        {"role": role, "content": text},
        budget=budget,
        session_id=session if isinstance(session, str) and session.strip() else None,
    )
    if observed.problem is not None:
        console.remark(console.texts("hook.trouble", reason=console.texts.problem(observed.problem)))
    return observed.context


def _own_words(prompt: object) -> object:
    """What the user typed: Gemini CLI puts what hooks said at the start of a session before the first prompt."""
    return compiled(_SAID_BY_HOOKS).sub("", prompt) if isinstance(prompt, str) else prompt


def _hand_over(context: str, console: Console, event: dict[str, Any], otherwise: str) -> None:
    """As text, or in the form that hosts ask of hooks that answer in JSON, under the host's name of the event."""
    if not context:
        return
    if console.as_json and "cursor_version" in event:
        console.data({"additional_context": context})
    elif console.as_json:
        name = event.get("hook_event_name")
        added = {"hookEventName": name if isinstance(name, str) else otherwise, "additionalContext": context}
        console.data({"hookSpecificOutput": added})
    else:
        console.verbatim(context)


def _event() -> dict[str, Any]:
    stream = getattr(sys.stdin, "buffer", None)
    data = b"" if stream is None or sys.stdin.isatty() else stream.read(_MOST_BYTES + 1)
    try:
        event = json.loads(data.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return {}
    return event if isinstance(event, dict) else {}
