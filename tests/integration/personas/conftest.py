"""A scripted server that speaks OpenAI's chat protocol, streaming or not, and fails as planned."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from celestial_engine import PersonaRegistry


class ChatServer(ThreadingHTTPServer):
    """`plan` lists what happens to each request: a text, a list of pieces, a status, bytes, or a word for a failure."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.plan: list[Any] = []
        self.seen: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def registry(self, timeout: float = 10.0, **more: Any) -> PersonaRegistry:
        return PersonaRegistry.read(
            {
                "cycle": ["thesis", "antithesis"],
                "backends": {"local": {"type": "http", "url": self.url, "model": "tiny", "timeout": timeout, **more}},
                "personas": [{"id": name, "backend": "local", "max_tokens": 77} for name in ("thesis", "antithesis")],
            }
        )


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server: Any = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.seen.append(body)
        server.keys.append(self.headers.get("Authorization"))
        step = server.plan.pop(0) if server.plan else "fine"
        with contextlib.suppress(OSError):
            self._answer(server, body, step)

    def _answer(self, server: Any, body: dict[str, Any], step: Any) -> None:
        if step == "silence":
            server.closing.wait(30)
        elif isinstance(step, int):
            self._send(step, b'{"error": {"type": "some_error", "message": "no"}}')
        elif isinstance(step, bytes):
            self._send(200, step)
        elif body.get("stream") and step != "whole":
            self._stream(step if isinstance(step, list) else [step], server)
        else:
            message = {"role": "assistant", "content": "".join(step)}
            self._send(200, json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode())

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, pieces: list[Any], server: Any) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for piece in pieces:
            if piece == "<hang>":
                server.closing.wait(30)
                return
            if piece == "<cut>":
                return
            event = piece if isinstance(piece, bytes) else json.dumps(_chunk(piece)).encode()
            self.wfile.write(b"data: " + event + b"\n\n")
            self.wfile.flush()
        self.wfile.write(b"data: " + json.dumps(_chunk("", "stop")).encode() + b"\n\ndata: [DONE]\n\n")

    def log_message(self, *_: Any) -> None:
        pass


def _chunk(text: str, finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]}


@pytest.fixture
def server() -> Iterator[ChatServer]:
    chat = ChatServer()
    thread = threading.Thread(target=chat.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield chat
    chat.closing.set()
    chat.shutdown()
    chat.server_close()
