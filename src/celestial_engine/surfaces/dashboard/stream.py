"""The stream of changes of an owner's memories, as they happen, whichever process made them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass

import anyio
import anyio.to_thread
from fastapi import FastAPI, Request
from fastapi.responses import Response, StreamingResponse

from celestial_engine.core.access import Scope
from celestial_engine.core.record.events import Event
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.recall_event import parts_of
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError
from celestial_engine.surfaces.http.problems import problem

PATH = "/v1/events/stream"
LAST_SEEN = "Last-Event-ID"
_AT_ONCE = 500  # events per message
_TOO_FAR_BEHIND = 10_000  # entries of the ledger: a client that missed more reloads everything
_HEARTBEAT = ": still here\n\n"
_LIVE = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@dataclass(frozen=True)
class Pace:
    """How often the ledger is looked at, and how much may be open at once."""

    look_seconds: float = 1.0
    looks_a_heartbeat: int = 15
    looks_at_most: int = 900  # then the browser comes again, by itself, and goes on where it was
    most_open: int = 64
    most_open_of_one: int = 8


class Streams:
    """Those that are open, so that there are not too many, and so that all can be ended at once."""

    def __init__(self, pace: Pace) -> None:
        self.pace = pace
        self._open: dict[str, int] = {}
        self._ending = False

    @property
    def open(self) -> int:
        return sum(self._open.values())

    def admit(self, grant_id: str) -> bool:
        of_one = self._open.get(grant_id, 0)
        if self._ending or of_one >= self.pace.most_open_of_one or self.open >= self.pace.most_open:
            return False
        self._open[grant_id] = of_one + 1
        return True

    def leave(self, grant_id: str) -> None:
        left = self._open.pop(grant_id, 1) - 1
        if left:
            self._open[grant_id] = left

    def end(self) -> None:
        """Ends them all at their next look, and admits no more. From any thread."""
        self._ending = True

    async def pause(self) -> bool:
        """Waits for the next look; True if there is none."""
        await anyio.sleep(self.pace.look_seconds)
        return self._ending


def add_stream(app: FastAPI, memory: CelestialMemory, pace: Pace | None = None) -> Streams:
    """The route; what is given back ends its streams when the server stops."""
    streams = Streams(pace or Pace())

    @app.get(PATH, include_in_schema=False)
    async def changes(request: Request) -> Response:
        visitor = request.state.visitor
        visitor.needs(Scope.READ)
        grant, token = visitor.grant, visitor.secret
        begin, reset = await anyio.to_thread.run_sync(
            _beginning, memory, grant.owner, request.headers.get(LAST_SEEN, "")
        )
        if not streams.admit(grant.id):
            return problem(429, "too_many_streams", "Too many streams are open; close one.", {"Retry-After": "10"})
        messages = _messages(memory, streams, grant.owner, token, begin, reset=reset)
        return _Counted(messages, streams, grant.id)

    return streams


class _Counted(StreamingResponse):
    """Gives its place back however it ends: read to the end, cut off, or never begun."""

    def __init__(self, messages: AsyncIterator[str], streams: Streams, grant_id: str) -> None:
        super().__init__(messages, media_type="text/event-stream", headers=_LIVE)
        self._streams, self._grant_id = streams, grant_id

    async def __call__(self, *args: object) -> None:
        try:
            await super().__call__(*args)  # type: ignore[arg-type]  # scope, receive and send, handed on
        finally:
            self._streams.leave(self._grant_id)


async def _messages(
    memory: CelestialMemory, streams: Streams, owner: Owner, token: str, number: int, *, reset: bool
) -> AsyncIterator[str]:
    yield f"retry: 2000\n{_message('reset', number, {}) if reset else f'id: {number}' + chr(10) * 2}"
    for look in range(1, streams.pace.looks_at_most):
        try:
            while True:
                events = await anyio.to_thread.run_sync(_since, memory, owner, number)
                # Checked after reading: a session that was revoked meanwhile sees nothing that came later.
                if await anyio.to_thread.run_sync(memory.access.check, token) is None:
                    return
                if not events:
                    break
                number = events[-1].number or number
                yield "".join(
                    _message("change", part.number or 0, _change(part))
                    for event in events
                    for part in parts_of(event)
                )
        except CelestialError:
            return  # closed, or not to be read now: the browser tries again
        if look % streams.pace.looks_a_heartbeat == 0:
            yield _HEARTBEAT
        if await streams.pause():
            return


def _since(memory: CelestialMemory, owner: Owner, number: int) -> list[Event]:
    return [*memory.of(owner.user_id, owner.agent_id).ledger.since(number, _AT_ONCE)]


def _beginning(memory: CelestialMemory, owner: Owner, last_seen: str) -> tuple[int, bool]:
    """The number to start from, and whether so much was missed that the client must reload."""
    head = memory.of(owner.user_id, owner.agent_id).ledger.head()
    newest = 0 if head is None else head.number
    if not (last_seen.isascii() and last_seen.isdigit() and len(last_seen) < 19):
        return newest, False
    missed = newest - int(last_seen)
    # A number that is not there yet is of another past: a backup was put back.
    return (int(last_seen), False) if 0 <= missed <= _TOO_FAR_BEHIND else (newest, True)


def _change(event: Event) -> dict[str, object]:
    return {"event": event.number, "type": event.name, "id": event.item_id, "at": event.at}


def _message(kind: str, number: int, data: dict[str, object]) -> str:
    return f"id: {number}\nevent: {kind}\ndata: {json.dumps(data)}\n\n"
