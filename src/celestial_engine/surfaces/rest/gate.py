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
    """Asked for by an allowed name, from an allowed page, not too large, and sent in time.

    The name keeps a web page from reaching us by a name of its own that leads here (DNS rebinding).
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._hosts = settings.allowed_hosts
        self._origins = frozenset(origin.lower().rstrip("/") for origin in settings.origins)
        self._most = settings.most_body_bytes
        self._body_seconds = settings.body_seconds

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
        """Counts the bytes and the seconds of a body, and refuses it in place of the application."""
        received, too_large, too_slow, complete = 0, False, False, False
        deadline = anyio.current_time() + self._body_seconds

        async def counted() -> Message:
            nonlocal received, too_large, too_slow, complete
            if complete:  # nothing but the end of the connection can come
                return await receive()
            try:
                with anyio.fail_after(max(0.0, deadline - anyio.current_time())):
                    message = await receive()
            except TimeoutError:
                too_slow = True
                raise _TooSlowError(408) from None
            complete = not message.get("more_body")
            received += len(message.get("body", b""))
            if received > self._most:
                too_large = True
                if message.get("more_body"):
                    await self._thrown_away(receive)
                raise _TooLargeError(413)
            return message

        async def answered(message: Message) -> None:
            if not (too_large or too_slow):
                await send(message)

        with suppress(_TooLargeError, _TooSlowError):
            await self._app(scope, counted, answered)
        if too_large or too_slow:
            await (self._too_large() if too_large else _too_slow())(scope, receive, send)

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


class _TooSlowError(HTTPException):
    """Goes through whoever reads the body."""


def _too_slow() -> JSONResponse:
    return problem(408, "too_slow", "The request did not arrive in time.", {"Connection": "close"})


def _texts(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers}


def _name(host: str) -> str:
    """Without the port; an IPv6 address without its brackets."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.count(":") == 1 else host


def _length(headers: dict[str, str]) -> int:
    header = headers.get("content-length", "0")
    return int(header) if header.isascii() and header.isdigit() else 0
