"""A TCP proxy in front of a Unix socket, whose network can be cut."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Iterator

_RESET = struct.pack("ii", 1, 0)


class Proxy:
    """Forwards connections to the socket; `cut` resets all of them and refuses new ones until `mend`."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._is_cut = False
        self._left: int | None = None
        self._part = 0.0
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def is_troubled(self) -> bool:
        """Whether it is cut, or will be."""
        return self._is_cut or self._left is not None

    def cut(self) -> None:
        self._is_cut = True
        self._left = None
        for pair in self._pairs:
            for end in pair:
                with contextlib.suppress(OSError):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                    end.shutdown(socket.SHUT_RDWR)
        self._pairs.clear()

    def cut_in(self, messages: int, part: float) -> None:
        """Cuts it after so many messages of either side; of the next one, only this part arrives."""
        with self._lock:
            self._left, self._part = messages, part

    def mend(self) -> None:
        self._is_cut, self._left = False, None

    @contextlib.contextmanager
    def calm(self) -> Iterator[None]:
        """Holds for a while, and is then as it was: cut, or about to be."""
        was_cut, left = self._is_cut, self._left
        self.mend()
        try:
            yield
        finally:
            if was_cut:
                self.cut()
            self._left = left

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def arriving(self, data: bytes) -> tuple[bytes, bool]:
        """Returns what arrives of a message, and whether the network is cut after it."""
        with self._lock:
            if self._left is None:
                return data, False
            self._left -= 1
            if self._left >= 0:
                return data, False
            self._left = None
            return data[: int(len(data) * self._part)], True

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self._is_cut:
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                try:
                    server.connect(self._target)
                except OSError:  # the server is down
                    server.close()
                    client.close()
                    continue
                self._pairs.append((client, server))
                for one, other in ((client, server), (server, client)):
                    threading.Thread(target=self._forward, args=(one, other), daemon=True).start()

    def _forward(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65_536):
                data, is_last = self.arriving(data)
                other.sendall(data)
                if is_last:
                    self.cut()
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        one.close()


@contextlib.contextmanager
def proxied(target: str) -> Iterator[Proxy]:
    proxy = Proxy(target)
    try:
        yield proxy
    finally:
        proxy.close()
