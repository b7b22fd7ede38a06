"""Fixtures for the login: a memory on a file, an anonymous browser, and a signed-in one."""

from __future__ import annotations

import httpx
import pytest
from fastapi.testclient import TestClient

from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.surfaces.rest.app import build_app

HOST = "http://127.0.0.1:8484"


@pytest.fixture
def host():
    return HOST


@pytest.fixture
def options():
    """Engine options for opening a memory quickly."""
    return {
        "embedder": "none",
        "rebalance_interval": None,
        "settings": Settings(StorageSettings("normal", words="pairs")),
    }


@pytest.fixture
def memory(tmp_path, clock, options):
    with CelestialMemory(tmp_path / "m.db", clock=clock, **options) as memory:
        yield memory


@pytest.fixture
def browser():
    """A browser without a session."""

    def browser(memory: CelestialMemory, base_url: str = HOST) -> TestClient:
        return TestClient(build_app(memory), base_url=base_url, follow_redirects=False)

    return browser


@pytest.fixture
def page(memory, browser):
    """A signed-in browser, with its token for changes."""
    client = browser(memory)
    assert client.get("/login", params={"key": memory.access.login_key()}).status_code == 303
    client.headers["x-csrf-token"] = client.get("/dashboard/session").json()["csrf"]
    return client


@pytest.fixture
def code_of():
    """The problem type of an answer."""

    def code_of(answer: httpx.Response) -> str:
        assert answer.headers["content-type"] == "application/problem+json"
        return answer.json()["code"]

    return code_of
