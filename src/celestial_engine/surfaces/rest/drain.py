"""Drain: a server that was told to stop answers what it began, and refuses what comes later."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from celestial_engine.surfaces.http.problems import problem

_ALWAYS_ANSWERED = ("/health", "/ready", "/metrics")
# Streams never end by themselves: stopping ends them, and nobody waits for them.
_STREAMS = ("/v1/events/stream", "/mcp")
_REFUSED = {"Connection": "close", "Retry-After": "1"}


class Drain:
    """Whether this process is stopping, and how many requests it still has to answer."""

    def __init__(self) -> None:
        self._requests = 0
        self._begun = False

    @property
    def begun(self) -> bool:
        return self._begun

    @property
    def done(self) -> bool:
        return self._begun and self._requests == 0

    def begin(self) -> None:
        """Refuses new requests from now on. From any thread, any number of times."""
        self._begun = True

    def enter(self) -> None:
        self._requests += 1

    def leave(self) -> None:
        self._requests -= 1


class Draining:
    """Counts the requests under way; while the server stops, answers new ones with 503."""

    def __init__(self, app: ASGIApp, drain: Drain) -> None:
        self._app, self._drain = app, drain

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in _ALWAYS_ANSWERED:
            await self._app(scope, receive, send)
        elif self._drain.begun:
            answer = problem(503, "draining", "This server is stopping; send the request again.", _REFUSED)
            await answer(scope, receive, send)
        elif scope["method"] == "GET" and scope["path"] in _STREAMS:
            await self._app(scope, receive, send)
        else:
            self._drain.enter()
            try:
                await self._app(scope, receive, send)
            finally:
                self._drain.leave()
