"""A session of all owners can be switched; no other session learns that there are other owners."""

from __future__ import annotations

import pytest

from celestial_engine.core.access import SESSION_LASTS
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import GrantNotFoundError


@pytest.fixture
def everybody(memory, browser):
    """A browser that was let in by a link for all owners."""
    memory.store("mine")
    memory.of("ana").store("hers alone")
    client = browser(memory)
    assert client.get("/login", params={"key": memory.access.login_key(all_owners=True)}).status_code == 303
    client.headers["x-csrf-token"] = client.get("/dashboard/session").json()["csrf"]
    return client


ANA = {"user_id": "ana", "agent_id": "default"}


def test_a_session_of_all_owners_is_switched(memory, everybody, clock):
    listed = everybody.get("/dashboard/owners").json()["owners"]
    assert sorted((one["user_id"], one["memories"]) for one in listed) == [("ana", 1), ("local", 1)]
    before = everybody.get("/dashboard/session").json()
    clock.advance(seconds=3_600)
    told = everybody.post("/dashboard/owner", json=ANA)
    assert (told.status_code, told.json()["owner"]) == (200, ANA)
    assert "httponly" in told.headers["set-cookie"].lower()
    assert everybody.get("/v1/orbits").json()["ids"] != []
    assert everybody.get("/dashboard/session").json()["expires_at"] == before["expires_at"]  # no longer than before
    assert everybody.post("/dashboard/owner", json={"user_id": "local", "agent_id": "default"}).status_code == 403
    everybody.headers["x-csrf-token"] = told.json()["csrf"]
    assert everybody.post("/dashboard/owner", json={"user_id": "local", "agent_id": "default"}).status_code == 200


def test_the_session_before_ends(memory, everybody, browser):
    (name,) = everybody.cookies.keys()
    old = everybody.cookies[name]
    everybody.post("/dashboard/owner", json=ANA)
    stranger = browser(memory)
    stranger.cookies.set(name, old)
    assert stranger.get("/dashboard/session").status_code == 401


@pytest.mark.parametrize(
    "whom",
    [
        {"user_id": "nobody", "agent_id": "default"},
        {"user_id": "", "agent_id": "x"},
        {},
        {"user_id": 1, "agent_id": "x"},
    ],
)
def test_only_owners_with_memories_can_be_chosen(everybody, whom):
    assert everybody.post("/dashboard/owner", json=whom).status_code in (400, 422)
    assert everybody.get("/dashboard/session").json()["owner"]["user_id"] == "local"


def test_an_ordinary_session_learns_of_nobody(memory, page, code_of, browser):
    memory.of("ana").store("hers alone")
    assert page.get("/dashboard/session").json()["switches_owner"] is False
    for answer in (page.get("/dashboard/owners"), page.post("/dashboard/owner", json=ANA)):
        assert (answer.status_code, code_of(answer)) == (403, "one_owner")
        assert "ana" not in answer.text
    assert browser(memory).get("/dashboard/owners").status_code == 401
    key = memory.access.login_key()
    assert (
        browser(memory).get("/login", params={"key": f"all-{key}"}).status_code == 403
    )  # the digest is of the whole key


def test_a_token_by_the_same_name_switches_nothing(memory, clock):
    memory.of("ana").store("hers alone")
    _, grant = memory.access.grant("dashboard of all owners")
    with pytest.raises(GrantNotFoundError):
        memory.access.switch_owner(grant, Owner("ana"))
    _, session = memory.access.log_in(memory.access.login_key(all_owners=True))
    clock.advance(seconds=SESSION_LASTS.total_seconds())
    with pytest.raises(GrantNotFoundError):
        memory.access.switch_owner(session, Owner("ana"))
