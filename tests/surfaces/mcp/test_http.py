"""MCP over HTTP: tokens, owners, scopes, and the application around it."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time

import anyio
import httpx2
import pytest
from starlette.applications import Starlette

from celestial_engine import CelestialMemory
from celestial_engine.core.access import Scope
from celestial_engine.surfaces.mcp.http import mount

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "plain", "version": "1"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture
def memory(tmp_path):
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as opened:
        yield opened


def bearer(token):
    return {**ACCEPT, "Authorization": f"Bearer {token}"}


def test_nobody_comes_in_without_a_token(memory, ways):
    with ways.served(memory) as address:
        for word in (None, "Bearer cel_wrong", "Basic eDp5", "Bearer"):
            headers = ACCEPT if word is None else {**ACCEPT, "Authorization": word}
            answer = httpx2.post(f"{address}/mcp", json=HELLO, headers=headers)
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_revoked_token_ends_at_once(memory, ways):
    token, grant = memory.access.grant("short")
    with ways.served(memory) as address:
        assert httpx2.post(f"{address}/mcp", json=HELLO, headers=bearer(token)).status_code == 200
        memory.access.revoke(grant.id)
        assert httpx2.post(f"{address}/mcp", json=HELLO, headers=bearer(token)).status_code == 401


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_owner_and_scopes_come_with_the_token(mode, memory, ways):
    """Two owners on one server never see each other; a token that may only read is offered only that."""
    minas = memory.of("mina").store("Mina is allergic to peanuts").id
    mina, _ = memory.of("mina").access.grant("mina", [Scope.READ, Scope.WRITE])
    joon, _ = memory.of("joon").access.grant("joon", [Scope.READ])

    async def run(address):
        async with ways.over_http(address, mina, mode) as client:
            found = await client.call_tool("memory_search", {"query": "peanuts"})
            assert [hit["memory"]["id"] for hit in found.structured_content["hits"]] == [minas]
        async with ways.over_http(address, joon, mode) as client:
            offered = {offer.name for offer in (await client.list_tools()).tools}
            assert "memory_search" in offered
            assert not offered & {"memory_save", "memory_delete", "core_approve"}
            found = await client.call_tool("memory_search", {"query": "peanuts"})
            assert found.structured_content["hits"] == []
            missing = await client.call_tool("memory_get", {"id": minas})
            assert json.loads(missing.content[0].text)["error"] == "not_found"
            refused = await client.call_tool("memory_save", {"content": "joon was here"})
            assert json.loads(refused.content[0].text)["error"] == "scope"
            with pytest.raises(Exception, match="no memory"):
                await client.read_resource(f"memory://item/{minas}")
        assert memory.of("joon").stats()["total"] == 0

    with ways.served(memory) as address:
        anyio.run(run, address)


def test_a_session_belongs_to_its_token(memory, ways):
    """Somebody else's token does not open it, however good it is."""
    one, _ = memory.access.grant("one")
    other, _ = memory.of("other").access.grant("other")
    with ways.served(memory) as address:
        opened = httpx2.post(f"{address}/mcp", json=HELLO, headers=bearer(one))
        session = {"Mcp-Session-Id": opened.headers["mcp-session-id"], "Mcp-Protocol-Version": "2025-06-18"}
        stats = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
        assert httpx2.post(f"{address}/mcp", json=stats, headers={**bearer(one), **session}).status_code == 200
        answer = httpx2.post(f"{address}/mcp", json=stats, headers={**bearer(other), **session})
        assert answer.status_code in (401, 403, 404)


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": "https://evil.example"}])
@pytest.mark.parametrize("inside", ["rest", "alone"])
def test_pages_of_others_have_no_business_here(inside, headers, memory, ways):
    token, _ = memory.access.grant("page")
    if inside == "rest":
        with ways.served(memory) as address:
            answer = httpx2.post(f"{address}/mcp", json=HELLO, headers={**bearer(token), **headers})
        assert answer.status_code in (403, 421)
        return

    async def run():
        app = Starlette()
        mount(app, memory)
        async with app.router.lifespan_context(app):
            transport = httpx2.ASGITransport(app)
            async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:80") as http:
                good = await http.post("/mcp", json=HELLO, headers=bearer(token))
                bad = await http.post("/mcp", json=HELLO, headers={**bearer(token), **headers})
        assert (good.status_code, bad.status_code) == (200, bad.status_code)
        assert bad.status_code in (403, 421)

    anyio.run(run)


def test_rest_answers_beside_it(memory, ways):
    """Both under one address, by one token."""
    token, _ = memory.access.grant("both")
    with ways.served(memory) as address:
        saved = httpx2.post(f"{address}/v1/memories", json={"content": "stored by REST"}, headers=bearer(token))
        assert saved.status_code == 201

        async def run():
            async with ways.over_http(address, token, "auto") as client:
                return await client.call_tool("memory_get", {"id": saved.json()["id"]})

        assert anyio.run(run).structured_content["content"] == "stored by REST"
    assert memory.get(saved.json()["id"])  # whoever opened the memory closes it


def test_lifespans_are_chained(memory):
    """What the application does at its start and end is still done."""
    from contextlib import asynccontextmanager

    told = []

    @asynccontextmanager
    async def around(app):
        told.append("up")
        yield {"kept": True}
        told.append("down")

    app = Starlette(lifespan=around)
    mount(app, memory)

    async def run():
        async with app.router.lifespan_context(app) as state:
            assert state == {"kept": True}

    anyio.run(run)
    assert told == ["up", "down"]


@pytest.mark.slow
def test_mcp_alone_over_http(tmp_path, ways):
    """`celestial mcp --http`: with a token it answers, and it ends when asked to."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        token, _ = memory.access.grant("alone")
    command = [sys.executable, "-m", "celestial_engine", "mcp", "--http", str(port), "--db", str(tmp_path / "m.db")]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=ways.environment())
    try:
        assert f"http://127.0.0.1:{port}/mcp" in server.stderr.readline()

        async def run():
            async with ways.over_http(f"http://127.0.0.1:{port}", token, "auto") as client:
                saved = await client.call_tool("memory_save", {"content": "over HTTP alone"})
                assert not saved.is_error

        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:  # it says where before it listens there
            with socket.socket() as knock:
                if knock.connect_ex(("127.0.0.1", port)) == 0:
                    break
        anyio.run(run)
        server.terminate()
        assert server.wait(60) == 0
        assert "Traceback" not in server.stderr.read()
    finally:
        server.kill()
        server.wait()
        server.stderr.close()
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        assert [item.content for item in memory.list()] == ["over HTTP alone"]


def test_nobody_listens_beyond_this_machine_without_a_token(tmp_path, capsys):
    from celestial_engine.surfaces.cli import main

    assert main(["mcp", "--http", "0.0.0.0:8485", "--db", str(tmp_path / "m.db")]) == 4
    assert "no token" in capsys.readouterr().err


def test_a_token_may_not_come_too_often(memory):
    """The same measure as for REST."""
    from celestial_engine.surfaces.rest.app import build_app
    from celestial_engine.surfaces.rest.settings import ServerSettings

    token, _ = memory.access.grant("eager")
    app = build_app(memory, ServerSettings(requests_per_second=0.001, burst=2))
    mount(app, memory, hosts=None)

    async def run():
        async with app.router.lifespan_context(app):
            transport = httpx2.ASGITransport(app)
            async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
                return [(await http.post("/mcp", json=HELLO, headers=bearer(token))).status_code for _ in range(3)]

    assert anyio.run(run) == [200, 200, 429]
