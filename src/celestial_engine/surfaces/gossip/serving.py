"""Serve the door for peers alone, with rounds in the background: `celestial gossip run`."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from celestial_engine.engine import CelestialMemory
from celestial_engine.surfaces.gossip.app import GossipApp
from celestial_engine.surfaces.gossip.rounds import Rounds

_MOST_CONNECTIONS = 256
_IDLE_SECONDS = 2
_BACKLOG = 256


def serve_peers(
    memory: CelestialMemory,
    listener: socket.socket,
    started: Callable[[], None],
    certificate: str | None = None,
    private_key: str | None = None,
) -> None:
    """Serves until SIGTERM or Ctrl-C. More connections than a village has are turned away."""
    config = uvicorn.Config(
        GossipApp(memory), log_level="critical", access_log=False, server_header=False, proxy_headers=False,
        limit_concurrency=_MOST_CONNECTIONS, timeout_keep_alive=_IDLE_SECONDS, backlog=_BACKLOG, lifespan="on",
        timeout_graceful_shutdown=5, ssl_certfile=certificate, ssl_keyfile=private_key, ws="none",
    )  # fmt: skip
    with Rounds(memory):
        _Server(config, started).run(sockets=[listener])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._tell()
