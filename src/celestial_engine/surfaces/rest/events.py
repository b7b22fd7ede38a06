"""An operation that streams, as server-sent events: what happens, and at the end its answer or its problem."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import AsyncIterator, Callable
from queue import Empty, Queue
from typing import Any

import anyio.to_thread
from fastapi import Request
from fastapi.responses import Response, StreamingResponse

from celestial_engine.errors import CelestialError
from celestial_engine.surfaces.http.problems import RefusedError, problem, problem_of

logger = logging.getLogger(__name__)

MEDIA_TYPE = "text/event-stream"
RESULT, PROBLEM = "result", "problem"
_HEARTBEAT = ": still here\n\n"
_HEARTBEAT_SECONDS = 15
_LOOK_SECONDS = 1.0
_RETRY = {"Retry-After": "10"}
_LIVE = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

_MOST_AT_ONCE = 16  # each holds a thread

OnEvent = Callable[[str, dict[str, Any]], None]
_places = threading.BoundedSemaphore(_MOST_AT_ONCE)


class _Stopped(BaseException):
    """Nobody listens any more. Not an Exception: nothing on the way may handle it."""


class _Work:
    """The operation in a thread of its own, and the events it has sent so far."""

    def __init__(self, run: Callable[[OnEvent], dict[str, Any]]) -> None:
        self._run = run
        self._events: Queue[tuple[str, Any]] = Queue()
        self._stopped = threading.Event()
        threading.Thread(target=self._work, name="celestial-events", daemon=True).start()

    def stop(self) -> None:
        """Ends the work at its next event."""
        self._stopped.set()

    def next(self) -> tuple[str, Any] | None:
        """The next event; None if there is none yet."""
        try:
            return self._events.get(timeout=_LOOK_SECONDS)
        except Empty:
            return None

    def _work(self) -> None:
        last: tuple[str, Any] | None = None
        try:
            last = RESULT, self._run(self._on_event)
        except _Stopped:
            pass
        except BaseException as error:  # noqa: BLE001 - told to whoever listens
            last = PROBLEM, error
        finally:
            _places.release()  # before the last event: whoever got it may ask again
        if last is not None:
            self._events.put(last)

    def _on_event(self, name: str, event: dict[str, Any]) -> None:
        if self._stopped.is_set():
            raise _Stopped
        self._events.put((name, event))


def wants_events(request: Request) -> bool:
    return MEDIA_TYPE in request.headers.get("accept", "")


async def events_of(run: Callable[[OnEvent], dict[str, Any]], language: str) -> Response:
    """Answers once the first event is there: what is wrong with a request has its own status, as ever."""
    if not _places.acquire(blocking=False):
        raise RefusedError(429, "too_many_streams", "Too many runs are under way; try again later.", _RETRY)
    work = _Work(run)
    try:
        first = None
        while first is None:
            first = await anyio.to_thread.run_sync(work.next)
        if first[0] == PROBLEM:
            raise first[1]
    except BaseException:
        work.stop()
        raise
    return StreamingResponse(_messages(work, first, language), media_type=MEDIA_TYPE, headers=_LIVE)


async def _messages(work: _Work, first: tuple[str, Any], language: str) -> AsyncIterator[str]:
    try:
        message: tuple[str, Any] | None = first
        silent = 0.0
        while True:
            if message is None:
                silent += _LOOK_SECONDS
                if silent >= _HEARTBEAT_SECONDS:
                    silent = 0.0
                    yield _HEARTBEAT
            else:
                silent = 0.0
                name, event = message
                yield _message(name, _problem(event, language) if name == PROBLEM else event)
                if name in (RESULT, PROBLEM):
                    return
            message = await anyio.to_thread.run_sync(work.next)
    finally:
        work.stop()


def _problem(error: BaseException, language: str) -> Any:
    if isinstance(error, CelestialError):
        return json.loads(bytes(problem_of(error, language).body))
    logger.error("an operation failed unexpectedly", exc_info=error)
    return json.loads(
        bytes(problem(500, "unexpected", "Something went wrong here; the server's log says what.").body)
    )


def _message(name: str, event: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"
