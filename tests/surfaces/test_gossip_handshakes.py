"""Connections in their TLS handshake: bounded in number and time, the oldest goes first, and each is counted."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from celestial_engine.core.federation.messages import Rejection
from celestial_engine.surfaces.gossip import handshakes as module
from celestial_engine.surfaces.gossip.handshakes import HANDSHAKE_SECONDS, Handshakes, TlsListener
from celestial_engine.surfaces.gossip.refusals import Refusals
from celestial_engine.testing.fakes import FakeClock


class Counted(Refusals):
    def __init__(self) -> None:
        super().__init__()
        self.reasons: list[Rejection] = []

    def add(self, reason: Rejection) -> None:
        self.reasons.append(reason)


@pytest.fixture
def door(monkeypatch) -> Iterator[tuple[TlsListener, Counted, FakeClock]]:
    monkeypatch.setattr(module, "MOST_HANDSHAKES", 2)
    refusals, clock = Counted(), FakeClock()
    with TlsListener.of(socket.create_server(("127.0.0.1", 0)), Handshakes(refusals, clock)) as listener:
        yield listener, refusals, clock


def connected(listener: TlsListener) -> tuple[socket.socket, socket.socket]:
    client = socket.create_connection(listener.getsockname(), 30)
    return client, listener.accept()[0]


def is_ended(client: socket.socket) -> bool:
    client.settimeout(30)
    return client.recv(1) == b""


def test_the_oldest_makes_room(door):
    listener, refusals, _ = door
    pairs = [connected(listener) for _ in range(3)]
    assert is_ended(pairs[0][0])
    assert refusals.reasons == [Rejection.TOO_MANY]
    for pair in pairs:
        for one in pair:
            one.close()


def test_who_is_done_or_gone_takes_no_room(door):
    listener, refusals, clock = door
    done, gone = connected(listener), connected(listener)
    listener.handshakes.done(done[1].fileno())
    gone[1].close()
    more = [connected(listener) for _ in range(2)]
    clock.advance(seconds=HANDSHAKE_SECONDS / 2)
    listener.handshakes.end_slow()
    assert refusals.reasons == []
    clock.advance(seconds=HANDSHAKE_SECONDS)
    listener.handshakes.end_slow()
    assert refusals.reasons == [Rejection.TOO_SLOW] * 2
    assert all(is_ended(client) for client, _ in more)
    done[1].sendall(b"!")  # this one is not touched
    assert done[0].recv(1) == b"!"
    for pair in (done, gone, *more):
        for one in pair:
            one.close()
