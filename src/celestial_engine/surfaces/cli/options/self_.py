"""The options of the inbox, the self and SOUL.md."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from celestial_engine.surfaces.cli.texts.catalogue import Texts

SELF_ACTIONS = ("show", "context", "versions", "rollback", "notices", "core", "change", "forget", "island", "belief")
SOUL_ACTIONS = ("show", "write", "read", "diff")
CONTEXT_TOKENS = 400

Command = Callable[[str], tuple[argparse._ArgumentGroup, argparse._ArgumentGroup]]


def add_self_commands(command: Command, texts: Texts) -> None:
    arguments, options = command("inbox")
    arguments.add_argument("id", metavar="ID", nargs="?", help=texts("arg.proposal"))
    options.add_argument("--all", action="store_true", help=texts("opt.inbox_all"))
    arguments, _ = command("approve")
    arguments.add_argument("ids", metavar="ID", nargs="*", help=texts("arg.approve_ids"))
    arguments, _ = command("reject")
    arguments.add_argument("ids", metavar="ID", nargs="+", help=texts("arg.reject_ids"))
    arguments, options = command("self")
    arguments.add_argument("action", choices=SELF_ACTIONS, nargs="?", default="show", help=texts("arg.self_action"))
    arguments.add_argument("words", metavar="...", nargs="*", help=texts("arg.self_words"))
    options.add_argument(
        "--tokens", metavar="N", default=str(CONTEXT_TOKENS), help=texts("opt.self_tokens", default=CONTEXT_TOKENS)
    )
    options.add_argument("--emoji", metavar="SIGN", default="", help=texts("opt.emoji"))
    options.add_argument("--description", metavar="TEXT", default="", help=texts("opt.description"))
    options.add_argument("--island", metavar="ID", help=texts("opt.of_island"))
    arguments, options = command("soul")
    arguments.add_argument("action", choices=SOUL_ACTIONS, nargs="?", default="show", help=texts("arg.soul_action"))
    options.add_argument("--path", metavar="FILE", help=texts("opt.soul_path"))
