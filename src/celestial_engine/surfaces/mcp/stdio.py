"""One client, one process: the protocol on standard input and output, and nothing else there."""

from __future__ import annotations

import signal
from typing import TextIO, cast

import anyio
from mcp.server.stdio import stdio_server

from celestial_engine.core.record.owner import Owner
from celestial_engine.surfaces.mcp.desk import Desk, Guest, Open
from celestial_engine.surfaces.mcp.doorway import Doorway
from celestial_engine.surfaces.mcp.profiles import Profile
from celestial_engine.surfaces.mcp.server import build_server


def serve_stdio(
    open_memory: Open,
    owner: Owner,
    language: str = "en",
    door: Doorway | None = None,
    profile: Profile = Profile.ESSENTIAL,
) -> None:
    """Serves until the client goes, or the process is asked to end."""
    door = door or _opened()

    def leave(*_: object) -> None:
        door.inbox.close()

    async def serve() -> None:
        server = build_server(
            lambda: Desk.opening(open_memory), lambda _: Guest(owner), "mcp, over stdio", language, profile=profile
        )
        stdin = anyio.wrap_file(cast(TextIO, door.inbox))
        stdout = anyio.wrap_file(cast(TextIO, door.outbox))
        async with stdio_server(stdin, stdout) as (read, write):
            await server.run(read, write, server.create_initialization_options())

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, leave)
    anyio.run(serve)


def _opened() -> Doorway:
    door = Doorway()
    door.greet()
    return door
