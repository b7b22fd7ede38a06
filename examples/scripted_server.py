"""A fake model server on loopback, with scripted answers. No key, no cost, no network."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = dict[str, Any] | Callable[[dict[str, Any]], dict[str, Any]]


class ScriptedServer:
    """Returns the scripted answers in order; `requests` records the requests. Use it as a context manager."""

    def __init__(self, script: Iterable[Answer]) -> None:
        self.requests: list[dict[str, Any]] = []
        self._script = iter(script)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> ScriptedServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        self.requests.append(request)
        scripted = next(self._script)
        return scripted(request) if callable(scripted) else scripted

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        script = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                try:
                    status, answer = 200, script.answer(request)
                except StopIteration:
                    status, answer = (
                        400,
                        {"error": {"message": "the script is over", "type": "invalid_request_error"}},
                    )
                body = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        return Handler


# -- answers in the shapes of the three APIs ---------------------------------------------------------


def responses_answer(*output: dict[str, Any]) -> dict[str, Any]:
    """An answer of OpenAI's Responses API."""
    return {
        "id": "resp_1", "object": "response", "created_at": 0, "status": "completed", "model": "scripted",
        "output": list(output), "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None,
        "incomplete_details": None, "instructions": None, "metadata": {}, "temperature": 1.0, "top_p": 1.0,
        "usage": {
            "input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
            "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2,
        },
    }  # fmt: skip


def function_call(name: str, arguments: object, call_id: str = "call_1") -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {
        "type": "function_call", "id": f"fc_{call_id}", "call_id": call_id, "name": name, "arguments": text,
        "status": "completed",
    }  # fmt: skip


def output_text(text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content}


def chat_answer(content: str | None = None, *calls: tuple[str, str, object]) -> dict[str, Any]:
    """An answer of OpenAI's Chat Completions API; a call is (id, name, arguments)."""
    message: dict[str, Any] = {"role": "assistant", "content": content, "refusal": None}
    if calls:
        message["tool_calls"] = [
            {
                "id": call_id,
                "type": "function",
                "function": {"name": name, "arguments": text if isinstance(text, str) else json.dumps(text)},
            }
            for call_id, name, text in calls
        ]
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop", "logprobs": None}
    return {"id": "chatcmpl_1", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [choice]}


def claude_answer(*content: dict[str, Any]) -> dict[str, Any]:
    """An answer of Anthropic's Messages API."""
    uses = any(block["type"] == "tool_use" for block in content)
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "content": list(content),
        "stop_reason": "tool_use" if uses else "end_turn", "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip


def tool_use(name: str, given: object, use_id: str = "toolu_1") -> dict[str, Any]:
    return {"type": "tool_use", "id": use_id, "name": name, "input": given}


def text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
