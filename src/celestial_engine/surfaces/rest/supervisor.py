"""Several processes on one socket: starts them, restarts those that die, and lets them finish at the end."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import signal
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from celestial_engine.surfaces.rest.serving import GRACE_SECONDS
from celestial_engine.surfaces.rest.worker import READY, WorkerSetup, work

logger = logging.getLogger(__name__)

_CLOSING_SECONDS = 30  # after the grace, for closing the database
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 1.0, 30.0
_SETTLED_SECONDS = 60.0  # a worker that lived so long did not fail at its start
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class WorkerStartError(Exception):
    """A worker ended before it served anything."""

    def __init__(self, exit_code: int | None) -> None:
        super().__init__(f"a worker ended with exit code {exit_code} before it was ready")
        self.exit_code = exit_code


@dataclass
class _Place:
    """One of the processes: the one that runs, or when the next one starts."""

    process: SpawnProcess | None = None
    pipe: Connection | None = None
    ready: bool = False
    started_at: float = 0.0
    restart_at: float = 0.0
    pause: float = _FIRST_PAUSE_SECONDS


def supervise(count: int, setup: WorkerSetup, listener: socket.socket, started: Callable[[], None]) -> None:
    """Serves with `count` processes until SIGTERM or Ctrl-C; a second signal kills them. Closes the listener."""
    with _signals() as signals, contextlib.closing(listener):
        supervisor = _Supervisor(count, setup, listener)
        try:
            if supervisor.start(signals):
                started()
                supervisor.keep_running(signals)
            supervisor.drain(signals)
        finally:
            supervisor.kill()


class _Supervisor:
    def __init__(self, count: int, setup: WorkerSetup, listener: socket.socket) -> None:
        self._setup, self._listener = setup, listener
        self._context = multiprocessing.get_context("spawn")  # a fork would copy locks that other threads hold
        self._places = [_Place() for _ in range(count)]

    def start(self, signals: Connection) -> bool:
        """Starts all, and waits until they serve; False if a signal came first."""
        for place in self._places:
            self._start(place)
        while not all(place.ready for place in self._places):
            if self._wait(signals, None):
                return False
            for place in self._places:
                if place.process is not None and not place.process.is_alive() and not self._is_ready(place):
                    raise WorkerStartError(place.process.exitcode)
        return True

    def keep_running(self, signals: Connection) -> None:
        """Starts a dead worker again after a pause, which grows while it dies soon after its start."""
        while not self._wait(signals, self._next_restart()):
            now = time.monotonic()
            for place in self._places:
                if place.process is not None and not place.process.is_alive():
                    self._bury(place, now)
                elif place.process is None and now >= place.restart_at:
                    self._start(place)

    def drain(self, signals: Connection) -> None:
        """Lets all finish what they began; ends when they have, at a second signal, or when it takes too long."""
        self._listener.close()  # the last worker that closes it frees the port
        for place in self._places:
            if place.pipe is not None:
                place.pipe.close()
                place.pipe, place.ready = None, True
        deadline = time.monotonic() + GRACE_SECONDS + _CLOSING_SECONDS
        while any(place.process is not None and place.process.is_alive() for place in self._places):
            if self._wait(signals, deadline) or time.monotonic() >= deadline:
                return

    def kill(self) -> None:
        for place in self._places:
            if place.process is not None:
                if place.process.is_alive():
                    place.process.kill()
                place.process.join()

    def _start(self, place: _Place) -> None:
        place.pipe, theirs = self._context.Pipe()
        place.process = self._context.Process(
            target=work, args=(self._setup, self._listener, theirs), name="celestial worker", daemon=True
        )
        place.ready, place.started_at = False, time.monotonic()
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # inherited: Ctrl-C is for the parent
        try:
            place.process.start()
        finally:
            signal.signal(signal.SIGINT, before)
            theirs.close()

    def _bury(self, place: _Place, now: float) -> None:
        if place.process is None:
            return
        if now - place.started_at >= _SETTLED_SECONDS:
            place.pause = _FIRST_PAUSE_SECONDS
        logger.warning(
            "worker %s ended with exit code %s; another one starts in %.0f s",
            place.process.pid, place.process.exitcode, place.pause,
        )  # fmt: skip
        place.process.join()
        if place.pipe is not None:
            place.pipe.close()
        place.process, place.pipe = None, None
        place.restart_at, place.pause = now + place.pause, min(place.pause * 2, _LONGEST_PAUSE_SECONDS)

    def _next_restart(self) -> float | None:
        return min((place.restart_at for place in self._places if place.process is None), default=None)

    def _wait(self, signals: Connection, until: float | None) -> bool:
        """Waits until a worker ends or is ready, or until that moment; True if a signal came."""
        alive = [place.process.sentinel for place in self._places if place.process is not None]
        starting = [place.pipe for place in self._places if place.pipe is not None and not place.ready]
        timeout = None if until is None else max(0.0, until - time.monotonic())
        happened = wait([*alive, *starting, signals], timeout)
        for place in self._places:
            if place.pipe in happened:
                self._is_ready(place)
        if signals not in happened:
            return False
        signals.recv_bytes()
        return True

    def _is_ready(self, place: _Place) -> bool:
        if not place.ready and place.pipe is not None:
            with contextlib.suppress(EOFError, OSError):
                place.ready = place.pipe.poll() and place.pipe.recv_bytes() == READY
        return place.ready


@contextlib.contextmanager
def _signals() -> Iterator[Connection]:
    """A pipe with a message for each SIGTERM or Ctrl-C, so that they can be waited for with the workers."""
    reader, writer = multiprocessing.get_context("spawn").Pipe(duplex=False)
    before = {number: signal.signal(number, lambda *_: writer.send_bytes(b"signal")) for number in _SIGNALS}
    try:
        yield reader
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        reader.close()
        writer.close()
