"""The dashboard's door: links that are good once, sessions that end, and what is refused to everybody else."""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import contextmanager

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from celestial_engine import CelestialMemory
from celestial_engine.core.access import LOGIN_KEY_LASTS, SESSION_LASTS, Scope
from celestial_engine.surfaces.dashboard.headers import SAFETY
from celestial_engine.surfaces.dashboard.pages import add_dashboard
from celestial_engine.surfaces.rest.app import build_app
from celestial_engine.surfaces.rest.settings import ServerSettings
from celestial_engine.testing.fakes import FakeClock

HOST = "http://127.0.0.1:8484"
OPTIONS = {"embedder": "none", "words": "pairs", "durability": "normal", "rebalance_interval": None}
XSS = "<script>alert(1)</script><img src=x onerror=alert(1)>"


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def memory(tmp_path, clock):
    with CelestialMemory(tmp_path / "m.db", clock=clock, **OPTIONS) as one:
        yield one


def browser(memory: CelestialMemory, base_url: str = HOST) -> TestClient:
    return TestClient(build_app(memory), base_url=base_url, follow_redirects=False)


@pytest.fixture
def page(memory):
    """A browser that has come in, with its word for changes."""
    client = browser(memory)
    assert client.get("/login", params={"key": memory.login_key()}).status_code == 303
    client.headers["x-csrf-token"] = client.get("/dashboard/session").json()["csrf"]
    return client


def code_of(answer: httpx.Response) -> str:
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.json()["code"]


# -- coming in ----------------------------------------------------------------------------------------


def test_a_link_opens_a_session_once(memory):
    """The key leaves the address, the session goes into a cookie that no script and no other site gets."""
    key, client = memory.login_key(), browser(memory)
    answer = client.get("/login", params={"key": key})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert answer.headers["cache-control"] == "no-store"
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("celestial_session_8484=cel_")
    assert {part.strip().lower() for part in cookie.split(";")[1:]} == {
        "httponly", "samesite=strict", "path=/", f"max-age={int(SESSION_LASTS.total_seconds())}",
    }  # fmt: skip
    told = client.get("/dashboard/session").json()
    assert told["owner"] == {"user_id": "local", "agent_id": "default"}
    assert told["scopes"] == ["admin", "approve", "read", "write"]
    again = browser(memory).get("/login", params={"key": key})
    assert again.status_code == 403
    assert "celestial dashboard" in again.text
    assert "set-cookie" not in again.headers


def test_who_is_inside_may_go_back_to_the_link(memory):
    """The link of before leads in, though it opens nothing any more."""
    key, client = memory.login_key(), browser(memory)
    client.get("/login", params={"key": key})
    assert client.get("/login", params={"key": key}).headers["location"] == "/"


def test_a_key_is_good_for_ten_minutes(memory, clock):
    key = memory.login_key()
    clock.advance(seconds=LOGIN_KEY_LASTS.total_seconds())
    assert browser(memory).get("/login", params={"key": key}).status_code == 403


def test_looking_ahead_uses_no_key_up(memory):
    """HEAD and OPTIONS open nothing, and the key is still good after them."""
    key, client = memory.login_key(), browser(memory)
    assert client.head("/login", params={"key": key}).status_code == 405
    assert client.options("/login", params={"key": key}).status_code == 405
    assert client.get("/login", params={"key": key}).status_code == 303


@pytest.mark.parametrize("key", ["", "x", "\x00", "한글", "'; DROP TABLE grants; --", "a" * 10_000])
def test_a_made_up_key_opens_nothing(memory, key):
    answer = browser(memory).get("/login", params={"key": key}, headers={"accept-language": "ko"})
    assert answer.status_code == 403
    assert "만료된 링크" in answer.text
    assert key not in answer.text or len(key) < 2


def test_keys_and_sessions_are_kept_as_digests_alone(memory, tmp_path):
    """Who reads the file learns neither a key nor a session."""
    key = memory.login_key()
    session, _ = memory.log_in(memory.login_key())
    files = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert not [1 for content in files for secret in (key, session) if secret.encode() in content]


def test_guessing_keys_is_not_for_free(memory):
    """Keys are counted by the address they come from."""
    client = TestClient(build_app(memory, ServerSettings(requests_per_second=0.001, burst=5)), base_url=HOST)
    answers = [client.get("/login", params={"key": str(number)}).status_code for number in range(7)]
    assert answers == [403] * 5 + [429] * 2


# -- being inside -------------------------------------------------------------------------------------


def test_a_session_is_the_owner_of_its_link(memory):
    """The link says whose memories; another owner's are not there, whatever is asked for."""
    hers = memory.store("hers alone", user_id="ana")
    memory.store("mine")
    client = browser(memory)
    client.get("/login", params={"key": memory.login_key(user_id="ben")})
    assert client.get(f"/v1/memories/{hers.id}").status_code == 404
    assert client.get("/v1/orbits").json()["ids"] == []
    assert client.get("/dashboard/session").json()["owner"]["user_id"] == "ben"


