"""`celestial serve`: the engine over HTTP, until it is stopped."""

from __future__ import annotations

import argparse
import importlib.util
from argparse import Namespace
from typing import TYPE_CHECKING, NamedTuple

from celestial_engine.config import Environment
from celestial_engine.core.access import Scope
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import os_problem
from celestial_engine.surfaces.cli.commands.dashboard import login_link
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import BAD_INPUT, OK, REFUSED, STORAGE, UNEXPECTED, CommandError
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.rest.logs import LEVELS, json_logs

if TYPE_CHECKING:
    import socket

    from celestial_engine.surfaces.rest.settings import ServerSettings

_NEEDED = ("fastapi", "uvicorn", "prometheus_client")
_MOST_WORKERS = 64

_FIRST_SCOPES = (Scope.READ, Scope.WRITE, Scope.APPROVE)


HOST, PORT = "127.0.0.1", "8484"


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    options.add_argument("--host", metavar="ADDRESS", default=HOST, help=texts("opt.host", default=HOST))
    options.add_argument("--port", metavar="N", default=PORT, help=texts("opt.port", default=PORT))
    options.add_argument("--workers", metavar="N", default="1", help=texts("opt.workers"))
    options.add_argument("--no-mcp", action="store_true", help=texts("opt.no_mcp"))
    options.add_argument("--allow-host", metavar="NAME", action="append", default=[], help=texts("opt.allow_host"))
    options.add_argument("--allow-origin", metavar="URL", action="append", default=[], help=texts("opt.allow_origin"))
    options.add_argument("--log-level", choices=LEVELS, default="warning", help=texts("opt.log_level"))
    options.add_argument("--access-log", action="store_true", help=texts("opt.access_log"))


def run(args: Namespace, console: Console) -> int:
    needed = _NEEDED if args.no_mcp else (*_NEEDED, "mcp")
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        from celestial_engine.install_hints import install_command

        raise CommandError("serve_extra", BAD_INPUT, names=", ".join(missing), install=install_command("server"))
    from celestial_engine.surfaces.rest.settings import ServerSettings, is_loopback

    workers = _workers(args.workers)
    here = is_loopback(args.host)
    hosts = (*args.allow_host, *(() if here else (args.host,)))
    settings = ServerSettings(
        hosts=hosts, origins=tuple(args.allow_origin), log_level=args.log_level, access_log=args.access_log
    )
    with json_logs(settings.log_level, access=settings.access_log):
        _run(args, console, settings, workers, here=here)
    if not console.as_json:
        console.say(console.texts("say.served"))
    return OK


def _run(args: Namespace, console: Console, settings: ServerSettings, workers: int, *, here: bool) -> None:
    # A single process has the background work, rebalancing and the night's; of several, each worker has it.
    background = 300 if workers == 1 else None
    with CelestialMemory(args.db, rebalance_interval=background, user_id=args.user, agent_id=args.agent) as memory:
        if workers > 1 and memory.path == ":memory:":
            raise CommandError("serve_workers_memory", BAD_INPUT)
        known = any(grant.valid and grant.expires_at is None for grant in memory.access.tokens())
        if not here and not known:
            raise CommandError("serve_no_token", REFUSED, host=args.host)
        listener = _listening(args, console)
        announced = _announced(memory, listener, console, known=known, mcp=not args.no_mcp)
        if workers == 1:
            _serve(memory, settings, listener, announced, console)
    if workers > 1:
        _serve_with(workers, args, settings, listener, announced, console)


class _Announced(NamedTuple):
    """What a server says when it is up, and the secret by which it is known."""

    url: str
    token: str | None
    link: str
    mcp: bool
    secret: str


def _announced(
    memory: CelestialMemory, listener: socket.socket, console: Console, *, known: bool, mcp: bool
) -> _Announced:
    from celestial_engine.surfaces.rest.serving import address_of

    url = address_of(listener)
    # Created last: a token that is never shown is of no use.
    token = None if known else memory.access.grant(console.texts("serve.token_name"), _FIRST_SCOPES)[0]
    link = login_link(url, memory.access.login_key())
    return _Announced(url, token, link, mcp, memory.access.note_server(url))


def _serve(
    memory: CelestialMemory,
    settings: ServerSettings,
    listener: socket.socket,
    announced: _Announced,
    console: Console,
) -> None:
    from celestial_engine.surfaces.gossip.rounds import rounds
    from celestial_engine.surfaces.rest.app import build_app
    from celestial_engine.surfaces.rest.serving import serve

    app = build_app(memory, settings)
    if announced.mcp:
        from celestial_engine.surfaces.mcp.http import mount
        from celestial_engine.surfaces.mcp.profiles import Profile

        profile = Profile(Environment.read().mcp_tools)
        mount(app, memory, hosts=None, language=console.texts.language, profile=profile)  # the gate looks at names
    with rounds(memory):
        serve(app, listener, lambda: _say(console, announced), settings.log_level)


def _serve_with(
    workers: int,
    args: Namespace,
    settings: ServerSettings,
    listener: socket.socket,
    announced: _Announced,
    console: Console,
) -> None:
    import secrets
    from tempfile import TemporaryDirectory

    from celestial_engine.surfaces.rest.supervisor import WorkerStartError, supervise
    from celestial_engine.surfaces.rest.worker import WorkerSetup

    with TemporaryDirectory(prefix="celestial-metrics-") as folder:
        setup = WorkerSetup(
            args.db, args.user, args.agent, settings, announced.mcp, console.texts.language, announced.secret,
            secrets.token_bytes(32), folder,
        )  # fmt: skip
        try:
            supervise(workers, setup, listener, lambda: _say(console, announced))
        except WorkerStartError as error:
            raise CommandError("serve_worker_start", UNEXPECTED, ended_with=error.exit_code) from error


def _workers(typed: str) -> int:
    if not (typed.isascii() and typed.isdigit() and 1 <= int(typed) <= _MOST_WORKERS):
        raise CommandError("serve_workers", BAD_INPUT, workers=typed, most=_MOST_WORKERS)
    return int(typed)


def _listening(args: Namespace, console: Console) -> socket.socket:
    from celestial_engine.surfaces.rest.serving import listening

    if not (args.port.isascii() and args.port.isdigit() and int(args.port) < 1 << 16):
        raise CommandError("serve_port", BAD_INPUT, port=args.port)
    try:
        return listening(args.host, int(args.port))
    except OSError as error:
        reason = console.texts.problem(os_problem(error))
        raise CommandError("serve_address", STORAGE, host=args.host, port=args.port, reason=reason) from error


def _say(console: Console, announced: _Announced) -> None:
    """What a newcomer needs: where, with what, how to look at it, and the line for Claude Code."""
    url, token, link, mcp, _ = announced
    add = None
    if mcp:
        header = f'--header "Authorization: Bearer {token or "TOKEN"}"'
        add = f"claude mcp add --transport http celestial {url}/mcp {header}"
    if console.as_json:
        console.data({"url": url, "token": token, "dashboard": link, "claude_mcp_add": add})
    else:
        texts = console.texts
        console.say(texts("serve.url", url=url))
        console.say(texts("serve.dashboard", link=link))
        console.say(texts("serve.token", token=token) if token else texts("serve.token_known"))
        if add:
            console.say(texts("serve.claude", command=add))
    console.flush()
