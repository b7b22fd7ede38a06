"""Ask: what is said about an answer reaches the policy, and what says the same is shown once."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("language", ["en", "ko"])
def test_an_answer_is_judged_and_the_policy_learns(empty, visit, expect, language):
    with empty.memory() as memory:
        item = memory.store("Mina is allergic to peanuts")
    look = visit(empty, "ask?q=What is Mina allergic to", language=language)
    look.get("answer-wrong").press("Enter")
    told = look.get("ask-judge").get_by_role("status")
    expect(told).to_contain_text("No memory was changed" if language == "en" else "기억은 바꾸지 않았습니다")
    expect(told).to_be_focused()
    expect(look.get("answer-right")).to_have_count(0)
    with empty.memory() as memory:
        assert memory.policy.status().rewards == 1
        (event,) = [event for event in memory.ledger.history() if event.type.value == "rewarded"]
        assert (event.detail["reward"], event.memory_refs) == (-1.0, (item.id,))
        assert memory.get(item.id).state.value == "active"
    look.move("ask?q=peanuts")
    look.get("answer-right").click()
    expect(look.get("ask-judge")).to_contain_text("more easily" if language == "en" else "더 쉽게")
    look.move("ask?q=where did I park the car yesterday")
    expect(look.get("ask-judge")).to_have_count(0)


def test_what_says_the_same_is_shown_once(empty, visit, expect):
    """The best of them, with the others behind it; what contradicts it is not hidden."""
    texts = (
        "Mina lives in Busan",
        "Mina lives in Busan.",
        "mina lives in busan!",
        "Mina lives in Busan with her cat",
    )
    with empty.memory() as memory:
        for text in texts:
            memory.store(text)
    look = visit(empty, "ask?q=Where does Mina live")
    hits = look.get("ask-hits").locator(":scope > li")
    expect(hits).to_have_count(2)
    same = look.get("ask-same")
    expect(same).to_have_count(1)
    same.locator("summary").first.press("Enter")
    expect(same.locator(".memory-link").first).to_be_visible()
    expect(same.locator(".memory-link")).to_have_count(2)
    assert look.overflow() == []


@pytest.mark.parametrize(
    ("language", "words"), [("en", "1 was replaced by a later statement"), ("ko", "나중 말로 바뀌어 빠진 기억 1개")]
)
def test_what_is_over_is_said_to_be_left_out(empty, visit, expect, language, words):
    """A question about now: the old address is found, not given to a model, and the page says why."""
    with empty.memory() as memory:
        memory.store("I live in Seoul")
        memory.store("I live in Busan now")
    look = visit(
        empty, "ask?q=Where do I live?", language=language
    )  # by hand: the second "?" belongs to the question
    expect(look.page.locator("main h1")).to_have_text("Where do I live?")
    look.page.get_by_role("tab").nth(1).click()
    expect(look.get("compose-text")).to_contain_text("Busan")
    expect(look.get("compose-text")).not_to_contain_text("Seoul")
    expect(look.get("compose-left")).to_have_text(words)
