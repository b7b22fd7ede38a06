"""The MCP server from the command line, and its entry in a client's settings.

Nothing heavy is loaded here: a client waits for the first answer.
"""

from __future__ import annotations

import argparse
from argparse import Namespace
from importlib.util import find_spec

from celestial_engine.config import Environment
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import BAD_INPUT, OK, REFUSED, CommandError, UsageError
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.mcp.profiles import Profile

CLIENTS = ("claude-code", "claude-desktop", "cursor", "vscode", "generic")


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("action", choices=("install",), nargs="?", help=texts("arg.mcp_action"))
    arguments.add_argument("client", choices=CLIENTS, nargs="?", help=texts("arg.mcp_client"))
    options.add_argument("--http", metavar="[HOST:]PORT", help=texts("opt.http"))
    options.add_argument("--tools", choices=[profile.value for profile in Profile], help=texts("opt.mcp_tools"))
    options.add_argument("--file", metavar="FILE", help=texts("opt.mcp_file"))
    options.add_argument("--dry-run", action="store_true", help=texts("opt.dry_run"))


def run(args: Namespace, console: Console) -> int:
    if args.action == "install":
        from celestial_engine.surfaces.cli.commands.mcp_install import install

        return install(args, console)
    if args.client or args.file or args.dry_run:
        raise UsageError("unrecognized arguments: " + (args.client or args.file or "--dry-run"))
    if args.http is not None:
        return _over_http(args, console)
    return _over_stdio(args, console)


def _over_stdio(args: Namespace, console: Console) -> int:
    _require("mcp")
    from celestial_engine.surfaces.mcp.doorway import Doorway

    environment = Environment.read()
    owner = environment.owner.with_ids(args.user, args.agent)  # a bad owner is reported before the handshake
    profile = Profile(args.tools or environment.mcp_tools)
    door = Doorway()
    door.greet(profile.value)

    from celestial_engine.engine import CelestialMemory
    from celestial_engine.surfaces.mcp.stdio import serve_stdio

    def opened() -> CelestialMemory:
        return CelestialMemory(args.db, user_id=args.user, agent_id=args.agent)

    serve_stdio(opened, owner, console.texts.language, door, profile)
    return OK


def _over_http(args: Namespace, console: Console) -> int:
    _require("mcp")
    _require("uvicorn")
    host, _, port = args.http.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise CommandError("bad_address", BAD_INPUT, value=args.http)

    from celestial_engine.engine import CelestialMemory
    from celestial_engine.surfaces.mcp.http import PATH, serve_http

    with CelestialMemory(args.db, user_id=args.user, agent_id=args.agent) as memory:
        known = any(grant.valid for grant in memory.access.tokens())
        if not known and host not in ("127.0.0.1", "::1", "localhost"):
            raise CommandError("serve_no_token", REFUSED, host=host)
        address = f"[{host}]" if ":" in host else host
        console.remark(console.texts("mcp.listening", url=f"http://{address}:{port}{PATH}"))
        if not known:
            console.remark(console.texts("mcp.no_tokens"))
        profile = Profile(args.tools or Environment.read().mcp_tools)
        serve_http(memory, host, int(port), console.texts.language, profile)
    return OK


def _require(module: str) -> None:
    if find_spec(module) is None:
        from celestial_engine.install_hints import install_command

        raise CommandError(
            "extra_missing", BAD_INPUT, install=install_command("mcp" if module == "mcp" else "server")
        )
