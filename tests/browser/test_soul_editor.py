"""SOUL.md written in the page: what would change is shown, each change becomes a proposal, and nothing typed is lost."""

from __future__ import annotations

import re

import pytest

STATEMENT = "Being honest keeps us close"


def has(words: str) -> re.Pattern[str]:
    return re.compile(re.escape(words))


def retype(look, old: str, new: str) -> None:
    box = look.get("soul-text")
    text = box.input_value()
    assert old in text
    box.fill(text.replace(old, new, 1))


@pytest.mark.parametrize(("language", "theme", "size"), [("en", "dark", (1280, 800)), ("ko", "light", (390, 844))])
def test_edits_become_proposals(life, visit, expect, language, theme, size):
    """A reworded belief and a new one: two proposals, and the self is as before until they are approved."""
    look = visit(life.served, "self/soul", language=language, theme=theme, size=size)
    before = life.ask("GET", "/self/soul")["text"]
    look.get("soul-edit").click()
    expect(look.get("soul-propose")).to_be_disabled()
    assert "<!--" not in look.get("soul-text").input_value()
    retype(look, f"- {STATEMENT}", f"- {STATEMENT}, in {language}\n- I ask when I am not sure ({language})")
    expect(look.get("soul-diff").locator("del, .gone")).to_contain_text(STATEMENT)
    expect(look.get("soul-diff").locator(".come")).to_have_count(2)
    assert look.overflow() == []
    look.get("soul-propose").click()
    expect(look.get("inbox-page")).to_be_visible()
    waiting = life.ask("GET", "/inbox", status="pending")["proposals"]
    statements = {change["after"].get("statement") for one in waiting for change in one["changes"] if change["after"]}
    assert {f"{STATEMENT}, in {language}", f"I ask when I am not sure ({language})"} <= statements
    written = (f"in {language}", f"({language})")
    assert {one["kind"] for one in waiting if any(words in str(one["changes"]) for words in written)} == {"soul_edit"}
    assert life.ask("GET", "/self/soul")["text"] == before
    look.move("self/soul")
    expect(look.get("soul-page")).to_contain_text(STATEMENT)


def test_what_was_typed_survives_escape_another_view_and_a_reload(life, visit, expect):
    look = visit(life.served, "self/soul")
    look.get("soul-edit").click()
    retype(look, STATEMENT, "Half a thought")
    look.page.keyboard.press("Escape")
    expect(look.get("soul-text")).to_have_value(has("Half a thought"))
    look.move("today")
    look.page.reload()
    look.settled()
    look.move("self/soul")
    expect(look.get("soul-text")).to_have_value(has("Half a thought"))
    look.get("soul-cancel").click()
    look.page.get_by_role("button", name="Discard").click()
    expect(look.get("soul-page")).to_contain_text(STATEMENT)
    look.page.reload()
    look.settled()
    expect(look.get("soul-page")).to_contain_text(STATEMENT)


def test_what_the_server_refuses_is_said_and_the_text_stays(life, visit, expect):
    """A section of one's own, and a server that does not know the session any more."""
    look = visit(life.served, "self/soul")
    look.watch.expects("status of 4")
    look.get("soul-edit").click()
    look.get("soul-text").fill(look.get("soul-text").input_value() + "\n\n## My diary\n\nToday it rained.")
    look.get("soul-propose").click()
    expect(look.get("soul-editor").get_by_role("alert")).to_contain_text("sections of your own")
    expect(look.get("soul-text")).to_have_value(has("Today it rained"))
    look.get("soul-text").fill("## My diary alone")
    look.get("soul-propose").click()
    expect(look.get("soul-editor").get_by_role("alert")).to_contain_text("sections")
