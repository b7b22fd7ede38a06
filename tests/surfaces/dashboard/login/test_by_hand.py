"""`celestial serve` and `celestial dashboard`, as people start them."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from celestial_engine import CelestialMemory


@contextmanager
def serving(path):
    import subprocess

    command = [
        sys.executable,
        "-m",
        "celestial_engine",
        "serve",
        "--json",
        "--no-mcp",
        "--db",
        str(path),
        "--port",
        "0",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        lines = []
        while not lines or lines[-1].rstrip() != "}":
            lines.append(process.stdout.readline())
            assert lines[-1], process.stderr.read()
        yield process, json.loads("".join(lines))
    finally:
        process.kill()
        process.communicate()


@contextmanager
def passing_on_to(url):
    """A server that hands every question to another one, and its answer back."""

    class Relay(BaseHTTPRequestHandler):
        def do_GET(self):
            answer = httpx.get(url + self.path)
            self.send_response(answer.status_code)
            self.end_headers()
            self.wfile.write(answer.content)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Relay) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.slow
def test_links_are_made_beside_the_server(tmp_path, capsys, options):
    """`serve` prints one, `dashboard` finds the server and prints another; both open a session there.

    A server of another memory that has taken the address since is given no key.
    """
    from celestial_engine.surfaces.cli import main

    path = tmp_path / "m.db"
    with serving(path) as (_, told):
        for link in (told["dashboard"], None):
            if link is None:
                assert main(["dashboard", "--db", str(path), "--json"]) == 0
                made = json.loads(capsys.readouterr().out)
                assert (made["url"], made["opened"]) == (told["url"], False)
                link = made["link"]
            with httpx.Client(timeout=60) as client:
                assert client.get(link).status_code == 303
                assert client.get(f"{told['url']}/dashboard/session").json()["version"]
                assert client.get(link).status_code == 303  # inside already
        with CelestialMemory(tmp_path / "other.db", **options) as other:
            other.access.note_server(told["url"])  # it was there before; now another one's server is
        assert main(["dashboard", "--db", str(tmp_path / "other.db")]) == 3
        assert "celestial serve" in capsys.readouterr().err
        with passing_on_to(told["url"]) as stranger, CelestialMemory(path, **options) as memory:
            memory.access.note_server(stranger)  # the newest; its port is somebody else's by now, who asks ours
            assert httpx.get(f"{stranger}/dashboard/server?question=x").json()["answer"]
            assert main(["dashboard", "--db", str(path), "--json"]) == 0
            assert json.loads(capsys.readouterr().out)["url"] == told["url"]
    assert main(["dashboard", "--db", str(path)]) == 3
    assert "celestial serve" in capsys.readouterr().err
    for wrong in ("notaurl", "ftp://example.org", "https://", "http://[", "https://example.org/?key=x", "http://a b"):
        assert main(["dashboard", "--db", str(path), "--url", wrong, "--lang", "ko"]) == 2
        assert "같은 주소여야" in capsys.readouterr().err
    assert main(["dashboard", "--db", str(path), "--url", "https://memory.example.org/"]) == 0
    assert capsys.readouterr().out.startswith("https://memory.example.org/login?key=")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
def test_open_streams_do_not_hold_up_the_end(tmp_path):
    """SIGTERM ends a stream that nobody closed; the server is gone long before its grace is over."""
    with serving(tmp_path / "m.db") as (process, told), httpx.Client(timeout=25) as client:
        client.get(told["dashboard"])
        with client.stream("GET", f"{told['url']}/v1/events/stream") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "retry: 2000"
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
            assert list(lines)
