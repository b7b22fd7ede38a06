"""Coming in: a link that is good once and for ten minutes, and keys that open nothing."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from celestial_engine.core.access import LOGIN_KEY_LASTS, SESSION_LASTS
from celestial_engine.surfaces.rest.app import build_app
from celestial_engine.surfaces.rest.settings import ServerSettings


def test_a_link_opens_a_session_once(memory, browser):
    """The key leaves the address, the session goes into a cookie that no script and no other site gets."""
    key, client = memory.access.login_key(), browser(memory)
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


def test_who_is_inside_may_go_back_to_the_link(memory, browser):
    """The link of before leads in, though it opens nothing any more."""
    key, client = memory.access.login_key(), browser(memory)
    client.get("/login", params={"key": key})
    assert client.get("/login", params={"key": key}).headers["location"] == "/"


def test_a_key_is_good_for_ten_minutes(memory, clock, browser):
    key = memory.access.login_key()
    clock.advance(seconds=LOGIN_KEY_LASTS.total_seconds())
    assert browser(memory).get("/login", params={"key": key}).status_code == 403


def test_looking_ahead_uses_no_key_up(memory, browser):
    """HEAD and OPTIONS open nothing, and the key is still good after them."""
    key, client = memory.access.login_key(), browser(memory)
    assert client.head("/login", params={"key": key}).status_code == 405
    assert client.options("/login", params={"key": key}).status_code == 405
    assert client.get("/login", params={"key": key}).status_code == 303


@pytest.mark.parametrize("key", ["", "x", "\x00", "한글", "'; DROP TABLE grants; --", "a" * 10_000])
def test_a_made_up_key_opens_nothing(memory, key, browser):
    answer = browser(memory).get("/login", params={"key": key}, headers={"accept-language": "ko"})
    assert answer.status_code == 403
    assert "만료된 링크" in answer.text
    assert key not in answer.text or len(key) < 2


def test_keys_and_sessions_are_kept_as_digests_alone(memory, tmp_path):
    """Who reads the file learns neither a key nor a session."""
    key = memory.access.login_key()
    session, _ = memory.access.log_in(memory.access.login_key())
    files = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert not [1 for content in files for secret in (key, session) if secret.encode() in content]


def test_guessing_keys_is_not_for_free(memory, host):
    """Keys are counted by the address they come from."""
    client = TestClient(build_app(memory, ServerSettings(requests_per_second=0.001, burst=5)), base_url=host)
    answers = [client.get("/login", params={"key": str(number)}).status_code for number in range(7)]
    assert answers == [403] * 5 + [429] * 2
