"""Requests to remember: what they ask to remember, and those that do not say what."""

from __future__ import annotations

import pytest

from celestial_engine.core.turn.remember_request import asks_to_remember, is_bare_request, statement_in


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("please remember that my passport expires in March", "My passport expires in March"),
        ("don't forget I'm allergic to nuts", "I'm allergic to nuts"),
        ("내 여권이 3월에 만료된다는 거 기억해 줘", "내 여권이 3월에 만료된다"),
        ("꼭 기억해줘 내 여권은 3월에 만료돼", "내 여권은 3월에 만료돼"),
        ("이거 꼭 기억해: 예비 열쇠는 화분 밑에 있어", "예비 열쇠는 화분 밑에 있어"),
    ],
)
def test_the_statement_is_what_is_kept(text, statement):
    assert asks_to_remember(text)
    assert not is_bare_request(text)
    assert statement_in(text) == statement


@pytest.mark.parametrize(
    "text",
    ["remember this", "Please don't forget!", "Remember what I just said, please.", "잊지 마", "이거 꼭 기억해줘!",
     "방금 내가 한 말 기억해", "잊지마!!", "기억해 둬"],
)  # fmt: skip
def test_a_request_that_does_not_say_what_leaves_nothing_to_keep(memory, text):
    assert is_bare_request(text)
    assert memory.observe(text).item is None
    assert memory.list() == []


@pytest.mark.parametrize("text", ["remember to water the plants", "그 집 김치찌개 맛 기억해", "note the new address"])
def test_what_says_something_is_no_bare_request(text):
    assert not is_bare_request(text)
