"""The gate: what a request must be like before anybody looks at what it wants."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import urlsplit

import anyio
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from celestial_engine.surfaces.http.problems import problem
from celestial_engine.surfaces.rest.settings import ServerSettings

_TAKEN_IN = 4  # times what a request may have
_PATIENCE_SECONDS = 5.0


class Gate:
    """Asked for by an allowed name, from an allowed page, and not too large.

    The name keeps a web page from reaching us by a name of its own that leads here (DNS rebinding).
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._hosts = settings.allowed_hosts
        self._origins = frozenset(origin.lower().rstrip("/") for origin in settings.origins)
        self._most = settings.most_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = _texts(scope["headers"])
        host, origin = headers.get("host", ""), headers.get("origin")
        if _name(host) not in self._hosts:
            answer = problem(421, "unknown_host", "This server does not answer to that name; see --allow-host.")
        elif origin is not None and not self._allows(origin.lower(), host.lower()):
            answer = problem(403, "foreign_origin", "That page may not use this server; see --allow-origin.")
        elif _length(headers) > self._most:
            if "expect" not in headers:  # else nothing was sent yet, and nothing need be
                await self._thrown_away(receive)
            answer = self._too_large()
        else:
            await self._limited(scope, receive, send)
            return
        await answer(scope, receive, send)

    def _allows(self, origin: str, host: str) -> bool:
        parts = urlsplit(origin)
        return origin in self._origins or (parts.scheme in ("http", "https") and parts.netloc == host)

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Counts the bytes of a body without a length, and refuses it in place of the application."""
        seen, too_large = 0, False

        async def counted() -> Message:
            nonlocal seen, too_large
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._most:
                too_large = True
                if message.get("more_body"):
                    await self._thrown_away(receive)
                raise _TooLargeError(413)
            return message

        async def answered(message: Message) -> None:
            if not too_large:
                await send(message)

        with suppress(_TooLargeError):
            await self._app(scope, counted, answered)
        if too_large:
            await self._too_large()(scope, receive, send)

    async def _thrown_away(self, receive: Receive) -> None:
        """Who is still sending does not hear an answer: a good deal more is taken in first."""
        left = _TAKEN_IN * self._most
        with anyio.move_on_after(_PATIENCE_SECONDS):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if not message.get("more_body"):
                    break

    def _too_large(self) -> JSONResponse:
        detail = f"A request may have {self._most} bytes at most. Send it in parts."
        return problem(413, "content_too_large", detail, {"Connection": "close"})


class _TooLargeError(HTTPException):
    """Goes through whoever reads the body."""


def _texts(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers}


def _name(host: str) -> str:
    """Without the port; an IPv6 address without its brackets."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.count(":") == 1 else host


def _length(headers: dict[str, str]) -> int:
    given = headers.get("content-length", "0")
    return int(given) if given.isascii() and given.isdigit() else 0
