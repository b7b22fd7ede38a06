"""The programs that a plugin can be installed in, and what each of them supports."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from argparse import Namespace
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import celestial_engine
from celestial_engine import __version__
from celestial_engine.surfaces.cli.commands.mcp_install import entry_for, program
from celestial_engine.surfaces.cli.plugins.edits import (
    NAME,
    Edit,
    edited_text,
    json_entries,
    text_block,
    whole_file,
    with_block,
    without_blocks,
    yaml_choice,
)

_SECONDS, _MILLISECONDS = 10, 10_000


class Host(NamedTuple):
    """`hooks`: whether something happens each turn, whatever the model decides; every host gets the tools."""

    edits: Callable[[Namespace], list[Edit]]
    hooks: bool


def _claude_code(args: Namespace) -> list[Edit]:
    # A plugin in the folder of skills is loaded without a marketplace.
    folder = _home("CLAUDE_CONFIG_DIR", ".claude") / "skills" / NAME
    server = {"mcpServers": {NAME: entry_for(args, typed=False)}}
    manifest = {**json.loads(_shipped("plugin.json")), "version": __version__}
    return [
        whole_file(folder / ".claude-plugin" / "plugin.json", _json(manifest)),
        whole_file(folder / "README.md", _shipped("README.md")),
        whole_file(folder / ".mcp.json", _json(server)),
        whole_file(folder / "hooks" / "hooks.json", _json({"hooks": _hooks(args)})),
        whole_file(folder / "skills" / "celestial-memory" / "SKILL.md", _shipped("SKILL.md")),
    ]


def _codex(args: Namespace) -> list[Edit]:
    folder, entry = _home("CODEX_HOME", ".codex"), entry_for(args, typed=False)
    server = f"[mcp_servers.{NAME}]\ncommand = {_quoted(entry['command'])}\nargs = {_quoted(entry['args'])}\n"
    hooks: dict[tuple[str, ...], Any] = {("hooks", event): groups for event, groups in _hooks(args).items()}
    return [text_block(folder / "config.toml", server), json_entries(folder / "hooks.json", hooks)]


def _gemini_cli(args: Namespace) -> list[Edit]:
    # Its hooks answer in JSON only, and their timeouts are in milliseconds.
    def group(event: str) -> list[dict[str, Any]]:
        command = {"type": "command", "command": _command(args, event, "--json"), "timeout": _MILLISECONDS}
        return [{"hooks": [{"name": f"{NAME}-{event}", **command}]}]

    entries: dict[tuple[str, ...], Any] = {
        ("mcpServers", NAME): entry_for(args, typed=False),
        ("hooks", "SessionStart"): group("session-start"),
        ("hooks", "BeforeAgent"): group("user-prompt"),
        ("hooks", "AfterAgent"): group("stop"),
    }
    return [json_entries(Path.home() / ".gemini" / "settings.json", entries)]


def _cursor(args: Namespace) -> list[Edit]:
    folder = Path.home() / ".cursor"
    events = {"sessionStart": "session-start", "beforeSubmitPrompt": "user-prompt", "afterAgentResponse": "stop"}
    hooks: dict[tuple[str, ...], Any] = {
        ("hooks", theirs): [{"command": _command(args, ours, "--json"), "timeout": _SECONDS}]
        for theirs, ours in events.items()
    }
    return [
        json_entries(folder / "mcp.json", {("mcpServers", NAME): entry_for(args, typed=False)}),
        json_entries(folder / "hooks.json", hooks, header={"version": 1}),
    ]


def _hermes(args: Namespace) -> list[Edit]:
    entry, home = entry_for(args, typed=False), _home("HERMES_HOME", ".hermes")
    # JSON texts and lists are YAML as well.
    block = f"  {NAME}:\n    command: {_quoted(entry['command'])}\n    args: {_quoted(entry['args'])}\n"
    settings = edited_text(
        home / "config.yaml",
        without_blocks,
        lambda text: with_block(text, block, below="mcp_servers:"),
        lambda text: yaml_choice(text, "memory:", "provider", NAME),
    )
    # The tools come from the server: the provider adds none of its own.
    options = {"db": args.db and os.path.abspath(os.path.expanduser(args.db)), "user_id": args.user}
    options = {**options, "agent_id": args.agent, "tools": False}
    module = _shipped("plugin.txt", "hermes").replace("OPTIONS: dict = {}", f"OPTIONS: dict = {options!r}")
    module = module.replace('PACKAGE = ""', f"PACKAGE = {str(Path(celestial_engine.__file__).parent)!r}")
    return [
        settings,
        whole_file(home / "plugins" / NAME / "__init__.py", module),
        whole_file(home / "plugins" / NAME / "plugin.yaml", _shipped("plugin.yaml", "hermes")),
    ]


def _openclaw(args: Namespace) -> list[Edit]:
    home = _home("OPENCLAW_STATE_DIR", ".openclaw")
    folder, entry = home / "extensions" / NAME, entry_for(args, typed=False)
    options = entry["args"][entry["args"].index("mcp") + 1 :]
    module = _shipped("index.js", "openclaw")
    module = module.replace("const COMMAND = [];", f"const COMMAND = {_quoted([*program(), *options])};")
    module = module.replace("EACH_ITS_OWN = true", f"EACH_ITS_OWN = {_quoted(args.user is None)}")
    manifest = {**json.loads(_shipped("package.json", "openclaw")), "version": __version__}
    settings: dict[tuple[str, ...], Any] = {
        ("mcp", "servers", NAME): entry,
        ("plugins", "slots", "memory"): NAME,
        # Without this word of the user OpenClaw shows a plugin nothing of a conversation.
        ("plugins", "entries", NAME): {"enabled": True, "hooks": {"allowConversationAccess": True}},
    }
    return [
        json_entries(home / "openclaw.json", settings),
        whole_file(folder / "index.js", module),
        whole_file(folder / "package.json", _json(manifest)),
        whole_file(folder / "openclaw.plugin.json", _shipped("openclaw.plugin.json", "openclaw")),
    ]


HOSTS: Mapping[str, Host] = {
    "claude-code": Host(_claude_code, hooks=True),
    "codex": Host(_codex, hooks=True),
    "gemini-cli": Host(_gemini_cli, hooks=True),
    "cursor": Host(_cursor, hooks=True),
    "hermes": Host(_hermes, hooks=True),
    "openclaw": Host(_openclaw, hooks=True),
}


def _home(variable: str, folder: str) -> Path:
    from celestial_engine.config.sources import process_environment

    named = process_environment().get(variable)
    return Path(named).expanduser().absolute() if named else Path.home() / folder


def _hooks(args: Namespace) -> dict[str, Any]:
    """The shipped hooks, started by this very installation."""
    hooks: dict[str, Any] = json.loads(_shipped("hooks.json"))["hooks"]
    for groups in hooks.values():
        for hook in groups[0]["hooks"]:
            hook["command"] = _command(args, hook["command"].rpartition(" ")[2])
    return hooks


def _command(args: Namespace, event: str, *more: str) -> str:
    entry = entry_for(args, typed=False)
    options = entry["args"][entry["args"].index("mcp") + 1 :]
    words = [*program(), "hook", event, *options, *more]
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def _shipped(name: str, host: str = "claude_code") -> str:
    return (files(__package__) / host / name).read_text(encoding="utf-8")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
