"""Serve the door for peers alone, with rounds in the background: `celestial gossip run`."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import uvicorn

from celestial_engine.core.federation.messages import Rejection
from celestial_engine.engine import CelestialMemory
from celestial_engine.surfaces.gossip.app import GossipApp
from celestial_engine.surfaces.gossip.handshakes import Handshakes, TlsListener
from celestial_engine.surfaces.gossip.refusals import Refusals
from celestial_engine.surfaces.gossip.rounds import Rounds
from celestial_engine.surfaces.http.patience import ImpatientProtocol

_MOST_CONNECTIONS = 256
_MOST_REQUESTS = 2 * _MOST_CONNECTIONS  # never reached: the door itself takes far fewer at once
_HEADER_SECONDS = 5.0
_IDLE_SECONDS = 2
_BACKLOG = 256


def serve_peers(
    memory: CelestialMemory,
    listener: socket.socket,
    started: Callable[[], None],
    certificate: str | None = None,
    private_key: str | None = None,
) -> None:
    """Serves until SIGTERM or Ctrl-C. Of more connections than a village has, those that say nothing are closed."""
    refusals = Refusals()
    handshakes = Handshakes(refusals)
    if certificate is not None:
        listener = TlsListener.of(listener, handshakes)
    config = uvicorn.Config(
        GossipApp(memory, refusals=refusals), http=_door(refusals, handshakes), loop="asyncio", log_level="critical",
        access_log=False, server_header=False, proxy_headers=False,
        limit_concurrency=_MOST_REQUESTS, timeout_keep_alive=_IDLE_SECONDS, backlog=_BACKLOG, lifespan="on",
        timeout_graceful_shutdown=5, ssl_certfile=certificate, ssl_keyfile=private_key, ws="none",
    )  # fmt: skip

    def before_each_round() -> None:
        handshakes.end_slow()
        refusals.write_to(memory)

    with Rounds(memory, before_each_round):
        _Server(config, started).run(sockets=[listener])


def _door(refusals: Refusals, handshakes: Handshakes) -> type[ImpatientProtocol]:
    class Door(ImpatientProtocol):
        """Holds so many connections at most: the oldest without a request makes room, so that idle ones cannot
        keep peers out."""

        header_seconds = _HEADER_SECONDS
        _opened = 0.0

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            handshakes.done(transport.get_extra_info("socket").fileno())
            self._opened = self.loop.time()
            if len(self.connections) > _MOST_CONNECTIONS:
                idle = (one for one in self.connections if isinstance(one, Door) and one.is_between_requests())
                min(idle, key=lambda one: one._opened, default=self).turn_away(Rejection.TOO_MANY)

        def give_up(self) -> None:
            refusals.add(Rejection.TOO_SLOW)
            super().give_up()

        def turn_away(self, reason: Rejection) -> None:
            refusals.add(reason)
            self.connections.discard(self)  # at once: it is closed later, and must not be chosen again until then
            self.transport.abort()

    return Door


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._tell()
