"""REST, over a real server: what goes in, what comes out, and what is refused."""

from __future__ import annotations

import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import anyio
import httpx
import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.access import Scope
from celestial_engine.core.rate_limits import Allowance
from celestial_engine.errors import DiskFullError
from celestial_engine.surfaces.rest.limits import RateLimit
from celestial_engine.surfaces.rest.settings import ServerSettings
from celestial_engine.testing.in_memory.grants import DictRateLimits


def save(http: httpx.Client, content: str = "Mina drinks tea in the evening", **more: object) -> dict:
    answer = http.post("/v1/memories", json={"content": content, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


# -- a memory's life ----------------------------------------------------------------------------------


def test_keywords_and_category_can_be_given(http, problem_of):
    """They are kept when the text changes, and replaced when they are given again; bad ones are named."""
    made = save(http, "민수는 녹차를 마신다", keywords=["음료"], category="fact")
    changed = http.patch(f"/v1/memories/{made['id']}", json={"content": "나는 재즈를 좋아해"}).json()
    assert (changed["keywords"], changed["category"]) == (["음료"], "fact")
    changed = http.patch(f"/v1/memories/{made['id']}", json={"keywords": [], "category": "preference"}).json()
    assert (changed["keywords"], changed["category"]) == (["재즈"], "preference")
    refused = http.post("/v1/memories", json={"content": "x", "keywords": ["a", "a"]})
    assert problem_of(refused)["status"] == 422


def test_a_memory_is_stored_found_changed_and_forgotten(http):
    """Everything that makes a memory useful works over HTTP, in Korean as well."""
    made = save(http, "민수는 저녁마다 녹차를 마신다", tags=["차"])
    found = http.post("/v1/memories/search", json={"query": "녹차"}).json()
    assert [hit["memory"]["id"] for hit in found["hits"]] == [made["id"]]
    changed = http.patch(f"/v1/memories/{made['id']}", json={"importance": 0.9}).json()
    assert changed["importance"] == 0.9
    context = http.post("/v1/context", json={"query": "녹차"}).json()
    assert "녹차" in context["text"]
    assert context["feeling"]["emotions"] == made["emotions"]
    assert http.delete(f"/v1/memories/{made['id']}").json()["state"] == "cliff"
    assert made["id"] in [one["id"] for one in http.get("/v1/cliff").json()["memories"]]
    back = http.post("/v1/cliff/restore", json={"ids": [made["id"]]}).json()
    assert back["memories"][0]["state"] == "active"
    assert http.get("/v1/stats").json()["total"] >= 1


def test_a_name_with_a_slash_has_a_page(http):
    save(http, "AC/DC plays in Busan on Friday")
    save(http, "My sister loves AC/DC")
    names = [subject["name"] for subject in http.get("/v1/subjects", params={"limit": 100}).json()["subjects"]]
    name = next(name for name in names if "/" in name)
    answer = http.get("/v1/subjects/" + quote(name, safe=""))
    assert answer.status_code == 200, answer.text
    assert answer.json()["subject"]["name"] == name
    assert "{name:path}" not in http.get("/openapi.json").text


def test_the_floor_over_http(http):
    """Nothing is returned for what nobody told, unless everything is asked for."""
    made = save(http, "My sister Ana is allergic to peanuts")
    asked = {"query": "How many players are in a rugby team of my sister?", "limit": 1}
    nothing = http.post("/v1/memories/search", json=asked).json()
    assert (nothing["hits"], nothing["known"]) == ([], False)
    assert nothing["notice"] == "Nothing stored about this."
    context = http.post("/v1/context", json={"query": asked["query"]}).json()
    assert (context["text"], context["known"], context["notice"]) == ("", False, nothing["notice"])
    shown = http.post("/v1/memories/search", json={**asked, "floor": 0}).json()
    assert [hit["known"] for hit in shown["hits"]] == [False]
    assert http.get(f"/v1/memories/{made['id']}").json()["recall_count"] == 0
    assert http.post("/v1/memories/search", json={**asked, "floor": 1.5}).status_code == 422


def test_many_are_restored_in_one_call_or_nobody(http):
    """A mistyped id brings nobody back, and asking for nobody is a mistake."""
    ids = [save(http, text)["id"] for text in ("a tent in the cellar", "a kayak at the lake")]
    for item_id in ids:
        http.delete(f"/v1/memories/{item_id}")
    assert http.post("/v1/cliff/restore", json={"ids": [*ids, "nobody"]}).status_code == 404
    assert len(http.get("/v1/cliff").json()["memories"]) == 2
    assert http.post("/v1/cliff/restore", json={}).status_code == 422
    back = http.post("/v1/cliff/restore", json={"ids": ids}).json()["memories"]
    assert {one["id"]: one["state"] for one in back} == dict.fromkeys(ids, "active")
    assert http.post("/v1/cliff/restore", json={"ids": ids[:1]}).status_code == 409


def test_a_turn_is_observed_and_feedback_is_learned_from(http):
    """A host needs one call a turn."""
    seen = http.post("/v1/turns", json={"content": "My name is Jun and I live in Busan", "session_id": "t"}).json()
    assert seen["decision"]["action"] == "save"
    assert seen["memory"]["session_id"] == "t"
    assert seen["feeling"] is None
    asked = http.post("/v1/turns", json={"content": "Where do I live?", "session_id": "t"}).json()
    assert "Busan" in asked["context"]
    assert asked["feeling"]["emotions"]
    credit = http.post("/v1/turns/feedback", json={"turn_id": seen["decision"]["turn_id"], "reward": 1.0}).json()
    assert credit["credited"]
    assert http.get("/v1/policy").json()["rewards"] >= 1


def test_a_turn_asks_to_forget_and_is_confirmed_by_ids(http):
    for number in range(4):
        save(http, f"Odile told me story {number}")
    seen = http.post("/v1/turns", json={"content": "forget what I said about Odile"}).json()
    assert (seen["decision"]["reason"], seen["decision"]["forget"]) == ("asked_to_forget", "what I said about Odile")
    asked = seen["forgetting"]
    assert (asked["outcome"], len(asked["to_confirm"]), asked["forgotten"]) == ("confirm", 4, [])
    for memory in asked["to_confirm"][:2]:
        http.delete(f"/v1/memories/{memory['id']}")
    done = http.post("/v1/turns", json={"content": "forget what I said about Odile"}).json()["forgetting"]
    assert (done["outcome"], len(done["forgotten"])) == ("forgotten", 2)
    assert {one["departed_for"] for one in done["forgotten"]} == {"manual"}
    assert len(http.get("/v1/cliff").json()["memories"]) == 4


# -- who may come in ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [{}, {"authorization": "Basic abc"}, {"authorization": "Bearer"}, {"authorization": "Bearer cel_" + "0" * 64}],
)
def test_nobody_comes_in_without_a_token(served, headers, problem_of):
    """Whatever stands in place of a token, the answer is the same kind of no, before the body is read."""
    answer = httpx.post(served.url + "/v1/memories", headers=headers, content=b"{not json")
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert problem_of(answer)["code"] in ("no_token", "bad_token")


def test_a_token_does_only_what_it_allows(served, problem_of):
    """Reading is not writing, writing is not administering, and a revoked token is nothing at once."""
    token, grant = served.memory.access.grant("reader", [Scope.READ])
    with served.client(token) as reader:
        assert reader.get("/v1/stats").status_code == 200
        assert problem_of(reader.post("/v1/memories", json={"content": "no"}))["code"] == "scope"
        assert reader.post("/v1/rebalance").status_code == 403
        served.memory.access.revoke(grant.id)
        assert reader.get("/v1/stats").status_code == 401


def test_an_unknown_token_costs_the_lookup_of_a_known_one(served, monkeypatch):
    """Malformed, unknown and good tokens are all looked up: the time it takes tells nothing."""
    asked = []
    lookup = served.memory.access.check
    monkeypatch.setattr(served.memory.access, "check", lambda token: asked.append(token) or lookup(token))
    for header in ("", "Bearer x", "Bearer cel_" + "0" * 64, f"Bearer {served.token}"):
        httpx.get(served.url + "/v1/stats", headers={"authorization": header})
    assert len(asked) == 4


def test_no_request_names_an_owner(http):
    """Whose memories it is about is the token's to say: there is no field for it anywhere."""
    document = json.dumps(http.get("/openapi.json").json())
    assert '"user_id"' not in document
    assert '"agent_id"' not in document
    assert http.post("/v1/memories", json={"content": "x", "user_id": "somebody"}).status_code == 422


# -- where requests come from -------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", ""])
def test_a_name_that_is_not_ours_is_refused(served, host, problem_of):
    """A page cannot reach us by a name of its own that leads here."""
    assert problem_of(httpx.get(served.url + "/v1/stats", headers={"host": host}))["code"] == "unknown_host"
    assert httpx.get(served.url + "/health", headers={"host": host}).status_code == 421


def test_a_page_from_elsewhere_is_refused(served, http, problem_of):
    """Other origins may not send, ours may, and nobody is told that he may read."""
    answer = http.get("/v1/stats", headers={"origin": "https://evil.example"})
    assert problem_of(answer)["code"] == "foreign_origin"
    own = http.get("/v1/stats", headers={"origin": served.url})
    assert own.status_code == 200
    assert not [name for name in own.headers if name.startswith("access-control")]
    assert http.get("/v1/stats", headers={"origin": "null"}).status_code == 403


def test_there_is_no_page_to_read_but_the_document_is_there(http):
    assert http.get("/docs").status_code == 404
    assert http.get("/openapi.json").json()["openapi"].startswith("3.1")


# -- how much, how often ------------------------------------------------------------------------------


def test_a_body_may_not_be_too_large(http, problem_of):
    """With a length or without, whatever it says of itself."""
    large = b'{"content": "' + b"a" * (5 << 20) + b'"}'
    assert problem_of(http.post("/v1/memories", content=large))["code"] == "content_too_large"

    def parts():
        for start in range(0, len(large), 1 << 16):
            yield large[start : start + (1 << 16)]

    for sent in (parts(), iter([large])):
        answer = http.post("/v1/memories", content=sent)
        assert answer.status_code == 413
        assert problem_of(answer)["code"] == "content_too_large"
        assert answer.headers["connection"] == "close"


def test_who_asks_first_is_not_told_to_send_too_much(served):
    """Expect: 100-continue: the refusal comes instead of the invitation."""
    host = served.url.removeprefix("http://")
    with socket.create_connection(host.split(":")) as raw:
        head = f"POST /v1/memories HTTP/1.1\r\nHost: {host}\r\nContent-Length: {50 << 20}\r\nExpect: 100-continue"
        raw.sendall(f"{head}\r\n\r\n".encode())
        assert raw.recv(1000).startswith(b"HTTP/1.1 413")


def test_a_token_has_a_rate(tmp_path, serve, problem_of):
    """Who asks too often is told when to ask again; another token is not held up by it."""
    slow = ServerSettings(requests_per_second=0.001, burst=3)
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory, serve(memory, slow) as served:
        other, _ = memory.access.grant("other")
        http, again = served.client(), served.client(other)
        assert [http.get("/v1/stats").status_code for _ in range(4)] == [200, 200, 200, 429]
        answer = http.get("/v1/stats")
        assert problem_of(answer)["code"] == "too_often"
        assert int(answer.headers["retry-after"]) > 0
        assert again.get("/v1/stats").status_code == 200
        http.close()
        again.close()


def test_a_bucket_refills_with_time():
    limit = RateLimit(DictRateLimits().take, rate=2.0, burst=2)

    def wait(caller: str, now: float) -> int:
        return anyio.run(limit.wait, caller, now)

    assert [wait("a", 0.0) for _ in range(3)] == [0, 0, 1]
    assert wait("b", 0.0) == 0
    assert [wait("a", 0.5), wait("a", 0.5)] == [0, 1]


def test_two_servers_share_a_bucket():
    """Each takes a part; together they admit what one would, and a refused caller is not looked up again."""
    buckets = DictRateLimits()
    servers = [RateLimit(buckets.take, rate=1e-6, burst=40) for _ in range(2)]
    waits = [anyio.run(servers[number % 2].wait, "a", 0.0) for number in range(60)]
    assert waits.count(0) == 40
    assert all(seconds > 0 for seconds in waits[-10:])


class _Broken:
    def take(self, caller: str, now: float, rate: float, burst: int) -> Allowance:
        raise DiskFullError(path="full")


def test_a_store_that_cannot_count_leaves_it_to_each_server():
    """A full disk neither refuses everybody nor admits everything."""
    limit = RateLimit(_Broken().take, rate=1e-6, burst=5)
    assert [anyio.run(limit.wait, "a", 0.0) == 0 for _ in range(8)] == [True] * 5 + [False] * 3


# -- pages --------------------------------------------------------------------------------------------


def pages(http: httpx.Client, ask, name: str, meanwhile) -> list:
    found, cursor = [], None
    for _ in range(100):
        page = ask({"limit": 3, **({"cursor": cursor} if cursor else {})}).json()
        found += page[name]
        meanwhile()
        cursor = page["next"]
        if cursor is None:
            return found
    raise AssertionError("the pages do not end")


def test_pages_are_whole_whatever_is_stored_meanwhile(served):
    """Each memory and each event once, none left out, though new ones come in between."""
    token, _ = served.memory.of("pager").access.grant("pager")
    with served.client(token) as http:
        ids = [save(http, f"page {number}", tags=["p"])["id"] for number in range(8)]
        events = {event["number"] for event in http.get("/v1/events?limit=1000").json()["events"]}
        few = iter(range(5))

        def meanwhile():
            if next(few, None) is not None:
                save(http, "meanwhile")

        def listed(asked):
            return http.post("/v1/memories/list", json=asked)

        def filtered(asked):
            return http.post("/v1/memories/list", json={**asked, "where": {"tags": ["p"]}})

        assert [one["id"] for one in pages(http, filtered, "memories", meanwhile)] == ids[::-1]
        found = [one["id"] for one in pages(http, listed, "memories", lambda: None)]
        assert len(found) == len(set(found))
        assert set(ids) < set(found)
        numbers = [
            one["number"]
            for one in pages(http, lambda asked: http.get("/v1/events", params=asked), "events", meanwhile)
        ]
        assert numbers == sorted(set(numbers), reverse=True)
        assert events <= set(numbers)
        exported = pages(http, lambda asked: http.get("/v1/export", params=asked), "records", lambda: None)
        assert [one["id"] for one in exported][:8] == ids
        for item_id in ids:
            http.delete(f"/v1/memories/{item_id}")
        cliff = pages(http, lambda asked: http.get("/v1/cliff", params=asked), "memories", lambda: None)
        assert sorted(one["id"] for one in cliff) == sorted(ids)


@pytest.mark.parametrize("cursor", ["x", "bm9uc2Vuc2U", "WyJlIiwxXQ", "é", "WyJtIiwxZTk5OSwiYSJd", "W" * 5000])
def test_a_cursor_that_is_none_is_told(http, cursor, problem_of):
    answer = http.post("/v1/memories/list", json={"cursor": cursor})
    assert answer.status_code == 422
    assert "cursor" in problem_of(answer)["detail"]


def test_what_was_exported_can_be_imported(served):
    """The records of one owner become another's memories, as they were."""
    tokens = [served.memory.of(name).access.grant(name, list(Scope))[0] for name in ("from", "to")]
    with served.client(tokens[0]) as old, served.client(tokens[1]) as new:
        save(old, "Mina likes tea", importance=0.8, tags=["drinks"])
        old.delete(f"/v1/memories/{save(old, 'gone soon')['id']}")
        records = old.get("/v1/export").json()["records"]
        assert new.post("/v1/import", json={"records": records}).json() == {"added": 2, "known": 0}
        assert new.post("/v1/import", json={"records": records}).json() == {"added": 0, "known": 2}
        moving = ("owner", "total_score")
        back = new.get("/v1/export").json()["records"]
        assert [{**one, **dict.fromkeys(moving)} for one in back] == [
            {**one, **dict.fromkeys(moving)} for one in records
        ]


# -- versions and keys --------------------------------------------------------------------------------


def test_a_change_is_made_only_to_what_was_read(http, problem_of):
    """If-Match names the version; a recall in between is no change, somebody's update is."""
    made = save(http, "The meeting is on Monday")
    path = f"/v1/memories/{made['id']}"
    tag = http.get(path).headers["etag"]
    http.post("/v1/memories/search", json={"query": "meeting"})
    assert http.get(path).headers["etag"] == tag
    assert http.patch(path, json={"content": "It is on Tuesday"}, headers={"if-match": tag}).status_code == 200
    late = http.patch(path, json={"content": "It is on Friday"}, headers={"if-match": tag})
    assert late.status_code == 412
    assert problem_of(late)["code"] == "changed_since"
    assert http.delete(path, headers={"if-match": tag}).status_code == 412
    assert http.delete(path, headers={"if-match": f"W/{http.get(path).headers['etag']}"}).status_code == 412
    assert http.delete(path, headers={"if-match": "*"}).status_code == 200


def test_of_many_changes_to_one_version_one_is_made(served, http):
    """However many come at once."""
    made = save(http, "counter 0")
    start = threading.Barrier(8)

    def change(number: int) -> int:
        with served.client() as client:
            start.wait()
            body = {"content": f"counter {number}"}
            headers = {"if-match": f'"{made["version"]}"'}
            return client.patch(f"/v1/memories/{made['id']}", json=body, headers=headers).status_code

    with ThreadPoolExecutor(8) as pool:
        codes = sorted(pool.map(change, range(1, 9)))
    assert codes == [200] + [412] * 7


def test_the_same_key_stores_once(served, http, problem_of):
    """Sent again, or ten times at once, a request with a key makes one memory; another body is refused."""
    headers = {"idempotency-key": "order-1"}
    body = {"content": "Remember me once", "tags": ["x"]}
    first = http.post("/v1/memories", json=body, headers=headers)
    again = http.post("/v1/memories", json=body, headers=headers)
    assert first.json()["id"] == again.json()["id"]
    other = http.post("/v1/memories", json={**body, "content": "something else"}, headers=headers)
    assert other.status_code == 409
    assert problem_of(other)["code"] == "key_reused"
    start = threading.Barrier(10)

    def store(_: int) -> str:
        with served.client() as client:
            start.wait()
            answer = client.post("/v1/memories", json=body, headers={"idempotency-key": "at once"})
            assert answer.status_code == 201
            return answer.json()["id"]

    with ThreadPoolExecutor(10) as pool:
        assert len(set(pool.map(store, range(10)))) == 1


def test_a_key_is_its_owners_own_and_holds_a_day(tmp_path):
    from celestial_engine.testing.fakes import FakeClock

    clock = FakeClock()
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None, clock=clock) as memory:
        first = memory.store("a", idempotency_key="k")
        assert memory.store("a", idempotency_key="k").id == first.id
        assert memory.of("somebody").store("another text", idempotency_key="k").id != first.id
        clock.advance(hours=25)
        assert memory.store("b", idempotency_key="k").id != first.id


# -- watching -----------------------------------------------------------------------------------------


def test_whoever_watches_learns_how_it_is_and_nothing_else(served):
    """Health and readiness need no token and tell one word."""
    for path in ("/health", "/ready"):
        answer = httpx.get(served.url + path)
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    text = httpx.get(served.url + "/metrics").text
    assert "celestial_requests_total" in text
    assert 'celestial_memories{zone="core"}' in text
    passed_on = httpx.get(served.url + "/metrics", headers={"x-forwarded-for": "203.0.113.9"})
    assert passed_on.status_code == 401


def test_a_memory_that_cannot_be_read_is_not_ready(tmp_path):
    from fastapi.testclient import TestClient

    from celestial_engine.surfaces.rest.app import build_app

    memory = CelestialMemory(tmp_path / "m.db", rebalance_interval=None)
    client = TestClient(build_app(memory), base_url="http://localhost")
    memory.close()
    assert client.get("/ready").status_code == 503
    assert client.get("/health").status_code == 200
    answer = client.get("/v1/stats", headers={"authorization": "Bearer cel_any"})
    assert answer.status_code == 503
    assert str(tmp_path) not in answer.text  # where the file lies is nobody's business
