"""Being inside: whose memories a session sees, what it may change, who is refused, and how it ends."""

from __future__ import annotations

import pytest

from celestial_engine.core.access import SESSION_LASTS, SESSION_UNUSED, Scope


def test_a_session_is_the_owner_of_its_link(memory, browser):
    """The link says whose memories; another owner's are not there, whatever is asked for."""
    hers = memory.of("ana").store("hers alone")
    memory.store("mine")
    client = browser(memory)
    client.get("/login", params={"key": memory.of("ben").access.login_key()})
    assert client.get(f"/v1/memories/{hers.id}").status_code == 404
    assert client.get("/v1/orbits").json()["ids"] == []
    assert client.get("/dashboard/session").json()["owner"]["user_id"] == "ben"


def test_changes_need_the_word_of_the_session(memory, page, browser, code_of):
    """Without it, with a wrong one, or with another session's, nothing is changed; looking needs none."""
    other = browser(memory)
    other.get("/login", params={"key": memory.access.login_key()})
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
    proposal = memory.self.propose.core(made.json()["id"]).id
    opened = page.post(f"/v1/inbox/{proposal}/open").json()
    done = page.post(f"/v1/inbox/{proposal}/approve", json={"token": opened["token"]})
    assert done.status_code == 200, done.text
    approved = next(event for event in memory.ledger.history(limit=50) if event.type.value == "approved")
    assert approved.detail["channel"] == "dashboard"


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_next_door_gets_nothing(page, site, code_of):
    """Another port of this machine counts as the same site to a browser; not to us."""
    answer = page.get("/v1/stats", headers={"sec-fetch-site": site})
    assert (answer.status_code, code_of(answer)) == (403, "foreign_origin")
    assert page.get("/v1/stats", headers={"sec-fetch-site": "same-origin"}).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:3000", "null"])
def test_a_foreign_page_is_refused(page, origin, code_of, host):
    answer = page.post("/v1/memories", json={"content": "x"}, headers={"origin": origin})
    assert (answer.status_code, code_of(answer)) == (403, "foreign_origin")
    assert page.post("/v1/memories", json={"content": "x"}, headers={"origin": host}).status_code == 201


def test_who_shows_a_token_is_judged_by_it(memory, page, code_of):
    """A cookie adds nothing to a token that allows less, and saves none that is wrong."""
    reader, _ = memory.access.grant("reader", [Scope.READ])
    answer = page.post("/v1/memories", json={"content": "x"}, headers={"authorization": f"Bearer {reader}"})
    assert (answer.status_code, code_of(answer)) == (403, "scope")
    assert page.get("/v1/stats", headers={"authorization": "Bearer no"}).status_code == 401


def test_a_token_in_a_cookie_is_no_session(memory, browser, code_of):
    """Who was given a token has not been at the machine: no paths, and no word of the user, by calling it otherwise."""
    client = browser(memory)
    token, _ = memory.access.grant("agent", [Scope.READ, Scope.WRITE, Scope.APPROVE])
    client.cookies.set("celestial_session_8484", token)
    for path in ("/v1/status", "/dashboard/session"):
        assert code_of(client.get(path)) == "no_session"
    assert client.get("/v1/status", headers={"authorization": f"Bearer {token}"}).json()["database"] is None


def test_a_revoked_session_ends_at_once(memory, page, code_of):
    (session,) = page.get("/v1/tokens").json()["tokens"]
    assert session["name"] == "dashboard"
    assert page.delete(f"/v1/tokens/{session['id']}").status_code == 200
    assert page.get("/v1/stats").status_code == 401
    assert code_of(page.get("/dashboard/session")) == "no_session"


def test_a_session_ends_by_itself(memory, page, clock):
    """After a fortnight, however much it was used; its row goes with the next login."""
    for _ in range(SESSION_LASTS.days):
        clock.advance(days=1, seconds=-1)
        assert page.get("/v1/stats").status_code == 200
    clock.advance(seconds=SESSION_LASTS.days)
    assert page.get("/v1/stats").status_code == 401
    memory.access.log_in(memory.access.login_key())
    assert len(memory.access.tokens()) == 1


def test_a_session_that_nobody_uses_ends_earlier(page, clock):
    clock.advance(seconds=SESSION_UNUSED.total_seconds() - 1)
    assert page.get("/v1/stats").status_code == 200
    clock.advance(seconds=SESSION_UNUSED.total_seconds() + 1)
    assert page.get("/v1/stats").status_code == 401


def test_leaving_ends_the_session(memory, page):
    answer = page.post("/dashboard/logout")
    assert answer.status_code == 204
    assert "max-age=0" in answer.headers["set-cookie"].lower()
    assert all(not grant.valid for grant in memory.access.tokens())
    assert page.get("/dashboard/session").status_code == 401


def test_leaving_clears_what_the_browser_kept(memory, page):
    answer = page.post("/dashboard/logout")
    assert answer.headers["clear-site-data"] == '"cache", "storage"'


def test_two_memories_on_one_machine_are_two_sessions(memory, tmp_path, browser):
    """Browsers share cookies between ports; their names tell them apart."""
    here = browser(memory, "http://127.0.0.1:9000")
    cookie = here.get("/login", params={"key": memory.access.login_key()}).headers["set-cookie"]
    assert cookie.startswith("celestial_session_9000=")


def test_behind_encryption_the_cookie_stays_there(memory, browser):
    proxied = {"x-forwarded-proto": "https"}
    answer = browser(memory).get("/login", params={"key": memory.access.login_key()}, headers=proxied)
    assert "secure" in answer.headers["set-cookie"].lower()
    assert answer.headers["set-cookie"].startswith("__Host-celestial_session")
    assert answer.headers["strict-transport-security"] == "max-age=31536000; includeSubDomains"
    assert "strict-transport-security" not in browser(memory).get("/health").headers