def test_changes_need_the_word_of_the_session(memory, page):
    """Without it, with a wrong one, or with another session's, nothing is changed; looking needs none."""
    other = browser(memory)
    other.get("/login", params={"key": memory.login_key()})
    anothers = other.get("/dashboard/session").json()["csrf"]
    for header in (
        {},
        {"x-csrf-token": ""},
        {"x-csrf-token": "x"},
        {"x-csrf-token": anothers},
        {"x-csrf-token": "é"},
    ):
        page.headers.pop("x-csrf-token", None)
        raw = {name: value.encode("utf-8") for name, value in header.items()}
        answer = page.post("/v1/memories", json={"content": "slipped in"}, headers=raw)
        assert (answer.status_code, code_of(answer)) == (403, "csrf")
        assert page.post("/dashboard/logout", headers=raw).status_code == 403
    assert page.get("/v1/stats").json()["total"] == 0


def test_the_users_word_can_be_given_by_the_dashboard(memory, page):
    """Proposals that are decided there say so."""
    made = page.post("/v1/memories", json={"content": "I live in Busan"})
    assert made.status_code == 201
    proposal = memory.propose_core(made.json()["id"]).id
    opened = page.post(f"/v1/inbox/{proposal}/open").json()
    done = page.post(f"/v1/inbox/{proposal}/approve", json={"token": opened["token"]})
    assert done.status_code == 200, done.text
    approved = next(event for event in memory.history(limit=50) if event.type.value == "approved")
    assert approved.detail["channel"] == "dashboard"


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_next_door_gets_nothing(page, site):
    """Another port of this machine counts as the same site to a browser; not to us."""
    answer = page.get("/v1/stats", headers={"sec-fetch-site": site})
    assert (answer.status_code, code_of(answer)) == (403, "foreign_origin")
    assert page.get("/v1/stats", headers={"sec-fetch-site": "same-origin"}).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:3000", "null"])
def test_a_foreign_page_is_refused(page, origin):
    answer = page.post("/v1/memories", json={"content": "x"}, headers={"origin": origin})
    assert (answer.status_code, code_of(answer)) == (403, "foreign_origin")
    assert page.post("/v1/memories", json={"content": "x"}, headers={"origin": HOST}).status_code == 201


def test_who_shows_a_token_is_judged_by_it(memory, page):
    """A cookie adds nothing to a token that allows less, and saves none that is wrong."""
    reader, _ = memory.grant("reader", [Scope.READ])
    answer = page.post("/v1/memories", json={"content": "x"}, headers={"authorization": f"Bearer {reader}"})
    assert (answer.status_code, code_of(answer)) == (403, "scope")
    assert page.get("/v1/stats", headers={"authorization": "Bearer no"}).status_code == 401


def test_a_token_in_a_cookie_is_no_session(memory):
    """Who was given a token has not been at the machine: no paths, and no word of the user, by calling it otherwise."""
    client = browser(memory)
    token, _ = memory.grant("agent", [Scope.READ, Scope.WRITE, Scope.APPROVE])
    client.cookies.set("celestial_session_8484", token)
    for path in ("/v1/status", "/dashboard/session"):
        assert code_of(client.get(path)) == "no_session"
    assert client.get("/v1/status", headers={"authorization": f"Bearer {token}"}).json()["database"] is None


def test_a_revoked_session_ends_at_once(memory, page):
    (session,) = page.get("/v1/tokens").json()["tokens"]
    assert session["name"] == "dashboard"
    assert page.delete(f"/v1/tokens/{session['id']}").status_code == 200
    assert page.get("/v1/stats").status_code == 401
    assert code_of(page.get("/dashboard/session")) == "no_session"


def test_a_session_ends_by_itself(memory, page, clock):
    """After a fortnight, however much it was used; its row goes with the next login."""
    clock.advance(seconds=SESSION_LASTS.total_seconds() - 1)
    assert page.get("/v1/stats").status_code == 200
    clock.advance(seconds=2)
    assert page.get("/v1/stats").status_code == 401
    memory.log_in(memory.login_key())
    assert len(memory.grants()) == 1


def test_leaving_ends_the_session(memory, page):
    answer = page.post("/dashboard/logout")
    assert answer.status_code == 204
    assert "max-age=0" in answer.headers["set-cookie"].lower()
    assert all(not grant.valid for grant in memory.grants())
    assert page.get("/dashboard/session").status_code == 401


