"""Serving: a socket, the application on it, and an end that finishes what was begun."""

from __future__ import annotations

import gc
import signal
import socket
import time
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI

from celestial_engine.surfaces.http.patience import ImpatientProtocol
from celestial_engine.surfaces.rest.drain import Drain

GRACE_SECONDS = 30
BACKLOG = 2048


def listening(host: str, port: int) -> socket.socket:
    """Returns a bound socket, so that the port is known and taken before it is printed."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
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


def serve(app: FastAPI, listener: socket.socket, started: Callable[[], None], log_level: str = "warning") -> None:
    """Serves until SIGTERM or Ctrl-C, then answers what is under way; a second signal stops at once."""
    server = Server(app, started, log_level=log_level)
    # uvicorn raises a captured signal once more when it is done; by then there is something left to close.
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        server.run(sockets=[listener])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        listener.close()


class Server(uvicorn.Server):
    """Stops in two steps: it refuses new requests until those under way are answered, then it closes."""

    def __init__(
        self, app: FastAPI, started: Callable[[], None], *, backlog: int = BACKLOG, log_level: str = "warning"
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app, log_config=None, log_level=log_level, access_log=False, server_header=False, date_header=True,
                backlog=backlog, timeout_graceful_shutdown=GRACE_SECONDS, proxy_headers=False, lifespan="on",
                http=ImpatientProtocol,
            )
        )  # fmt: skip
        self._started_callback = started
        self._drain: Drain = app.state.drain
        self._end_streams: Callable[[], None] = app.state.streams.end
        self._drain_until = 0.0

    def drain(self) -> None:
        """Begins to stop. From any thread and from a signal handler, any number of times."""
        if not self._drain.begun:
            self._drain_until = time.monotonic() + GRACE_SECONDS
            self._drain.begin()
            self._end_streams()  # a stream of changes never ends by itself

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._drain.begun:
            self.should_exit = self.force_exit = True
        else:
            self.drain()

    async def on_tick(self, counter: int) -> bool:
        # One tick of draining at least: a load balancer may see that the server is not ready any more.
        over = self._drain.done or (self._drain.begun and time.monotonic() >= self._drain_until)
        return await super().on_tick(counter) or over

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # What is loaded now stays: without this, every collection during a large answer would visit all of it again.
        gc.collect()
        gc.freeze()
        if self.started:
            self._started_callback()
