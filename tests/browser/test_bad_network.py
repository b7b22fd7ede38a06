"""Slow, cut off, full, in two tabs and by touch: what is written is kept, stored once, and what went wrong is said."""

from __future__ import annotations

import json
import re

import pytest

GONE = ("net::ERR_", "Failed to load resource")


def slowed(look, latency: int, kilobytes: int) -> None:
    """A network of so many milliseconds and kilobytes a second."""
    inside = look.page.context.new_cdp_session(look.page)
    speed = kilobytes * 1024
    inside.send("Network.enable")
    inside.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": latency, "downloadThroughput": speed, "uploadThroughput": speed},
    )


def stored(served) -> list[str]:
    with served.memory() as memory:
        return sorted(item.content for item in memory.list())


@pytest.mark.parametrize("place", ["today", "memories", "ask?q=lighthouse", "orbits"])
def test_a_slow_network_shows_what_it_does(empty, visit, expect, place):
    """Something stands there at once, then the view; a second press stores nothing twice."""
    with empty.memory() as memory:
        memory.store("The lighthouse is red.")
    look = visit(empty, "settings")
    slowed(look, 700, 40)
    look.page.evaluate("place => { location.hash = `#/${place}`; }", place)
    expect(look.page.locator("main .skeleton").first).to_be_visible()
    look.settled()
    if place == "today":
        look.get("remember-text").fill("The harbour is blue.")
        look.get("remember-save").dblclick()
        look.toast(re.compile("Remembered|Kept|remember", re.IGNORECASE))
        assert stored(empty) == ["The harbour is blue.", "The lighthouse is red."]


def test_what_is_written_offline_is_kept_and_stored_once(empty, visit, expect):
    look = visit(empty, "today")
    look.watch.expects(*GONE)
    box = look.get("remember-text").first
    box.fill("The harbour is blue.")
    look.page.context.set_offline(True)
    look.get("remember-save").first.click()
    expect(look.page.locator(".remember-wrong").first).to_contain_text("cannot be reached")
    expect(box).to_have_value("The harbour is blue.")
    assert stored(empty) == []
    look.page.context.set_offline(False)
    look.get("remember-save").first.click()
    expect(look.page.locator(".toast")).to_have_count(1)
    assert stored(empty) == ["The harbour is blue."]


def test_an_answer_that_is_lost_on_the_way_stores_nothing_twice(empty, visit, expect):
    """The server has it, the page does not know: pressed again, it is the same memory."""
    look = visit(empty, "today")
    look.watch.expects(*GONE)
    lost = []

    def lose(route):
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch())
            route.abort()
        else:
            route.continue_()

    look.page.route("**/v1/memories", lose)
    look.get("remember-text").first.fill("The harbour is blue.")
    look.get("remember-save").first.click()
    expect(look.page.locator(".remember-wrong").first).to_contain_text("cannot be reached")
    assert stored(empty) == ["The harbour is blue."]
    look.settled()
    look.get("remember-text").first.fill("The harbour is blue.")
    look.get("remember-save").first.click()
    expect(look.page.locator(".toast")).to_have_count(1)
    assert stored(empty) == ["The harbour is blue."]


@pytest.mark.parametrize(("language", "words"), [("en", "no space left"), ("ko", "남은 공간이 없습니다")])
def test_a_full_disk_is_said_and_the_text_is_kept(empty, visit, expect, language, words):
    look = visit(empty, "today", language=language)
    look.watch.expects("status of 507")
    problem = {
        "status": 507,
        "code": "disk_full",
        "title": "disk full",
        "detail": "There is no space left on the disk.",
    }
    look.page.route(
        "**/v1/memories",
        lambda route: route.fulfill(status=507, content_type="application/problem+json", body=json.dumps(problem)),
    )
    box = look.get("remember-text").first
    box.fill("The harbour is blue.")
    look.get("remember-save").first.click()
    expect(look.page.locator(".remember-wrong").first).to_contain_text(words)
    expect(box).to_have_value("The harbour is blue.")
    look.page.reload()
    look.settled()
    expect(look.get("remember-text").first).to_have_value("The harbour is blue.")


def test_a_browser_whose_storage_is_full_still_works(empty, visit, expect):
    """Drafts, language and theme are kept for as long as the page is open."""
    look = visit(empty, None)
    look.page.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
    )
    look.go("today")
    look.get("remember-text").first.fill("The harbour is blue.")
    look.get("remember-save").first.click()
    expect(look.page.locator(".toast")).to_have_count(1)
    look.move("settings")
    look.get("settings-language").select_option("ko")
    expect(look.page.locator("main h1")).to_have_text("설정")
    look.get("settings-theme").select_option("light")
    expect(look.page.locator("html")).to_have_attribute("data-theme", "light")


def test_two_tabs_see_what_the_other_does(empty, visit, expect):
    """Stored in one, listed in the other; let go in one while it is edited in the other: said, and the text stays."""
    with empty.memory() as memory:
        item = memory.store("The lighthouse is red.")
    look = visit(empty, "memories")
    other = look.page.context.new_page()
    look.watch.over(other)
    other.goto(f"{empty.url}/#/today")
    other.get_by_test_id("remember-text").first.fill("The harbour is blue.")
    other.get_by_test_id("remember-save").first.click()
    expect(look.get("memory-row")).to_have_count(2)
    look.go(f"memory/{item.id}")
    look.get("memory-edit").click()
    edited = look.page.locator("dialog textarea").first
    edited.fill("The lighthouse is white.")
    other.goto(f"{empty.url}/#/memories")
    row = other.get_by_test_id("memory-row").filter(has_text="lighthouse")
    row.get_by_role("checkbox").check()
    other.get_by_test_id("bulk-forget").click()
    expect(other.get_by_test_id("memory-row")).to_have_count(1)
    expect(edited).to_have_value("The lighthouse is white.")
    other.close()


def test_everything_that_matters_by_touch(empty, visit, expect):
    """On a phone, by finger alone: remember, find, open, choose, let go, take back."""
    look = visit(empty, "today", size=(390, 844), has_touch=True, is_mobile=True)
    look.get("remember-text").first.tap()
    look.page.keyboard.type("The harbour is blue.")
    look.get("remember-save").first.tap()
    expect(look.page.locator(".toast")).to_have_count(1)
    look.move("memories")
    look.get("memory-row").locator("input[type=checkbox]").tap()
    look.get("bulk-forget").tap()
    gone = look.toast("1 let go")
    gone.get_by_role("button", name="Undo").tap()
    expect(look.get("memory-row")).to_have_count(1)
    look.page.locator(".row-link").first.tap()
    expect(look.get("memory-panel")).to_be_visible()
    assert look.overflow() == []
    assert stored(empty) == ["The harbour is blue."]
