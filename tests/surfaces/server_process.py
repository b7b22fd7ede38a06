"""A server in a process of its own, as people start it."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def started(path: Path, *options: str):
    """`celestial serve` on a free port, with what it printed first."""
    with announced(_command(path, options)) as server:
        yield server


@contextmanager
def announced_with_errors(path: Path, *options: str):
    """The same, and a function that returns what the ended process wrote to standard error."""
    with announced(_command(path, options)) as (process, told):
        yield process, told, process.stderr.read


def _command(path: Path, options: tuple[str, ...]) -> list[str]:
    return [
        sys.executable,
        "-m",
        "celestial_engine",
        "serve",
        "--json",
        "--db",
        str(path),
        "--port",
        "0",
        *options,
    ]


@contextmanager
def announced(command: list[str], environment: dict[str, str] | None = None):
    """A process that prints a JSON object when it is up; killed at the end if it still runs."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        lines = []
        while not lines or lines[-1].rstrip() != "}":
            line = process.stdout.readline()
            assert line, process.stderr.read()
            lines.append(line)
        yield process, json.loads("".join(lines))
    finally:
        process.kill()
        process.communicate()


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


@contextmanager
def half_sent(told: dict[str, str], content: str):
    """A request that the server has begun to read: `send` sends what is left of it, and returns the status line."""
    body = json.dumps({"content": content}).encode()
    host = told["url"].removeprefix("http://")
    head = (
        f"POST /v1/memories HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {told['token']}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n"
    )
    with socket.create_connection(host.split(":"), timeout=60) as raw:
        raw.sendall(head.encode())
        assert raw.recv(1000).startswith(b"HTTP/1.1 100")

        def send() -> bytes:
            raw.sendall(body)
            return raw.recv(1000).partition(b"\r\n")[0]

        yield send
