"""The server under test: ours, over HTTP or standard input and output, with the suite's fixtures added.

`python server.py DATABASE` listens on a free port and prints its address; with `--stdio` it speaks on standard output.
The suite cannot send a token, so that each HTTP request gets a real one here, before our own check of tokens.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.lowlevel.server import Server
from starlette.applications import Starlette
from tests.surfaces.mcp.conformance.fixtures import add_fixtures

from celestial_engine import CelestialMemory
from celestial_engine.core.access import EVERYTHING
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.surfaces.mcp import stdio
from celestial_engine.surfaces.mcp.desk import Desk
from celestial_engine.surfaces.mcp.http import guest_of_token, mount_server
from celestial_engine.surfaces.mcp.server import build_server


def with_fixtures(*arguments: Any, **settings: Any) -> Server[Desk]:
    server = build_server(*arguments, **settings)
    add_fixtures(server)
    return server


class WithToken:
    """Adds the header that every real client sends."""

    def __init__(self, app: Callable[..., Awaitable[None]], token: str) -> None:
        self._app = app
        self._header = (b"authorization", f"Bearer {token}".encode())

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], self._header]}
        await self._app(scope, receive, send)


def over_http(path: Path) -> None:
    with CelestialMemory(path, embedder="none", rebalance_interval=None) as memory:
        token, _ = memory.access.grant("conformance", EVERYTHING)
        app = Starlette()
        server = with_fixtures(lambda: Desk.over(memory), guest_of_token, "mcp, over HTTP")
        mount_server(app, server, memory)
        listening = uvicorn.Config(WithToken(app, token), port=0, log_level="warning", ws="none", lifespan="on")
        listening.load()
        bound = listening.bind_socket()
        print(json.dumps({"url": f"http://127.0.0.1:{bound.getsockname()[1]}/mcp", "token": token}), flush=True)
        uvicorn.Server(listening).run(sockets=[bound])


def over_stdio(path: Path) -> None:
    stdio.build_server = with_fixtures  # the loop around it is the one that people get
    stdio.serve_stdio(lambda: CelestialMemory(path, embedder="none", rebalance_interval=None), LOCAL_OWNER)


if __name__ == "__main__":
    (over_stdio if "--stdio" in sys.argv else over_http)(Path(sys.argv[1]))
