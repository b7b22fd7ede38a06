"""The door for peers: one path that takes a signed message and answers with one. Plain ASGI, no framework."""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from celestial_engine.core.federation.messages import MESSAGE_BYTES, BadMessageError, Rejection
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError
from celestial_engine.surfaces.gossip.refusals import Refusals

PATH = "/gossip"
_BODY_SECONDS = 5.0
_MOST_AT_ONCE = 16
_MOST_A_SECOND = 100
_MEDIA_TYPE = b"application/octet-stream"

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class GossipApp:
    """Accepts messages of peers. Over plain HTTP only from this machine, where a TLS proxy may stand in front.

    Everything is bounded before the database is touched: size, time, requests at once and requests a second. What
    is turned away is counted, and written once a second at most.
    """

    def __init__(
        self,
        memory: CelestialMemory,
        clock: Callable[[], float] = time.monotonic,
        refusals: Refusals | None = None,
    ) -> None:
        self._memory, self._clock = memory, clock
        self._refusals, self._written_at = refusals or Refusals(), -math.inf
        self._recent: deque[float] = deque(maxlen=_MOST_A_SECOND)
        self._at_once = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "http":
            status, body = await self._answer(scope, receive)
            await _respond(send, status, body)

    async def _answer(self, scope: Scope, receive: Receive) -> tuple[int, bytes]:
        if scope["path"] != PATH:
            return 404, b"not found"
        if scope["method"] != "POST":
            return 405, b"method"
        if scope.get("scheme") != "https" and not _is_near(scope):
            return 403, b"tls or this machine only"
        if dict(scope["headers"]).get(b"content-type") != _MEDIA_TYPE:
            return 415, b"media type"
        if self._at_once >= _MOST_AT_ONCE or self._too_often():
            self._refusals.add(Rejection.TOO_MANY)
            return 503, b"busy"
        self._at_once += 1
        try:
            raw = await asyncio.wait_for(_body(receive), _BODY_SECONDS)
            if raw is None:
                self._refusals.add(Rejection.TOO_LARGE)
                return 413, b"too_large"
            return 200, await asyncio.to_thread(self._received, raw)
        except asyncio.TimeoutError:
            self._refusals.add(Rejection.TOO_SLOW)
            return 408, b"too slow"
        except BadMessageError as error:
            # Whoever has proven to be a peer hears the reason; others would learn who the peers are.
            return 403, error.rejection.value.encode() if error.sender else b"refused"
        except CelestialError:
            return 503, b"busy"
        finally:
            self._at_once -= 1

    def _received(self, raw: bytes) -> bytes:
        now = self._clock()
        if now - self._written_at >= 1.0:
            self._written_at = now
            self._refusals.write_to(self._memory)
        return self._memory.federation.receive(raw)

    def _too_often(self) -> bool:
        now = self._clock()
        if len(self._recent) == _MOST_A_SECOND and now - self._recent[0] < 1.0:
            return True
        self._recent.append(now)
        return False


async def _body(receive: Receive) -> bytes | None:
    """Returns the body; None if it is larger than any message."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b""
        part = message.get("body", b"")
        parts.append(part)
        size += len(part)
        if size > MESSAGE_BYTES:
            return None
        if not message.get("more_body"):
            return b"".join(parts)


async def _respond(send: Send, status: int, body: bytes) -> None:
    headers = [
        (b"content-type", _MEDIA_TYPE if status == 200 else b"text/plain"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


def _is_near(scope: Scope) -> bool:
    host = (scope.get("client") or ("",))[0]
    return host == "::1" or host.startswith("127.")
