"""A limit for connections that stop in the middle of their TLS handshake.

asyncio hands a connection to the server only after the handshake. Those that never finish it would otherwise be held
for a minute each, as many as come, until the process has no files left for its peers.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

from celestial_engine.core.federation.messages import Rejection
from celestial_engine.surfaces.gossip.refusals import Refusals

MOST_HANDSHAKES = 128
HANDSHAKE_SECONDS = 5.0


class Handshakes:
    """The connections that are not done with their handshake, oldest first. From any thread."""

    def __init__(self, refusals: Refusals, clock: Callable[[], float] = time.monotonic) -> None:
        self._refusals, self._clock = refusals, clock
        self._lock = threading.Lock()
        self._waiting: dict[int, tuple[float, socket.socket]] = {}  # by file number

    def began(self, connection: socket.socket) -> None:
        """Adds a connection; if there are too many, the oldest makes room."""
        with self._lock:
            self._forget_closed()
            if len(self._waiting) >= MOST_HANDSHAKES:
                self._turn_away(next(iter(self._waiting)), Rejection.TOO_MANY)
            number = connection.fileno()
            self._waiting.pop(number, None)  # a new connection goes to the end of the line
            self._waiting[number] = (self._clock(), connection)

    def done(self, number: int) -> None:
        """The connection with this file number has finished its handshake."""
        with self._lock:
            self._waiting.pop(number, None)

    def end_slow(self) -> None:
        """Closes connections that have taken too long."""
        with self._lock:
            self._forget_closed()
            since = self._clock() - HANDSHAKE_SECONDS
            for number in [number for number, (began, _) in self._waiting.items() if began < since]:
                self._turn_away(number, Rejection.TOO_SLOW)

    def _forget_closed(self) -> None:
        for number in [number for number, (_, one) in self._waiting.items() if one.fileno() < 0]:
            del self._waiting[number]

    def _turn_away(self, number: int, reason: Rejection) -> None:
        _, connection = self._waiting.pop(number)
        self._refusals.add(reason)
        with contextlib.suppress(OSError):  # the client was faster
            connection.shutdown(socket.SHUT_RDWR)  # asyncio sees the end, and closes it


class TlsListener(socket.socket):
    """A listening socket that tells `Handshakes` of every connection it accepts."""

    handshakes: Handshakes

    @classmethod
    def of(cls, listener: socket.socket, handshakes: Handshakes) -> TlsListener:
        """Takes over a listening socket."""
        taken = cls(listener.family, listener.type, listener.proto, fileno=listener.detach())
        taken.handshakes = handshakes
        return taken

    def accept(self) -> tuple[socket.socket, Any]:
        connection, address = super().accept()
        self.handshakes.began(connection)
        return connection, address
