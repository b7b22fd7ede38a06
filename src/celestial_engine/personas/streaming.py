"""A run as an iterator of its events: it goes on in a thread, and stops when nobody takes them any more."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue

from celestial_engine.core.personas.run import RunEvent

OnEvent = Callable[[RunEvent], None]


class StopRun(BaseException):
    """Ends a run from inside one of its events. Not an Exception: nothing on the way may handle it."""


def streamed(run: Callable[[OnEvent], object]) -> Iterator[RunEvent]:
    """Yields the events of a run; its error is raised after the last one. Closing the iterator stops the run."""
    events: SimpleQueue[RunEvent | BaseException | None] = SimpleQueue()
    stopped = threading.Event()

    def on_event(event: RunEvent) -> None:
        if stopped.is_set():
            raise StopRun
        events.put(event)

    def work() -> None:
        try:
            run(on_event)
        except StopRun:
            pass
        except BaseException as error:  # noqa: BLE001 - raised again where the events are taken
            events.put(error)
        events.put(None)

    threading.Thread(target=work, name="celestial-personas", daemon=True).start()
    try:
        while (event := events.get()) is not None:
            if isinstance(event, BaseException):
                raise event
            yield event
    finally:
        stopped.set()
