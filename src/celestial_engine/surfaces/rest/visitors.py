"""Who comes in: by which token, whose memories it is about, and what it may do."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import anyio.to_thread
from fastapi import Request
from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from celestial_engine.core.access import Grant
from celestial_engine.core.access import Scope as Permission
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError
from celestial_engine.surfaces.dashboard.sessions import cookie_of, session_of
from celestial_engine.surfaces.http.problems import RefusedError, language_of, problem, problem_of
from celestial_engine.surfaces.operations.declaration import Caller
from celestial_engine.surfaces.rest.limits import RateLimit
from celestial_engine.surfaces.rest.settings import ServerSettings, is_loopback

_NEVER_COUNTED = ("/health", "/ready")  # who watches the server must hear from it
_BEARER = {"WWW-Authenticate": "Bearer"}


@dataclass(frozen=True)
class Visitor:
    """A request that was admitted."""

    memory: CelestialMemory
    grant: Grant
    channel: str = "rest"
    secret: str = field(default="", repr=False)  # the token or session, to be checked again by long requests
    wants_events: bool = False  # server-sent events in place of one answer
    language: str = "en"  # of what goes wrong after the first event

    @property
    def caller(self) -> Caller:
        owner = self.grant.owner
        memory = self.memory.of(owner.user_id, owner.agent_id)
        return Caller(memory, owner, self.channel, scopes=self.grant.scopes)

    def needs(self, scope: Permission) -> None:
        if not self.grant.allows(scope):
            raise RefusedError(403, "scope", f"This token does not allow {scope.value!r}.")


class Doorkeeper:
    """Requires a token or a session for /v1 and applies rate limits, before the body is read.

    What is mounted beside (/mcp) looks at tokens itself; here it is only counted: by its grant, and whoever has none
    by address.
    """

    def __init__(
        self,
        app: ASGIApp,
        memory: CelestialMemory,
        settings: ServerSettings,
        clock: Callable[[], float] = time.time,  # all servers of a store count by it
    ) -> None:
        self._app, self._memory, self._clock = app, memory, clock
        self._limit = RateLimit(memory.access.take_requests, settings.requests_per_second, settings.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = await self._refusal(scope) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)

    async def _refusal(self, scope: Scope) -> JSONResponse | None:
        request, path = Request(scope), scope["path"]
        if path.startswith("/v1/"):
            # Who shows a token is judged by it alone; a browser of ours sends a cookie instead.
            by_session = "authorization" not in request.headers and cookie_of(request) is not None
            grant = await (session_of if by_session else found_grant)(request, self._memory)
            if isinstance(grant, Grant):
                scope.setdefault("state", {})["visitor"] = (
                    Visitor(self._memory, grant, "dashboard", cookie_of(request) or "")
                    if by_session
                    else Visitor(self._memory, grant, secret=_bearer(request)[1])
                )
                return await self._too_often(grant.id)
            # Who has no token is counted by address: guessing must not be for free.
            return await self._too_often(_address(request)) or grant
        if path.startswith("/mcp"):
            known = await found_grant(request, self._memory)
            return await self._too_often(known.id if isinstance(known, Grant) else _address(request))
        if path in _NEVER_COUNTED:
            return None
        return await self._too_often(_address(request))

    async def _too_often(self, name: str) -> JSONResponse | None:
        wait = await self._limit.wait(name, self._clock())
        return problem(429, "too_often", f"Ask again in {wait} s.", {"Retry-After": str(wait)}) if wait else None


def _address(request: Request) -> str:
    return f"address {request.client.host if request.client else ''}"


def _bearer(request: Request) -> tuple[str, str]:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return kind.lower(), token.strip()


async def found_grant(request: Request, memory: CelestialMemory) -> Grant | JSONResponse:
    """What the token of a request allows, or why not. A token is looked up whatever it looks like."""
    kind, token = _bearer(request)
    try:
        grant = await anyio.to_thread.run_sync(memory.access.check, token)
    except CelestialError as error:
        return problem_of(error, language_of(request))
    if kind != "bearer" or not token:
        return problem(401, "no_token", "Send a token: Authorization: Bearer cel_...", _BEARER)
    return grant or problem(
        401, "bad_token", "This token is unknown or was revoked; `celestial token create` makes one.", _BEARER
    )


def is_local(request: Request) -> bool:
    """Whether the request comes from this machine, and not through a proxy."""
    passed_on = any(name in request.headers for name in ("forwarded", "x-forwarded-for", "x-real-ip"))
    return request.client is not None and is_loopback(request.client.host) and not passed_on
