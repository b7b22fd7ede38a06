"""This server in a client's settings: everything else in the file stays as it is."""

from __future__ import annotations

import difflib
import json
import os
import shutil
import sys
from argparse import Namespace
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from celestial_engine.errors import os_problem
from celestial_engine.surfaces.cli.commands.mcp import CLIENTS
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import BAD_INPUT, OK, STORAGE, CommandError, UsageError

NAME = "celestial"


@dataclass(frozen=True)
class Client:
    """Where a client keeps its servers."""

    file: Path
    key: str = "mcpServers"
    typed: bool = False  # an entry says that it speaks over stdio


def client_named(name: str) -> Client:
    match name:
        case "claude-code":
            return Client(Path(".mcp.json"))
        case "claude-desktop":
            return Client(_applications() / "Claude" / "claude_desktop_config.json")
        case "cursor":
            return Client(Path.home() / ".cursor" / "mcp.json")
        case "vscode":
            return Client(Path(".vscode") / "mcp.json", "servers", typed=True)
    return Client(Path("mcp.json"))


def install(args: Namespace, console: Console) -> int:
    """Shows the difference, keeps a copy of the file as it was, and writes it."""
    if args.client is None:
        raise UsageError(f"the following arguments are required: CLIENT ({', '.join(CLIENTS)})")
    if args.http is not None:
        raise UsageError("unrecognized arguments: --http")
    client = client_named(args.client)
    file = (Path(args.file).expanduser() if args.file else client.file).absolute()
    entry = entry_for(args, typed=client.typed)
    if args.client == "generic" and not args.file:
        console.data({client.key: {NAME: entry}})
        return OK
    file = file.resolve()  # a link to the real settings stays a link
    before = _read(file)
    after = with_entry(before, client.key, entry, file)
    changed = before != after
    if not console.as_json:
        console.say(*_difference(file, before, after))
    backup = None
    if changed and not args.dry_run:
        backup = _written(file, after)
    _tell(console, args, file, backup, changed)
    return OK


def entry_for(args: Namespace, *, typed: bool) -> dict[str, Any]:
    """How to start this very installation: clients with a window know no PATH."""
    options = [
        part
        for option in ("db", "user", "agent", "project_memory", "lang", "tools")
        if (value := getattr(args, option, None)) is not None
        for part in (
            f"--{option.replace('_', '-')}",
            os.path.abspath(os.path.expanduser(value)) if option == "db" else value,
        )
    ]
    entry: dict[str, Any] = {"type": "stdio"} if typed else {}
    command, *words = program()
    return {**entry, "command": command, "args": [*words, "mcp", *options]}


def program() -> list[str]:
    """How to start this very installation, in whatever folder a host works.

    `-m` alone looks into that folder first: a project's own `random.py` would run, with every prompt.
    """
    if sys.version_info >= (3, 11):
        return [sys.executable, "-P", "-m", "celestial_engine"]
    return [sys.executable, "-c", "import sys; del sys.path[0]; import celestial_engine.__main__"]


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def with_entry(text: str, key: str, entry: dict[str, Any], file: Path) -> str:
    """The settings with this entry added or replaced; what it held besides (env, ...) stays."""
    try:
        settings = json.loads(text) if text.strip() else {}
    except ValueError as error:  # comments, for one: what we cannot write back we do not touch
        raise CommandError("not_json", BAD_INPUT, path=file, reason=str(error)) from None
    servers = settings.get(key, {}) if isinstance(settings, dict) else None
    entry_before = servers.get(NAME, {}) if isinstance(servers, dict) else None
    if not isinstance(entry_before, dict) or not isinstance(servers, dict):
        raise CommandError("not_settings", BAD_INPUT, path=file, name=key)
    settings_after = {**settings, key: {**servers, NAME: {**entry_before, **entry}}}
    if settings_after == settings:
        return text
    return json.dumps(settings_after, ensure_ascii=False, indent=2) + "\n"


def _applications() -> Path:
    home = Path.home()
    if sys.platform == "win32":
        return home / "AppData" / "Roaming"
    return home / "Library" / "Application Support" if sys.platform == "darwin" else home / ".config"


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError("unreadable_file", STORAGE, path=file, reason=os_problem(error)) from None


def _written(file: Path, text: str) -> Path | None:
    """Replaces the file at once, or not at all; gives where it lies as it was."""
    backup = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists():
            backup = _unused(file)
            shutil.copy2(file, backup)
        fresh = file.with_name(f".{file.name}.new")
        fresh.write_text(text, encoding="utf-8")
        if backup is not None:
            shutil.copymode(backup, fresh)
        os.replace(fresh, file)
    except OSError as error:
        raise CommandError("unwritable_file", STORAGE, path=file, reason=os_problem(error)) from None
    return backup


def _unused(file: Path) -> Path:
    names = (file.with_name(f"{file.name}.bak{number or ''}") for number in range(1000))
    return next((name for name in names if not name.exists()), file.with_name(f"{file.name}.bak"))


def _difference(file: Path, before: str, after: str) -> list[str]:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), str(file), str(file), lineterm="")
    return list(lines)


def _tell(console: Console, args: Namespace, file: Path, backup: Path | None, changed: bool) -> None:
    if console.as_json:
        report = {"file": str(file), "changed": changed, "dry_run": args.dry_run,
                "backup": None if backup is None else str(backup)}  # fmt: skip
        console.data(report)
        return
    if not changed:
        console.say(console.texts("mcp.unchanged", path=file))
    elif args.dry_run:
        console.say(console.texts("mcp.dry_run"))
    else:
        console.say(console.texts("mcp.installed", path=file))
        if backup is not None:
            console.say(console.texts("mcp.backup", path=backup))
    if find_spec("mcp") is None:
        from celestial_engine.install_hints import install_command

        console.remark(console.texts("mcp.extra_missing", install=install_command("mcp")))