def test_two_memories_on_one_machine_are_two_sessions(memory, tmp_path):
    """Browsers share cookies between ports; their names tell them apart."""
    here = browser(memory, "http://127.0.0.1:9000")
    cookie = here.get("/login", params={"key": memory.login_key()}).headers["set-cookie"]
    assert cookie.startswith("celestial_session_9000=")


def test_behind_encryption_the_cookie_stays_there(memory):
    proxied = {"x-forwarded-proto": "https"}
    answer = browser(memory).get("/login", params={"key": memory.login_key()}, headers=proxied)
    assert "secure" in answer.headers["set-cookie"].lower()


# -- what is served -----------------------------------------------------------------------------------


@pytest.fixture
def built(tmp_path):
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>sky</title>")
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "assets" / "app-1a2b.js").write_text("let a")
    (tmp_path / "secret.txt").write_text("zanzibar")
    return folder


@pytest.fixture
def files(memory, built):
    app = FastAPI()
    add_dashboard(app, memory, built)
    return TestClient(app, base_url=HOST)


def test_the_page_and_its_files_are_served(files):
    """The page is asked for each time; its files have names that change with them."""
    page = files.get("/")
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-cache")
    assert files.head("/").status_code == 200
    script = files.get("/assets/app-1a2b.js")
    assert "immutable" in script.headers["cache-control"]
    assert script.headers["content-type"].startswith("text/javascript")
    assert files.get("/favicon.svg").headers["content-type"].startswith("image/svg")
    assert files.get("/index.html").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../../secret.txt", "/assets/%2e%2e/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt",
        "/assets//etc/passwd", "/assets/....//secret.txt", "/assets/%00", "/..%5csecret.txt", "/assets/",
    ],
)  # fmt: skip
def test_nothing_else_is_served(files, path):
    answer = files.get(path)
    assert answer.status_code in (404, 405)
    assert "zanzibar" not in answer.text


def test_a_working_copy_says_how_to_build(memory, tmp_path):
    app = FastAPI()
    add_dashboard(app, memory, tmp_path / "nowhere")
    answer = TestClient(app, base_url=HOST).get("/")
    assert (answer.status_code, "make dashboard" in answer.text) == (503, True)
    assert "<script" not in answer.text
    assert "style=" not in answer.text


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"), ("HEAD", "/"), ("GET", "/login"), ("GET", "/dashboard/session"), ("POST", "/dashboard/logout"),
        ("GET", "/dashboard/server"), ("GET", "/dashboard/plain.css"), ("GET", "/assets/none.js"), ("GET", "/v1/stats"), ("GET", "/v1/nothing"),
        ("OPTIONS", "/v1/stats"), ("GET", "/health"), ("GET", "/nothing"), ("DELETE", "/"),
    ],
)  # fmt: skip
def test_every_answer_is_guarded(memory, method, path):
    """Whatever is asked, and however it is refused."""
    answer = browser(memory).request(method, path)
    assert {name: answer.headers[name] for name in SAFETY} == SAFETY
    foreign = browser(memory).request(method, path, headers={"origin": "https://evil.example"})
    assert {name: foreign.headers[name] for name in SAFETY} == SAFETY


def test_texts_are_data_and_never_a_page(memory, page):
    """What a memory says leaves as JSON, with no guessing; the pages that are HTML repeat nothing of a request."""
    made = page.post("/v1/memories", json={"content": XSS, "tags": [XSS], "metadata": {"x": XSS}})
    assert made.status_code == 201
    for path in ("/v1/orbits", "/v1/orbits/past", f"/v1/memories/{made.json()['id']}", "/v1/events"):
        answer = page.get(path)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert page.get("/v1/orbits").json()["label"] == [XSS[:80]]
    assert XSS not in browser(memory).get("/login", params={"key": XSS, "next": XSS}).text


# -- by hand ------------------------------------------------------------------------------------------


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


@pytest.mark.slow
def test_links_are_made_beside_the_server(tmp_path, capsys):
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
            with httpx.Client() as client:
                assert client.get(link).status_code == 303
                assert client.get(f"{told['url']}/dashboard/session").json()["version"]
                assert client.get(link).status_code == 303  # inside already
        with CelestialMemory(tmp_path / "other.db", **OPTIONS) as other:
            other.note_server(told["url"])  # it was there before; now another one's server is
        assert main(["dashboard", "--db", str(tmp_path / "other.db")]) == 3
        assert "celestial serve" in capsys.readouterr().err
    assert main(["dashboard", "--db", str(path)]) == 3
    assert "celestial serve" in capsys.readouterr().err
    for wrong in ("notaurl", "ftp://example.org", "https://", "http://[", "https://example.org/?key=x", "http://a b"):
        assert main(["dashboard", "--db", str(path), "--url", wrong, "--lang", "ko"]) == 2
        assert "같은 주소가 아닙니다" in capsys.readouterr().err
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
