"""The page and its files, nothing else of the machine, and every answer guarded."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from celestial_engine.surfaces.dashboard.headers import SAFETY
from celestial_engine.surfaces.dashboard.pages import add_dashboard

XSS = "<script>alert(1)</script><img src=x onerror=alert(1)>"


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
def files(memory, built, host):
    app = FastAPI()
    add_dashboard(app, memory, built)
    return TestClient(app, base_url=host)


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


def test_a_working_copy_says_how_to_build(memory, tmp_path, host):
    app = FastAPI()
    add_dashboard(app, memory, tmp_path / "nowhere")
    answer = TestClient(app, base_url=host).get("/")
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
def test_every_answer_is_guarded(memory, method, path, browser):
    """Whatever is asked, and however it is refused."""
    answer = browser(memory).request(method, path)
    assert {name: answer.headers[name] for name in SAFETY} == SAFETY
    assert "no-store" in answer.headers["cache-control"] or not path.startswith("/v1")
    foreign = browser(memory).request(method, path, headers={"origin": "https://evil.example"})
    assert {name: foreign.headers[name] for name in SAFETY} == SAFETY


def test_texts_are_data_and_never_a_page(memory, page, browser):
    """What a memory says leaves as JSON, with no guessing; the pages that are HTML repeat nothing of a request."""
    made = page.post("/v1/memories", json={"content": XSS, "tags": [XSS], "metadata": {"x": XSS}})
    assert made.status_code == 201
    for path in ("/v1/orbits", "/v1/orbits/past", f"/v1/memories/{made.json()['id']}", "/v1/events"):
        answer = page.get(path)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert page.get("/v1/orbits").json()["label"] == [XSS[:80]]
    assert XSS not in browser(memory).get("/login", params={"key": XSS, "next": XSS}).text
