"""The options of config, completion and hook."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from celestial_engine.surfaces.cli.texts.catalogue import Texts

SHELLS = ("bash", "zsh", "fish")
HOOK_EVENTS = ("user-prompt",)
CONTEXT_TOKENS = 800  # what a host is handed each turn, unless it asks for more

Groups = tuple[argparse._ArgumentGroup, argparse._ArgumentGroup]


def add_setup_commands(command: Callable[[str], Groups], texts: Texts) -> None:
    arguments, _ = command("config")
    arguments.add_argument("action", choices=("show", "path"), help=texts("arg.config_action"))
    arguments, _ = command("completion")
    arguments.add_argument("shell", choices=SHELLS, help=texts("arg.shell"))
    arguments, options = command("hook")
    arguments.add_argument("event", choices=HOOK_EVENTS, help=texts("arg.hook_event"))
    options.add_argument(
        "--budget", metavar="N", default=str(CONTEXT_TOKENS), help=texts("opt.budget", default=CONTEXT_TOKENS)
    )
