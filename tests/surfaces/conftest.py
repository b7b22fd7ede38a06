from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import uvicorn

from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.core.access import EVERYTHING
from celestial_engine.surfaces.rest.app import build_app
from celestial_engine.surfaces.rest.serving import address_of, listening
from celestial_engine.surfaces.rest.settings import ServerSettings


@dataclass(frozen=True)
class Served:
    """A memory behind a real server on its own port."""

    url: str
    memory: CelestialMemory
    token: str

    def client(self, token: str | None = None) -> httpx.Client:
        return httpx.Client(base_url=self.url, headers={"authorization": f"Bearer {token or self.token}"}, timeout=60)


@contextmanager
def run_server(memory: CelestialMemory, settings: ServerSettings | None = None) -> Iterator[Served]:
    listener = listening("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(build_app(memory, settings), log_level="critical", lifespan="on"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        token, _ = memory.access.grant("test", EVERYTHING)
        yield Served(address_of(listener), memory, token)
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server per module, without a rate limit that tests would hit."""
    path: Path = tmp_path_factory.mktemp("served") / "memory.db"
    settings = ServerSettings(requests_per_second=1e6, burst=1_000_000)
    options = {
        "embedder": "none",
        "rebalance_interval": None,
        "settings": Settings(StorageSettings("normal", words="pairs")),
    }
    with CelestialMemory(path, **options) as memory, run_server(memory, settings) as server:
        yield server


@pytest.fixture(scope="session")
def serve() -> Callable[..., AbstractContextManager[Served]]:
    """For a test that needs its own server."""
    return run_server


@pytest.fixture
def http(served: Served) -> Iterator[httpx.Client]:
    with served.client() as client:
        yield client


@pytest.fixture(scope="session")
def problem_of():
    """Parse the problem document of an error answer."""

    def read(answer: httpx.Response) -> dict:
        assert answer.headers["content-type"] == "application/problem+json"
        document = answer.json()
        assert document["status"] == answer.status_code
        assert document["detail"]
        return document

    return read
