"""One of several processes that serve on the same socket."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import FrameType

from celestial_engine.config import Environment
from celestial_engine.config.sources import share_metrics
from celestial_engine.surfaces.rest.settings import ServerSettings

READY = b"ready"
_ACCEPT_AT_ONCE = 1  # connections: a worker that takes all that wait leaves none to the others


@dataclass(frozen=True)
class WorkerSetup:
    """What every worker of a server needs to know. The environment and the working folder are the parent's."""

    db: str | None
    user: str | None
    agent: str | None
    settings: ServerSettings
    mcp: bool
    language: str
    server_secret: str  # proves to `celestial dashboard` which server this is
    state_key: bytes  # seals what one worker gives an MCP client and another gets back
    metrics_folder: str


def work(setup: WorkerSetup, listener: socket.socket, parent: Connection) -> None:
    """Serves until the parent closes its end of the pipe, which a parent that was killed does too."""
    share_metrics(setup.metrics_folder)  # before anything imports prometheus_client
    from celestial_engine.engine import CelestialMemory
    from celestial_engine.surfaces.gossip.rounds import rounds
    from celestial_engine.surfaces.rest.app import build_app
    from celestial_engine.surfaces.rest.logs import json_logs
    from celestial_engine.surfaces.rest.serving import BACKLOG, Server
    from celestial_engine.surfaces.tracing import send_spans

    class WorkerServer(Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            # Ctrl-C reaches the whole group: the parent decides. SIGTERM may come twice, from it and to the group.
            if sig != signal.SIGINT:
                self.drain()

    def started() -> None:
        listener.listen(BACKLOG)  # asyncio has set it to what it accepts at once
        with contextlib.suppress(OSError):  # the parent is gone
            parent.send_bytes(READY)

    send_spans()
    logs = json_logs(setup.settings.log_level, access=setup.settings.access_log)
    with logs, CelestialMemory(setup.db, user_id=setup.user, agent_id=setup.agent) as memory:
        memory.access.serve_as(setup.server_secret)
        app = build_app(memory, setup.settings, setup.metrics_folder)
        if setup.mcp:
            from celestial_engine.surfaces.mcp.http import mount
            from celestial_engine.surfaces.mcp.profiles import Profile

            mount(
                app, memory, hosts=None, language=setup.language, state_key=setup.state_key,
                profile=Profile(Environment.read().mcp_tools),
            )  # fmt: skip
        server = WorkerServer(app, started, backlog=_ACCEPT_AT_ONCE, log_level=setup.settings.log_level)
        threading.Thread(target=_when_closed, args=(parent, server.drain), name="parent", daemon=True).start()
        with rounds(memory):
            server.run(sockets=[listener])


def _when_closed(pipe: Connection, run: Callable[[], None]) -> None:
    with contextlib.suppress(EOFError, OSError):
        pipe.recv_bytes()
    run()
