"""A first run in three steps: the lines that connect a client, something said, and its arrival."""

from __future__ import annotations

import re

import httpx
import pytest


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_first_run_in_three_steps(empty, visit, expect, language):
    """The lines name this server; what another program stores arrives in front of the reader."""
    look = visit(empty, "today", language=language)
    expect(look.get("first-1")).to_contain_text(f"{empty.url}/mcp")
    for client in ("Cursor", "Python", "REST"):
        look.page.get_by_role("tab", name=client).click()
        expect(look.get("first-1")).to_contain_text(empty.url)
    with empty.memory() as memory:
        memory.observe("I am allergic to peanuts.")
    expect(look.get("first-arrived")).to_contain_text("I am allergic to peanuts.")
    look.get("first-go-on").click()
    expect(look.get("first-run")).to_have_count(0)
    expect(look.get("today-learned")).to_contain_text("peanuts")


@pytest.mark.parametrize(("size", "language"), [((1280, 800), "en"), ((1920, 1080), "ko"), ((390, 844), "ko")])
def test_the_first_lines_have_room(empty, visit, expect, size, language):
    """As wide as their step, under tabs of which the chosen one is in sight; what is asked for is in the page's language."""
    look = visit(empty, "today", size=size, language=language)
    step, lines = look.get("first-1").bounding_box(), look.get("first-lines").bounding_box()
    assert lines["width"] > 0.8 * step["width"]
    tab = look.page.get_by_role("tab", name="Claude Code").bounding_box()
    assert tab["x"] >= step["x"]
    key = look.page.locator(".remember-key").first
    expect(key).to_be_hidden() if size[0] == 390 else expect(key).to_be_visible()
    choose = look.page.locator(".file-input")
    expect(choose).to_contain_text({"en": "Choose a fileNo file chosen", "ko": "파일 고르기고른 파일 없음"}[language])
    with look.page.expect_file_chooser() as opened:
        choose.locator(".file-button").click()
    opened.value.set_files({"name": "x.bin", "mimeType": "text/plain", "buffer": b"\x00\x01" * 100})
    expect(choose).to_contain_text("x.bin")


def test_the_lines_to_connect_get_a_token_by_the_press_that_copies_them(empty, visit, expect):
    """One for each client, good for reading and writing, and in what was copied."""
    look = visit(empty, "today")
    look.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(look.get("first-lines")).to_contain_text("cel_...")
    look.get("first-copy").click()
    expect(look.get("first-1")).to_contain_text("may read and write your memories. It is shown here alone")
    expect(look.get("first-copy")).to_contain_text("Copied")
    copied = look.page.evaluate("navigator.clipboard.readText()")
    assert copied == look.get("first-lines").inner_text()
    look.page.get_by_role("tab", name="REST").click()
    expect(look.get("first-lines")).to_contain_text("cel_...")
    look.page.get_by_role("tab", name="Claude Code").click()
    look.get("first-copy").click()
    expect(look.get("first-copy")).to_contain_text("Copied")
    assert look.page.evaluate("navigator.clipboard.readText()") == copied
    token = re.search(r"Bearer ([^\s\"]+)", copied)[1]
    answer = httpx.post(
        f"{empty.url}/v1/turns",
        headers={"authorization": f"Bearer {token}"},
        json={"content": "I am allergic to nuts."},
    )
    assert answer.status_code == 200
    with empty.memory() as memory:
        made = [grant for grant in memory.access.tokens() if grant.name == "Claude Code"]
    assert [sorted(scope.value for scope in grant.scopes) for grant in made] == [["read", "write"]]
    expect(look.get("first-arrived")).to_contain_text("I am allergic to nuts.")
