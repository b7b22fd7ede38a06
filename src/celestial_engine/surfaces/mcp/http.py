"""MCP over streamable HTTP: behind the same tokens as REST, for the same owners and scopes."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio.to_thread
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware, get_access_token
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend, RequireAuthMiddleware
from mcp.server.auth.provider import AccessToken
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.routing import Route

from celestial_engine.core.access import Scope
from celestial_engine.core.record.owner import Owner
from celestial_engine.engine import CelestialMemory
from celestial_engine.surfaces.mcp.desk import Desk, Guest
from celestial_engine.surfaces.mcp.profiles import Profile
from celestial_engine.surfaces.mcp.server import build_server

PATH = "/mcp"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Admitted(AccessToken):
    """A token that was found good, with what it was granted for."""

    owner: Owner
    granted: frozenset[Scope]


class Doorkeeper:
    """Asks the memory what a token allows, at every request: a revoked one ends at once."""

    def __init__(self, memory: CelestialMemory) -> None:
        self._memory = memory

    async def verify_token(self, token: str) -> Admitted | None:
        grant = await anyio.to_thread.run_sync(self._memory.access.check, token.strip())
        if grant is None:
            return None
        scopes = sorted(scope.value for scope in grant.scopes)
        return Admitted(token=token, client_id=grant.id, scopes=scopes, owner=grant.owner, granted=grant.scopes)


def mount(
    app: Starlette,
    memory: CelestialMemory,
    *,
    hosts: Sequence[str] | None = LOOPBACK,
    path: str = PATH,
    language: str = "en",
    state_key: bytes | None = None,
    profile: Profile = Profile.ESSENTIAL,
) -> None:
    """Serves MCP inside an application (REST's, for one) while that is up.

    `hosts` are the names by which it may be called; None where the application looks at that itself. Whoever serves
    the application opens and closes the memory. With a `state_key`, several processes answer the requests of one
    client: they keep no sessions, and each understands what another sealed with the key.
    """
    server = build_server(lambda: Desk.over(memory), guest_of_token, "mcp, over HTTP", language, state_key, profile)
    mount_server(app, server, memory, hosts=hosts, path=path, stateless=state_key is not None)


def mount_server(
    app: Starlette,
    server: Server[Desk],
    memory: CelestialMemory,
    *,
    hosts: Sequence[str] | None = LOOPBACK,
    path: str = PATH,
    stateless: bool = False,
) -> None:
    """Puts a built server behind the tokens of this memory, and runs it with the application."""
    manager = StreamableHTTPSessionManager(
        server, stateless=stateless, security_settings=None if hosts is None else _only_for(hosts)
    )
    inner = RequireAuthMiddleware(StreamableHTTPASGIApp(manager), [])
    guarded = AuthenticationMiddleware(AuthContextMiddleware(inner), backend=BearerAuthBackend(Doorkeeper(memory)))
    app.router.routes.append(Route(path, endpoint=guarded))

    around = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(served: Any) -> AsyncIterator[Any]:
        async with around(served) as state, manager.run():
            yield state

    app.router.lifespan_context = lifespan


def serve_http(
    memory: CelestialMemory, host: str, port: int, language: str = "en", profile: Profile = Profile.ESSENTIAL
) -> None:
    """MCP alone over HTTP, until it is stopped."""
    import uvicorn

    from celestial_engine.surfaces.http.patience import ImpatientProtocol

    app = Starlette()
    mount(app, memory, hosts=(*LOOPBACK, _named(host)), language=language, profile=profile)
    # uvicorn raises the signal that ended it once more; the memory is still to be closed by then.
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False, http=ImpatientProtocol)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def guest_of_token(_: Any) -> Guest:
    """Whose a request is, by the token that it carried."""
    token = get_access_token()
    if not isinstance(token, Admitted):  # the middleware admits nothing else
        raise PermissionError("no token")
    return Guest(token.owner, token.granted)


def _only_for(hosts: Sequence[str]) -> TransportSecuritySettings:
    """Refuses other Host names: such a request was sent by a foreign page (DNS rebinding)."""
    names = [name for host in dict.fromkeys(hosts) for name in (host, f"{host}:*")]
    origins = [f"{scheme}://{name}" for scheme in ("http", "https") for name in names]
    return TransportSecuritySettings(allowed_hosts=names, allowed_origins=origins)


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host
