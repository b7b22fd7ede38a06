"""Standard input and output as the door for one client. Needs nothing but Python, so that it opens at once.

Both are taken away from everybody else: what some library prints goes to standard error, and what it reads is empty.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable, Iterator
from queue import Full, Queue
from typing import Any, BinaryIO

from celestial_engine.surfaces.mcp.greeting import greeting, listing

_MOST_WAITING = 64  # lines; more of them wait in the pipe
_ASKS_FOR_TOOLS = b'"tools/list"'


class Inbox:
    """The lines a client sends, as a file that can be closed from here as well."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lines: Queue[str] = Queue(_MOST_WAITING)
        self._closed = False

    def first(self) -> str:
        """The line that opens a connection. It stays in the box."""
        line = _text(self._stream.readline())
        self._lines.put(line)
        return line

    def listen(self, answered: Callable[[bytes], bool]) -> None:
        """Takes the other lines, from now on; one that is `answered` does not come into the box."""
        # A daemon: a thread that reads from a silent client cannot be woken.
        threading.Thread(target=self._listen, args=(answered,), name="celestial-stdin", daemon=True).start()

    def readline(self) -> str:
        """The next line; an empty one when the client has gone."""
        line = self._lines.get()
        return "" if self._closed else line

    def close(self) -> None:
        self._closed = True
        with contextlib.suppress(Full):
            self._lines.put_nowait("")

    def _listen(self, answered: Callable[[bytes], bool]) -> None:
        with contextlib.suppress(OSError):
            for line in self._stream:
                if not answered(line):
                    self._lines.put(_text(line))
        self._lines.put("")


class Outbox:
    """Writes to the client; `on_disconnect` is called when it no longer reads."""

    def __init__(self, stream: BinaryIO, on_disconnect: Callable[[], None]) -> None:
        self._stream = stream
        self._on_disconnect = on_disconnect
        self._answered_id: str | int | None = None
        self._one_at_a_time = threading.Lock()  # the server writes, and so does the door

    def say_first(self, answer: dict[str, Any]) -> None:
        """Answers before the server, whose own answer to the same request is then dropped."""
        self.say(answer)
        self._answered_id = answer["id"]

    def say(self, answer: dict[str, Any]) -> None:
        """Answers a message that is not passed to the server."""
        self._send(json.dumps(answer, ensure_ascii=False, separators=(",", ":")) + "\n")
        self.flush()

    def write(self, text: str) -> None:
        if self._answered_id is not None and self._is_already_answered(text):
            self._answered_id = None
            return
        self._send(text)

    def _send(self, text: str) -> None:
        with self._noticing(), self._one_at_a_time:
            self._stream.write(text.encode("utf-8", "replace"))

    def flush(self) -> None:
        with self._noticing(), self._one_at_a_time:
            self._stream.flush()

    def _is_already_answered(self, text: str) -> bool:
        answer = json.loads(text)
        return answer.get("id") == self._answered_id and "result" in answer and "method" not in answer

    @contextlib.contextmanager
    def _noticing(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError):
            self._on_disconnect()


class Doorway:
    """The two directions, and the greeting between them."""

    def __init__(self) -> None:
        wire_in, wire_out = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        self.inbox = Inbox(os.fdopen(wire_in, "rb", closefd=False))
        self.outbox = Outbox(os.fdopen(wire_out, "wb", closefd=False), self.inbox.close)

    def greet(self, profile: str | None = None) -> None:
        """Waits for the client, and answers if it says what clients say first.

        Clients then ask for the tools, and some give up when importing a server takes longer than they wait: with a
        `profile` the door lists its tools itself.
        """
        line = self.inbox.first()
        greeted: dict[str, Any] | None = None
        with contextlib.suppress(ValueError, RecursionError):
            greeted = greeting(json.loads(line))
        if greeted is not None:
            self.outbox.say_first(greeted)

        def answered(line: bytes) -> bool:
            if profile is None or _ASKS_FOR_TOOLS not in line:
                return False
            answer = None
            with contextlib.suppress(ValueError, RecursionError):
                answer = listing(json.loads(line), greeted, profile)
            if answer is not None:
                self.outbox.say(answer)
            return answer is not None

        self.inbox.listen(answered)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace")
