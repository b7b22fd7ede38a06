"""Servers that stumble, ask for patience, answer nonsense, or nothing at all."""

from __future__ import annotations

import itertools

import pytest

from celestial_engine.errors import ModelAnswerError, ModelUnavailableError
from celestial_engine.providers.http import RetryPolicy
from celestial_engine.providers.openai_compatible import OpenAICompatibleModel


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_a_server_that_stumbles_is_asked_again(make, server, pauses, status):
    server.plan = [status, status, "third time"]
    assert make().complete("x").text == "third time"
    assert pauses == [1.0, 2.0]


def test_retry_after_is_kept_to(make, server, pauses):
    """In seconds, or as a date by the server's own clock."""
    server.plan = [(429, {"Retry-After": "7"}), (503, {"Retry-After": "soon"}), "fine"]
    assert make().complete("x").text == "fine"
    assert pauses == [7.0, 2.0]
    pauses.clear()
    server.plan = [(429, {"Retry-After": "Mon, 16 Nov 2026 06:00:09 GMT"}), "fine"]
    assert make().complete("x").text == "fine"
    assert pauses == [9.0]


@pytest.mark.parametrize("patience", [{}, {"longest_pause": 9_000.0, "deadline": 60.0}])
def test_who_asks_for_too_long_a_pause_is_not_pestered(make, server, pauses, patience):
    server.plan = [(429, {"Retry-After": "3600"}), "never"]
    with pytest.raises(ModelUnavailableError, match="429"):
        make(**patience).complete("x")
    assert (pauses, len(server.seen)) == ([], 1)


@pytest.mark.parametrize(
    ("plan", "asked", "kind", "reason"),
    [
        ([500] * 9, 3, ModelUnavailableError, r"answered 500 \(some_error\)"),
        ([401], 1, ModelUnavailableError, "answered 401"),
        ([404], 1, ModelUnavailableError, "answered 404"),
        ([b"\xff\xfe\x00garbage\x80"] * 9, 3, ModelAnswerError, "cannot be used"),
        ([b'{"choices": [{"mess'] * 9, 3, ModelAnswerError, "cannot be used"),
        ([b"[" * 100_000] * 9, 3, ModelAnswerError, "cannot be used"),
        ([(200, {"Content-Length": "900"}, b"cut"), "fine"], 2, None, ""),
        ([b"{}"], 1, ModelAnswerError, "answer has no message"),
        ([b"[]"], 1, ModelAnswerError, "answer has no message"),
        ([b"null"], 1, ModelAnswerError, "answer has no message"),
        ([b'{"choices": [], "content": 7}'], 1, ModelAnswerError, "answer has no message"),
        ([b'{"choices": [{"message": {"content": 7}}], "content": [{"type": "text", "text": 7}]}'], 1,
         ModelAnswerError, "answer has no"),
        ([b" " * 3_000], 1, ModelAnswerError, "more than 2000 bytes"),
    ],
)  # fmt: skip
def test_failures_are_errors_of_their_kind(make, server, plan, asked, kind, reason):
    server.plan = list(plan)
    model = make(most_bytes=2_000) if reason.startswith("more") else make()
    if kind is None:
        assert model.complete("x").text == "fine"
    else:
        with pytest.raises(kind, match=reason):
            model.complete("x")
    assert len(server.seen) == asked


def test_a_silent_server_is_not_waited_for(make, server):
    server.plan = ["silence"]
    with pytest.raises(ModelUnavailableError, match="timed out"):
        make(timeout=0.2, tries=1).complete("x")


def test_the_deadline_ends_it_whatever_the_tries(make, server, pauses):
    """By its clock every look costs 10 s: an answer that trickles in, or pauses that add up, are given up."""
    server.plan = [500] * 9
    ticking = itertools.count(0.0, 10.0)
    with pytest.raises(ModelUnavailableError):
        make(tries=99, deadline=45.0, clock=lambda: next(ticking)).complete("x")
    assert len(server.seen) < 4
    server.plan = ["too late"]
    ticking = itertools.count(0.0, 10.0)
    with pytest.raises(ModelUnavailableError, match="timed out"):
        make(tries=1, deadline=15.0, clock=lambda: next(ticking)).complete("x")


def test_nobody_there(pauses):
    with pytest.raises(ModelUnavailableError, match="cannot be used"):
        OpenAICompatibleModel("http://127.0.0.1:1/v1", "m", patience=RetryPolicy(sleep=pauses.append)).complete("x")
    assert len(pauses) == 2
