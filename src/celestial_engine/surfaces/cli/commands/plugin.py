"""`celestial plugin`: this memory in the program that the user works with."""

from __future__ import annotations

import argparse
import difflib
from argparse import Namespace

from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, UsageError
from celestial_engine.surfaces.cli.texts.catalogue import Texts

HOSTS = ("claude-code", "codex", "gemini-cli", "cursor", "hermes", "openclaw")


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("action", choices=("install", "uninstall", "list"), help=texts("arg.plugin_action"))
    arguments.add_argument("host", choices=HOSTS, nargs="?", help=texts("arg.plugin_host"))
    options.add_argument("--dry-run", action="store_true", help=texts("opt.dry_run"))


def run(args: Namespace, console: Console) -> int:
    if args.action == "list":
        return _list(args, console)
    if args.host is None:
        raise UsageError(f"the following arguments are required: HOST ({', '.join(HOSTS)})")
    return _install(args, console) if args.action == "install" else _uninstall(args, console)


def _list(args: Namespace, console: Console) -> int:
    from celestial_engine.surfaces.cli.plugins.hosts import HOSTS as KNOWN
    from celestial_engine.surfaces.cli.plugins.installation import is_installed

    if args.host is not None or args.dry_run:
        raise UsageError("unrecognized arguments: " + (args.host or "--dry-run"))
    rows = [{"host": name, "installed": is_installed(name), "hooks": host.hooks} for name, host in KNOWN.items()]
    if console.as_json:
        console.data(rows)
        return OK
    for row in rows:
        state = console.texts("plugin.is_installed" if row["installed"] else "plugin.is_not")
        offers = console.texts("plugin.hooks_and_tools" if row["hooks"] else "plugin.tools")
        console.say(f"{row['host']:<12} {state}  ({offers})")
    return OK


def _install(args: Namespace, console: Console) -> int:
    from celestial_engine.surfaces.cli.plugins.edits import check_toml
    from celestial_engine.surfaces.cli.plugins.hosts import HOSTS as KNOWN
    from celestial_engine.surfaces.cli.plugins.installation import install

    edits = KNOWN[args.host].edits(args)
    for edit in edits:
        check_toml(edit)
    changed = [edit for edit in edits if edit.after != edit.before]
    if not console.as_json:
        for edit in changed:
            console.say(*edit.difference())
    if not args.dry_run:
        install(args.host, edits)
    _tell(console, args, [str(edit.file) for edit in changed], "plugin.installed")
    return OK


def _uninstall(args: Namespace, console: Console) -> int:
    from celestial_engine.surfaces.cli.plugins.hosts import HOSTS as KNOWN
    from celestial_engine.surfaces.cli.plugins.installation import is_installed, removal, uninstall

    undone = removal(args.host, KNOWN[args.host].edits(args)) if is_installed(args.host) else []
    if not console.as_json:
        for one in undone:
            old, new = ((text or b"").decode("utf-8", "replace").splitlines() for text in (one.before, one.after))
            console.say(*difflib.unified_diff(old, new, str(one.file), str(one.file), lineterm=""))
    if not args.dry_run and is_installed(args.host):
        uninstall(args.host, undone)
    _tell(console, args, [str(one.file) for one in undone], "plugin.uninstalled")
    return OK


def _tell(console: Console, args: Namespace, files: list[str], sentence: str) -> None:
    if console.as_json:
        console.data({"host": args.host, "dry_run": args.dry_run, "files": files})
    elif not files:
        console.say(console.texts("plugin.unchanged", host=args.host))
    elif args.dry_run:
        console.say(console.texts("mcp.dry_run"))
    else:
        console.say(console.texts(sentence, host=args.host))
