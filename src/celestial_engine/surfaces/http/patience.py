"""How long a client may take to send a request: connections that say nothing, or too slowly, are closed."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 10.0
BODY_SECONDS = 60.0


class ImpatientProtocol(H11Protocol):
    """Closes a connection whose request line and headers are not complete in time.

    Half-open requests would otherwise stay for ever: uvicorn counts idle time only between requests.
    """

    header_seconds = HEADER_SECONDS
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_headers()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.is_between_requests():
            self._expect_headers()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _expect_headers(self) -> None:
        """Starts the clock once: a byte now and then does not buy more time."""
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.header_seconds, self._time_is_up)

    def _time_is_up(self) -> None:
        self._deadline = None
        if self.is_between_requests():
            self.give_up()

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def give_up(self) -> None:
        """Closes the connection of a client that took too long."""
        self.transport.close()

    def is_between_requests(self) -> bool:
        """Whether no request is under way."""
        return self.cycle is None or self.cycle.response_complete
