"""deploy/compose.postgres.yml as processes: PostgreSQL, two servers by its commands, and HAProxy with its file."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.postgres_server import Server
from tests.surfaces.server_process import announced, bearer

from celestial_engine import CelestialMemory

httpx = pytest.importorskip("httpx")
yaml = pytest.importorskip("yaml")
pytest.importorskip("fastapi")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("haproxy") is None, reason="haproxy is not installed"),
]
DEPLOY = Path(__file__).parents[2] / "deploy"


@contextmanager
def balanced(ports: dict[str, int], folder: Path):
    """HAProxy on a free port, with addresses on this machine in place of the names of services."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = (DEPLOY / "haproxy.cfg").read_text(encoding="utf-8").replace("bind :8484", f"bind 127.0.0.1:{port}")
    for name, own in ports.items():
        assert f"{name}:8484" in config
        config = config.replace(f"{name}:8484", f"127.0.0.1:{own}")
    # Names are addresses here, so nobody has to be asked for them.
    config = config.replace(" resolvers docker", "").partition("resolvers docker")[0]
    file = folder / "haproxy.cfg"
    file.write_text(config, encoding="utf-8")
    process = subprocess.Popen(["haproxy", "-db", "-f", str(file)], stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def test_requests_go_on_when_a_server_dies(postgres: Server, tmp_path, monkeypatch):
    """Through the balancer: one server is killed, and nothing that was acknowledged is lost."""
    compose = yaml.safe_load((DEPLOY / "compose.postgres.yml").read_text(encoding="utf-8"))
    url = postgres.url()
    environment = {**os.environ, "CELESTIAL_EMBEDDER": "none", "CELESTIAL_DB": url}
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "none")
    with CelestialMemory(url, rebalance_interval=None) as memory:
        secret, _ = memory.access.grant("admin")
    with ExitStack() as stack:
        processes, ports = {}, {}
        for name, service in compose["services"].items():
            if name.startswith("server"):
                command = [*service["command"], "--json"]
                command[command.index("8484")] = "0"
                process, told = stack.enter_context(
                    announced([sys.executable, "-m", "celestial_engine", *command], environment)
                )
                processes[name], ports[name] = process, int(told["url"].rpartition(":")[2])
        address = stack.enter_context(balanced(ports, tmp_path))
        client = stack.enter_context(httpx.Client(base_url=address, headers=bearer(secret), timeout=60))
        _until_ready(client)
        acknowledged = [_store(client, n) for n in range(6)]
        killing = threading.Thread(target=processes["server-1"].kill)
        killing.start()
        acknowledged += [_store(client, n) for n in range(6, 18)]
        killing.join()
        kept = {one for one in acknowledged if one is not None}
        assert len(kept) > 10
        found = client.post("/v1/memories/list", json={"limit": 100}).json()["memories"]
        assert kept <= {memory["id"] for memory in found}
        assert _store(client, 99) is not None, "the other one answers"


def _until_ready(client) -> None:
    """HAProxy takes a moment to listen, and asks /ready every two seconds."""
    until = time.monotonic() + 120
    while not _is_ready(client):
        assert time.monotonic() < until
        time.sleep(0.1)


def _is_ready(client) -> bool:
    try:
        return client.get("/ready").status_code == 200
    except httpx.ConnectError:
        return False


def _store(client, number: int) -> str | None:
    """The id of a stored memory; None if it was not acknowledged, because the server died while it worked."""
    answer = client.post("/v1/memories", json={"content": f"Mina lives in house number {number}"})
    return answer.json()["id"] if answer.status_code in (200, 201) else None
