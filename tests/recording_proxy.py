"""A TCP proxy on loopback that records every byte in both directions."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator, Sequence


@contextlib.contextmanager
def recorded(targets: Sequence[int]) -> Iterator[tuple[list[int], list[bytes]]]:
    """Yields a port for every target port, and the list that the traffic is added to."""
    traffic: list[bytes] = []
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in targets]
    for listener, target in zip(listeners, targets, strict=True):
        threading.Thread(target=_accept, args=(listener, target, traffic), daemon=True).start()
    try:
        yield [listener.getsockname()[1] for listener in listeners], traffic
    finally:
        for listener in listeners:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()


def _accept(listener: socket.socket, target: int, traffic: list[bytes]) -> None:
    with contextlib.suppress(OSError):
        while True:
            client, _ = listener.accept()
            try:
                server = socket.create_connection(("127.0.0.1", target))
            except OSError:  # the node is down
                client.close()
                continue
            for one, other in ((client, server), (server, client)):
                threading.Thread(target=_forward, args=(one, other, traffic), daemon=True).start()


def _forward(one: socket.socket, other: socket.socket, traffic: list[bytes]) -> None:
    with contextlib.suppress(OSError):
        while data := one.recv(65_536):
            traffic.append(data)
            other.sendall(data)
    with contextlib.suppress(OSError):
        other.shutdown(socket.SHUT_WR)
    one.close()  # the thread of the other direction still reads, and closes, the other end
