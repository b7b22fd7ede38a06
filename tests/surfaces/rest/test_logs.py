"""The server's log: JSON lines on standard error, of all processes, without anything that people said."""

from __future__ import annotations

import json
import logging
import signal

import httpx
import pytest
from tests.surfaces.server_process import announced_with_errors, bearer

from celestial_engine.surfaces.rest.logs import JsonFormatter, json_logs


def lines_of(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_line_is_an_object_with_time_level_logger_and_message(capsys):
    with json_logs("info", access=False):
        logging.getLogger("celestial_engine.some").info("kept %d", 3)
        logging.getLogger("celestial_engine.some").debug("not asked for")
    (line,) = lines_of(capsys.readouterr().err)
    assert line.pop("time").endswith("Z")
    assert line == {"level": "info", "logger": "celestial_engine.some", "message": "kept 3"}


def test_a_traceback_and_any_text_stay_on_one_line():
    try:
        raise ValueError("a\nb")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "한글\n\udcff %s", (object(),), True)
        record.exc_info = __import__("sys").exc_info()
    text = JsonFormatter().format(record)
    assert "\n" not in text
    assert json.loads(text)["message"].startswith("한글\n\udcff")
    assert "ValueError" in json.loads(text)["error"]
    text.encode()


def test_levels_are_restored():
    root = logging.getLogger()
    before = root.level, list(root.handlers)
    with json_logs("debug", access=True):
        assert root.level == logging.DEBUG
    assert (root.level, list(root.handlers)) == before


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_requests_are_logged_without_content(tmp_path, workers):
    """Route, operation, status, duration, address: no path, no query, no token, no word of the request."""
    options = ("--access-log", "--log-level", "error", "--workers", workers)
    with announced_with_errors(tmp_path / "memory.db", *options) as (process, told, errors):
        with httpx.Client(base_url=told["url"], headers=bearer(told["token"]), timeout=60) as client:
            stored = client.post("/v1/memories", json={"content": "the secret garden"}).json()
            client.get(f"/v1/memories/{stored['id']}")
            client.get("/nowhere?key=hidden")
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        text = errors()
    found = [line for line in lines_of(text) if line["logger"] == "celestial_engine.access"]
    assert [(one["method"], one["operation"], one["status"], one["client"]) for one in found] == [
        ("POST", "memory_save", 201, "127.0.0.1"),
        ("GET", "memory_get", 200, "127.0.0.1"),
        ("GET", "other", 404, "127.0.0.1"),
    ]
    assert found[1]["route"] == "/v1/memories/{id}"
    assert all(one["duration_ms"] > 0 for one in found)
    assert not any(word in text for word in ("garden", "hidden", "nowhere", told["token"], stored["id"]))
