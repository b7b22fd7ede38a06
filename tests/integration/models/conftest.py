"""Fixtures: a fake model server that speaks both protocols and fails as planned."""

from __future__ import annotations

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from celestial_engine.providers.anthropic import AnthropicModel
from celestial_engine.providers.http import RetryPolicy
from celestial_engine.providers.openai_compatible import OpenAICompatibleModel

KEY = "sk-live-0123456789abcdefXYZ"


class Server(ThreadingHTTPServer):
    """`plan` lists the answers per request: a text, a status, a status with headers, or a whole body."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.plan: list[object] = []
        self.seen: list[dict] = []
        self.headers: list[dict] = []
        self.refused: set[str] = set()  # fields of a request that are answered 400
        self.closing = threading.Event()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        server = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.seen.append(body)
        server.headers.append({name.lower(): value for name, value in self.headers.items()})
        step = server.plan.pop(0) if server.plan else "fine"
        status, headers = 200, {}
        if refused := server.refused & {*body, body.get("response_format", {}).get("type", "")}:
            said = f"`{min(refused)}` is not supported, {KEY} {body['messages'][0]['content']}"
            status, step = 400, {"error": {"type": "invalid_request_error", "message": said}}
        elif step == "silence":
            server.closing.wait(30)
            return
        elif isinstance(step, int):
            said = f"bad key {KEY}: {body['messages'][-1]['content']}"
            status, step = step, {"error": {"message": said, "type": "some_error"}}
        elif isinstance(step, tuple):
            status, headers, step = (*step, {})
        if isinstance(step, str):
            step = self.spoken(body, step)
        answer = step if isinstance(step, bytes) else json.dumps(step).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(answer)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        with contextlib.suppress(OSError):  # the client may close before reading everything
            self.wfile.write(answer)

    def spoken(self, body, text):
        if self.path.endswith("/v1/messages"):
            block = {"type": "text", "text": text}
            if "tools" in body and text.startswith("{"):
                block = {"type": "tool_use", "name": "answer", "input": json.loads(text)}
            thought = {"type": "thinking", "thinking": "hm"}
            usage = {"input_tokens": 11, "output_tokens": 7}
            return {"content": [thought, block], "stop_reason": "end_turn", "usage": usage}
        assert self.path.endswith("/v1/chat/completions")
        choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        return {"choices": [choice], "usage": {"prompt_tokens": 11, "completion_tokens": 7}}

    def date_time_string(self, timestamp=None):
        return "Mon, 16 Nov 2026 06:00:00 GMT"

    def log_message(self, *args):
        pass


@pytest.fixture
def key():
    """The API key of the models, which the server quotes in errors."""
    return KEY


@pytest.fixture
def serve():
    """Start servers, and stop them at the end."""
    running = []

    def start():
        server = Server()
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        running.append((server, thread))
        return server

    yield start
    for server, thread in running:
        server.closing.set()
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def server(serve):
    return serve()


@pytest.fixture
def pauses():
    return []


@pytest.fixture(params=["chat", "messages"])
def make(request, server, pauses):
    """A model of either protocol that never sleeps."""

    def build(**patience):
        calm = RetryPolicy(**{"timeout": 5.0, "sleep": pauses.append, "jitter": lambda: 1.0, **patience})
        if request.param == "chat":
            return OpenAICompatibleModel(f"{server.url}/v1", "m", KEY, calm)
        return AnthropicModel("m", KEY, server.url, calm)

    build.protocol = request.param
    return build
