"""Ten thousand connections at once to a real process: it goes on, holds few of them, and counts the rest."""

from __future__ import annotations

import contextlib
import os
import resource
import selectors
import socket
import ssl
from collections.abc import Iterator

import pytest
from tests.certificates import make_authority
from tests.gossip_processes import Process, introduce, running, wait_for

pytestmark = pytest.mark.slow
CONNECTIONS = 10_000
_HEAD = b"POST /gossip HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n"


@pytest.fixture
def many_files() -> Iterator[None]:
    """Raises this process' own limit of open files as far as it may, and sets it back."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + 1_000
    if hard not in (resource.RLIM_INFINITY,) and hard < wanted:
        pytest.skip(f"the system allows {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def opened(port: int, count: int, first_bytes: bytes) -> list[socket.socket]:
    """Opens connections, some hundred at a time, and sends the beginning of a request on each."""
    everything: list[socket.socket] = []
    with selectors.DefaultSelector() as selector:
        while len(everything) < count:
            batch = []
            for _ in range(min(200, count - len(everything))):
                one = socket.socket()
                one.setblocking(False)
                one.connect_ex(("127.0.0.1", port))
                selector.register(one, selectors.EVENT_WRITE)
                batch.append(one)
            waiting = set(batch)
            while waiting:
                ready = [key.fileobj for key, _ in selector.select(30.0)]
                assert ready, "the node accepts nothing any more"
                for one in ready:
                    with contextlib.suppress(OSError):
                        one.send(first_bytes) if first_bytes else None
                    selector.unregister(one)
                    waiting.discard(one)
            everything += batch
    return everything


def connected(port: int, ca: str | None) -> socket.socket:
    plain = socket.create_connection(("127.0.0.1", port), 30)
    return (
        plain if ca is None else ssl.create_default_context(cafile=ca).wrap_socket(plain, server_hostname="localhost")
    )


def open_files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts open files in /proc")
@pytest.mark.parametrize(
    ("first_bytes", "over_tls"),
    [
        (b"", False),
        (b"POST /gossip HTTP/1.1\r\nHost: x\r\n", False),
        (b"\x16\x03\x01\x02\x00\x01\x00", True),  # the beginning of a TLS handshake
    ],
    ids=["silent", "half-open", "half a TLS handshake"],
)
def test_ten_thousand_connections_change_nothing(tmp_path, many_files, first_bytes, over_tls):
    ca, certificate, key = make_authority(tmp_path)
    tls = (certificate, key) if over_tls else None
    nodes = [Process(tmp_path, number, attackers=0, tls=tls, SSL_CERT_FILE=ca) for number in range(3)]
    introduce(nodes)
    with running(nodes):
        wait_for(lambda: all(node.status().candidate_on for node in nodes))
        node = nodes[0]
        before, files = node.status(), open_files(node.process.pid)
        flood = opened(node.port, CONNECTIONS, first_bytes)
        try:
            # All of them are still open on this side; a peer gets through, and rounds go on both ways.
            wait_for(lambda: open_files(node.process.pid) < files + 300)
            reached = {other.key: other.status().rounds for other in nodes}
            wait_for(lambda: all(other.status().rounds > reached[other.key] + 1 for other in nodes))
            body = b"garbage!"
            with connected(node.port, ca if over_tls else None) as stranger:
                stranger.sendall(_HEAD % len(body) + body)
                assert stranger.recv(100).split(b" ")[1] == b"403"
        finally:
            for one in flood:
                one.close()
        wait_for(lambda: sum(node.status().rejected.get(name, 0) for name in ("too_many", "too_slow")) > 9_000)
        after = node.status()
    assert after.rejected["garbage"] == before.rejected.get("garbage", 0) + 1
    assert set(after.rejected) <= {"too_many", "too_slow", "garbage"}
    assert (after.candidate_on, after.used_updates, after.releases) == (True, before.used_updates, before.releases)
    assert [(peer.key, peer.state) for peer in after.peers] == [(peer.key, peer.state) for peer in before.peers]
