"""Spans: one for every operation of REST, MCP and the command line, by the conventions, without any content."""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import anyio
import pytest

pytest.importorskip("opentelemetry.sdk", reason="needs the extra otel")

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.surfaces.cli import main
from celestial_engine.surfaces.operations.catalogue import OPERATIONS
from celestial_engine.surfaces.tracing import _KIND_OF

SECRET = "the secret garden behind the old mill"
ALLOWED = {
    "celestial.operation",
    "celestial.channel",
    "gen_ai.operation.name",
    "gen_ai.memory.record.id",
    "gen_ai.memory.record.count",
    "error.type",
}


@pytest.fixture
def spans(monkeypatch):
    """Returns the spans that have ended since it was called last."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)

    def ended():
        # The MCP library has spans of its own, around ours.
        found = [one for one in exporter.get_finished_spans() if one.instrumentation_scope.name == "celestial_engine"]
        exporter.clear()
        for one in found:
            assert set(one.attributes) <= ALLOWED
            assert "garden" not in one.to_json()
            assert not one.events, "an exception would tell its message"
        return found

    yield ended
    provider.shutdown()


def test_every_name_is_an_operation():
    assert _KIND_OF.keys() <= {operation.name for operation in OPERATIONS}


def test_rest(http, spans):
    saved = http.post("/v1/memories", json={"content": SECRET}).json()
    (span,) = spans()
    assert span.name == "create_memory"
    assert dict(span.attributes) == {
        "celestial.operation": "memory_save",
        "celestial.channel": "rest",
        "gen_ai.operation.name": "create_memory",
        "gen_ai.memory.record.id": saved["id"],
        "gen_ai.memory.record.count": 1,
    }
    http.post("/v1/memories/search", json={"query": "garden"})
    (span,) = spans()
    assert (span.name, span.attributes["gen_ai.memory.record.count"]) == ("search_memory", 1)
    http.get("/v1/stats")
    (span,) = spans()
    assert span.name == "celestial memory_stats"
    assert "gen_ai.operation.name" not in span.attributes


def test_an_error_is_told_by_its_code(http, spans):
    http.delete("/v1/memories/secret-garden")
    (span,) = spans()
    assert (span.name, span.status.status_code, span.status.description) == ("delete_memory", StatusCode.ERROR, None)
    assert span.attributes["error.type"] == "not_found"


def test_mcp(served, spans):
    from mcp import Client

    from celestial_engine.surfaces.mcp.desk import Desk, Guest
    from celestial_engine.surfaces.mcp.server import build_server

    async def call() -> None:
        server = build_server(lambda: Desk.over(served.memory), lambda _: Guest(LOCAL_OWNER), "mcp, over stdio")
        async with Client(server) as client:
            await client.call_tool("memory_save", {"content": SECRET})

    anyio.run(call)
    (span,) = spans()
    assert (span.name, span.attributes["celestial.channel"]) == ("create_memory", "mcp")


def test_the_command_line(tmp_path, spans, capsys):
    assert main(["store", SECRET, "--db", str(tmp_path / "memory.db")]) == 0
    (span,) = spans()
    assert (span.name, span.attributes["celestial.channel"]) == ("create_memory", "cli")


@contextmanager
def collector():
    """A receiver of OTLP over HTTP: its address, and what was posted to it."""
    received: list[tuple[str, bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            received.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", received
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.slow
def test_spans_are_sent_to_the_endpoint(tmp_path, monkeypatch):
    """A command that ends at once has sent its span; compression is off, so that it can be read here."""
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs the extra otel")
    with collector() as (address, received):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        command = [sys.executable, "-m", "celestial_engine", "store", SECRET, "--db", str(tmp_path / "memory.db")]
        subprocess.run(command, check=True, capture_output=True)
    ((path, body),) = received
    assert path == "/v1/traces"
    assert b"create_memory" in body
    assert b"celestial" in body
    assert b"garden" not in body
