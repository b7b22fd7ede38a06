"""Serving: a socket, the application on it, and an end that finishes what was begun."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

_GRACE_SECONDS = 30
_BACKLOG = 2048


def listening(host: str, port: int) -> socket.socket:
    """Returns a bound socket, so that the port is known and taken before it is printed."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener


def address_of(listener: socket.socket) -> str:
    """The URL that leads to a socket; of one that listens everywhere, the one on this machine."""
    host, port = listener.getsockname()[:2]
    everywhere = host in ("0.0.0.0", "::")  # noqa: S104 - compared, not bound
    name = "127.0.0.1" if everywhere else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


def serve(app: FastAPI, listener: socket.socket, started: Callable[[], None]) -> None:
    """Serves until SIGTERM or Ctrl-C; requests that are under way are answered first."""
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, date_header=True,
        timeout_graceful_shutdown=_GRACE_SECONDS, proxy_headers=False, lifespan="on",
    )  # fmt: skip
    server = _Server(config, started, app.state.streams.end)
    # uvicorn raises the signal once more when it is done; by then there is something left to close.
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        server.run(sockets=[listener])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        listener.close()


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, started: Callable[[], None], stopping: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell, self._stopping = started, stopping

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._stopping()  # a stream of changes never ends by itself, and would be waited for
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._tell()
