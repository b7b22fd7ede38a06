"""REST, over a real server: what is no request is told what it lacks, and hurts nobody."""

from __future__ import annotations

import socket

import pytest


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"null", b"{", b"\xff\xfe", b'{"content": 1}', b'{"content": "\\ud800"}', b'{"content": " "}',
     b'{"content": "x", "importance": NaN}', b'{"content": "x", "metadata": {"a": Infinity}}',
     b'{"content": "x", "importance": 2}', b'{"content":' + b"[" * 100_000, b'{"content": "x", "metadata": {"\\ud800": 1}}'],
)  # fmt: skip
def test_garbage_is_refused_and_nothing_breaks(http, body, problem_of):
    """Every kind of wrong body is told, with a status of the caller's own making."""
    before = http.get("/v1/stats").json()["total"]
    answer = http.post("/v1/memories", content=body, headers={"content-type": "application/json"})
    assert 400 <= answer.status_code < 500
    assert problem_of(answer)
    assert http.get("/v1/stats").json()["total"] == before


def test_bytes_that_are_no_http_hurt_nobody(served, http):
    with socket.create_connection(served.url.removeprefix("http://").split(":")) as raw:
        raw.sendall(b"\x00\x01\x02 garbage\r\n\r\n")
        raw.recv(1000)
    assert http.get("/v1/stats").status_code == 200


def test_an_unknown_parameter_or_way_is_told(http, problem_of):
    assert "limt" in problem_of(http.get("/v1/cliff?limt=3"))["detail"]
    assert problem_of(http.get("/v1/nothing"))["code"] == "no_such_route"
    answer = http.put("/v1/memories", json={})
    assert answer.headers["allow"] == "POST"
    assert problem_of(answer)["code"] == "method_not_allowed"


def test_a_body_without_its_type_is_told_which(http, problem_of):
    told = problem_of(http.post("/v1/memories", content=b'{"content": "x"}'))
    assert "Content-Type: application/json" in told["detail"]


@pytest.mark.parametrize("body", [b"\xff\xfe{", b"[" * 100_000])
def test_what_cannot_be_read_at_all_is_told_so(http, problem_of, body):
    told = problem_of(http.post("/v1/memories", content=body, headers={"content-type": "application/json"}))
    assert (told["code"], "JSON" in told["detail"]) == ("invalid_input", True)


def test_what_is_no_json_is_told_where_it_ends_to_be(http, problem_of):
    answer = http.post("/v1/memories", content=b'{"content": x}', headers={"content-type": "application/json"})
    assert problem_of(answer)["detail"].startswith("body is not JSON (Expecting value, 12)")


def test_a_problem_has_a_reason_for_programs(http, problem_of):
    """The sentence is for people; code, reason and fields stay the same in every language."""
    told = problem_of(http.get("/v1/cliff?limit=5000000"))
    assert (told["code"], told["reason"]) == ("invalid_input", "at_most")
    assert told["fields"]["field"] == "limit"


def test_a_problem_is_told_in_the_language_that_the_client_prefers(http, problem_of):
    korean = problem_of(http.get("/v1/memories/nope", headers={"Accept-Language": "ko-KR,ko;q=0.9"}))
    assert (korean["code"], korean["fields"]) == ("not_found", {"item_id": "nope"})
    assert korean["detail"].startswith("'nope' 기억이 없습니다.")
    assert problem_of(http.get("/v1/memories/nope"))["detail"].startswith("There is no memory 'nope'.")
