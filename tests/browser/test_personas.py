"""The page of the personas: a run is seen as it happens, rated, stopped and taken up again."""

from __future__ import annotations

import re


def ask(look, question: str, depth: str = "1") -> None:
    look.get("personas-question").fill(question)
    look.get("personas-depth").select_option(depth)
    look.get("personas-offline").locator("input").check()
    look.get("personas-ask").click()


def test_a_run_is_seen_and_a_rating_changes_the_next(empty, visit, expect):
    look = visit(empty, "personas")
    ask(look, "Which colour for the boat?", "2")
    look.get("personas-answer").nth(5).wait_for()
    look.get("personas-report").nth(1).wait_for()
    assert "Which colour for the boat?" in look.get("personas-answer").first.inner_text()
    assert look.get("personas-report").first.get_by_role("progressbar").count() == 4
    told = re.search(r"Affect (0\.\d+)", look.get("personas-answer").last.inner_text())
    expect(look.get("personas-affect")).to_have_attribute("aria-label", re.compile(rf"^The affect is {told[1]};"))
    look.get("personas-answer").first.get_by_test_id("personas-star-5").check(force=True)
    look.toast("Rated 5 of 5")
    look.get("personas-earlier").get_by_text("Which colour for the boat?").wait_for()
    ask(look, "Which colour for my boat?")
    look.page.wait_for_function(
        "() => document.querySelector('[data-testid=personas-answer] p.persona-text')?.textContent.includes('my boat')"
    )
    first = look.get("personas-answer").first
    assert "drew on 1 past answer" in first.inner_text()
    assert first.get_by_role("link", name="past answer 1").count() == 1
    look.screenshot("personas-run")


def test_in_korean_personas_have_korean_names_and_a_missing_model_is_said(empty, visit):
    look = visit(empty, "personas", language="ko")
    look.get("personas-cast").get_by_text("1. 제안자").wait_for()
    assert look.get("personas-registry").locator("option").all_inner_texts() == ["정반합", "코드 리뷰", "기획 회의"]
    look.watch.expects("422")
    look.get("personas-question").fill("바다로 갈까 산으로 갈까?")
    look.get("personas-ask").click()
    look.toast("레지스트리를 쓸 수 없습니다")


def test_a_question_is_needed(empty, visit):
    look = visit(empty, "personas")
    look.get("personas-ask").click()
    look.toast("Write a question first.")


def test_what_personas_say_is_text(empty, visit):
    look = visit(empty, "personas")
    ask(look, "<img src=x onerror=alert(1)> <b>bold</b>")
    look.get("personas-answer").nth(2).wait_for()
    assert "<img src=x onerror=alert(1)>" in look.get("personas-answer").first.inner_text()
    assert look.page.locator("main img, main b").count() == 0
