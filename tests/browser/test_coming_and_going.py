"""Coming in by a link, the way out, what happens while a page is open, and a first run."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from benchmarks.browser import serving, started

REFUSED = r"status of 40[13]"
LOST = r"net::ERR|Failed to load resource|Failed to fetch"


def store_by_hand(served, text: str) -> None:
    """`celestial store`, as a person would type it beside the page."""
    command = [sys.executable, "-m", "celestial_engine", "store", "--db", str(served.path), "--lang", "en", text]
    subprocess.run(command, check=True, capture_output=True)


def session_ids(served) -> list[str]:
    with served.memory() as memory:
        return [grant.id for grant in memory.access.tokens() if grant.valid and grant.name == "dashboard"]


def test_the_printed_link_leads_in_once(empty, visit, expect):
    """The key is gone from the address, a second try is refused, and the page says what to do instead."""
    look = visit(empty, None, signed_in=False)
    look.page.goto(empty.link)
    expect(look.get("first-run")).to_be_visible()
    assert "key" not in look.page.url
    other = visit(empty, None, signed_in=False)
    other.watch.expects(REFUSED)
    assert other.page.goto(empty.link).status == 403
    assert "celestial dashboard" in other.page.inner_text("main")


@pytest.mark.parametrize(("language", "words"), [("en", "You are signed out"), ("ko", "로그아웃된 상태입니다")])
def test_without_a_session_the_page_says_how_to_get_one(empty, visit, expect, language, words):
    look = visit(empty, None, language=language, signed_in=False)
    look.watch.expects(REFUSED)
    look.page.goto(empty.url)
    expect(look.page.get_by_role("heading", name=words)).to_be_visible()
    expect(look.page.get_by_text("celestial dashboard")).to_be_visible()
    assert look.overflow() == []
    look.screenshot(f"signed-out-{language}")


def test_an_empty_memory_teaches(empty, visit, expect):
    """Every view of a memory that knows nothing says what would be there."""
    look = visit(empty, "orbits")
    expect(look.get("orbits-empty")).to_contain_text("Your sky is still empty")
    for place, words in {
        "today": "Connect something", "memories": "Nothing is remembered yet", "people": "Nobody is known yet",
        "conversations": "No conversation yet", "ask": "Ask your memories something", "cliff": "Nothing stands at the cliff",
        "approvals": "Nothing waits for your decision", "self": "There is no self yet", "insight": "Nothing", "memory": "Choose a memory",
        "memory/nobody": "There is no such memory",
    }.items():  # fmt: skip
        look.watch.expects("status of 404")
        page = look.move(place)
        expect(page.locator("main")).to_contain_text(re.compile(words, re.IGNORECASE))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_demo_data_comes_and_goes_with_one_click(empty, visit, expect, language):
    """Some three hundred memories in the reader's language; one's own stay when they go."""
    look = visit(empty, "orbits", language=language)
    look.get("orbits-demo-add").click()
    expect(look.get("orbits-demo-remove")).to_be_visible()
    store_by_hand(empty, "This one is mine.")
    with empty.memory() as memory:
        assert len(memory.list(limit=1000)) > 250
    look.get("orbits-demo-remove").click()
    expect(look.get("orbits-demo-remove")).to_have_count(0)
    expect(look.get("orbits-about")).to_have_text(
        {"en": "One memory in orbit", "ko": "궤도를 도는 기억 1개"}[language]
    )
    with empty.memory() as memory:
        assert [item.content for item in memory.list()] == ["This one is mine."]


def test_what_another_process_stores_appears_by_itself(empty, visit, expect):
    """Without loading anything again: the page itself is the same one."""
    store_by_hand(empty, "The first of all memories.")
    look = visit(empty, "orbits", moving=True)
    look.page.evaluate("window.sameness = 1")
    expect(look.get("orbits-about")).to_have_text("One memory in orbit")
    store_by_hand(empty, "The lighthouse keeper moved to Jeju.")
    expect(look.get("orbits-about")).to_have_text("2 memories in orbit")
    look.get("orbits-list").click()
    expect(look.get("orbits-roster").get_by_text("The lighthouse keeper moved to Jeju.")).to_be_visible()
    assert look.page.evaluate("window.sameness") == 1


def test_a_session_that_is_revoked_ends_on_the_page(empty, visit, expect):
    """At once, without a word of what was shown."""
    store_by_hand(empty, "The code of the gate hangs in the hall.")
    look = visit(empty, "orbits")
    look.get("orbits-list").click()
    expect(look.get("orbits-roster")).to_contain_text("The code of the gate")
    look.watch.expects(REFUSED)
    with empty.memory() as memory:
        for session in session_ids(empty):
            memory.access.revoke(session)
    expect(look.page.get_by_role("heading", name="You are signed out")).to_be_visible(timeout=40_000)
    assert "The code of the gate" not in look.page.content()


def test_a_server_that_comes_back_is_found_again(tmp_path, browser, visit, expect):
    """The page says that the connection is lost, and goes on by itself when the server is there again."""
    path = tmp_path / "memory.db"
    with serving(path) as first:
        look, small = visit(first, "orbits"), visit(first, "cliff", size=(390, 844))
        sign, only_if_lost = look.page.locator(".rail .connection"), small.page.locator(".top .connection")
        expect(sign).to_have_attribute("data-state", "live")
        expect(only_if_lost).to_be_hidden()
        for each in (look, small):
            each.watch.expects(LOST)
        first.stop()
        expect(sign).to_have_attribute("data-state", "lost")
        expect(only_if_lost).to_be_visible()
        assert small.overflow() == []
    second = started(path, first.port)
    try:
        store_by_hand(second, "Stored after the storm.")
        expect(sign).to_have_attribute("data-state", "live", timeout=60_000)
        expect(look.get("orbits-about")).to_have_text("One memory in orbit")
        expect(only_if_lost).to_be_hidden()
    finally:
        second.process.kill()
        second.process.communicate()


def test_over_plain_http_from_another_machine_it_works_as_well(empty, visit, expect):
    """There browsers have neither a clipboard nor their own random ids: copying says what to do instead."""
    look = visit(empty, None)
    look.page.add_init_script(
        """delete Crypto.prototype.randomUUID;
        Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined });"""
    )
    look.go("settings/access")
    look.get("token-create").click()
    look.get("token-name").fill("tablet")
    look.get("token-make").click()
    secret = look.get("token-secret").input_value()
    look.page.get_by_role("dialog").get_by_role("button", name="Copy").click()
    expect(look.page.get_by_role("dialog")).to_contain_text("Selected: press Ctrl+C")
    assert look.page.evaluate("getSelection().toString()") == secret


def test_language_and_theme_are_switched_and_kept(empty, visit, expect):
    look = visit(empty, "orbits")
    page = look.page
    page.get_by_role("button", name="한국어").click()
    expect(page.locator("main h1")).to_have_text("궤도")
    page.get_by_role("button", name="테마: 시스템 설정").click()
    page.get_by_role("button", name="테마: 어둡게").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.reload()
    look.settled()
    expect(page.locator("main h1")).to_have_text("궤도")
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dataset.theme]") == ["ko", "light"]


def test_who_wants_it_still_gets_it_still(empty, visit, expect):
    """With reduced motion the picture is painted when something changed, and else not at all."""
    store_by_hand(empty, "A quiet memory.")
    look = visit(empty, None)
    look.page.add_init_script(
        """window.painted = 0;
        const clear = CanvasRenderingContext2D.prototype.drawImage;
        CanvasRenderingContext2D.prototype.drawImage = function (...all) { window.painted += 1; return clear.apply(this, all); };"""
    )
    look.go("orbits")
    frames = """() => new Promise((done) => { let left = 40; let before = window.painted;
        const frame = () => (left-- > 0 ? requestAnimationFrame(frame) : done(window.painted - before)); frame(); })"""
    look.page.evaluate(frames)  # what it has to paint at first
    assert look.page.evaluate(frames) == 0


def test_a_view_that_failed_comes_back_by_itself(empty, visit, expect):
    """While the server is busy the view says so; it loads again without a press."""
    store_by_hand(empty, "The ferry leaves at six.")
    look = visit(empty, "cliff")
    look.watch.expects("status of 503", "ApiError")
    look.page.route("**/v1/memories/table", lambda route: route.fulfill(status=503, json={"code": "busy"}))
    look.page.evaluate("location.hash = '#/memories'")
    expect(look.page.locator(".fault")).to_be_visible()
    look.page.unroute("**/v1/memories/table")
    expect(look.get("memory-row")).to_have_count(1)


def test_pages_are_sent_compressed(empty):
    """Both forms are the same file; what a first visit loads stays below 120 kB."""
    import gzip
    import re as regex
    from urllib.request import Request, urlopen

    page = urlopen(f"{empty.url}/").read().decode()
    total = 0
    for path in regex.findall(r'(?:src|href)="\./(assets/[^"]+)"', page):
        plain = urlopen(f"{empty.url}/{path}")
        packed = urlopen(Request(f"{empty.url}/{path}", headers={"Accept-Encoding": "gzip"}))
        body = packed.read()
        assert packed.headers["Vary"] == "Accept-Encoding"
        if packed.headers["Content-Encoding"] == "gzip":
            assert packed.headers["Content-Type"].split(";")[0] == plain.headers["Content-Type"].split(";")[0]
            assert gzip.decompress(body) == plain.read()
        total += len(body)
    assert 0 < total < 120_000
