"""The table of memories, people and things, and conversations: what is done there really happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SAID = (
    "My sister Ingrid lives in Lisbon.",
    "My sister Ingrid moved to Porto last week.",
    "My boss is Daniel and he hates meetings.",
    "My salary is 5,000 euros a month.",
    "ok thanks",
    "Where does Ingrid live?",
)


@pytest.fixture(scope="module")
def told(life):
    """A conversation about a sister, a boss and money."""
    return [life.ask("POST", "/turns", content=text, session_id="on-monday") for text in SAID]


def test_the_table_sorts_filters_and_stands_in_the_address(life, told, visit, expect):
    """Suggestions by a few letters; a reload and the way back show the same."""
    look = visit(life.served, "memories")
    look.get("filter-box").fill("ingrid")
    look.get("filter-item").filter(has_text="About: ingrid").click()
    expect(look.get("memory-row")).to_have_count(2)
    look.get("sort-created").click()
    expect(look.page.locator("th[aria-sort=ascending]")).to_contain_text("Stored")
    expect(look.get("memory-row").first).to_contain_text("Lisbon")
    look.page.reload()
    look.settled()
    expect(look.get("chip-about")).to_be_visible()
    expect(look.get("memory-row").first).to_contain_text("Lisbon")
    look.get("filter-box").fill("Porto")
    look.page.keyboard.press("Enter")
    expect(look.get("memory-row")).to_have_count(1)
    look.page.go_back()
    expect(look.get("memory-row")).to_have_count(2)
    look.get("chip-about").click()
    expect(look.get("chip-about")).to_have_count(0)
    look.watch.expects("status of 422")
    look.move("memories?zone=nowhere&sort=nonsense&page=-3")
    expect(look.page.locator("main")).to_contain_text(re.compile("No memory is like that|did not work"))


@pytest.mark.parametrize(
    ("language", "name", "typed"), [("en", "Stays true", "for years"), ("ko", "맞는 기간", "몇 해")]
)
def test_how_long_a_statement_stays_true_is_a_filter(life, told, visit, expect, language, name, typed):
    """Not the lifetime that a memory was given, but what its words tell: a sister's home lasts, a meeting does not."""
    look = visit(life.served, "memories?about=ingrid", language=language)
    look.get("filter-box").fill(typed)
    expect(look.get("filter-item").first).to_contain_text(f"{name}: {typed}")  # what is offered comes after the rows
    look.page.keyboard.press("Enter")
    expect(look.get("chip-lifetime")).to_contain_text(typed)
    expect(look.get("memory-row").filter(has_text="Lisbon")).to_have_count(1)
    look.move("memories?about=ingrid&lifetime=passing")
    expect(look.get("memory-row").filter(has_text="Lisbon")).to_have_count(0)


def test_columns_pages_and_the_side_panel(life, told, visit, expect):
    look = visit(life.served, "memories")
    look.get("columns").locator("summary").click()
    look.get("column-source").check()
    expect(look.page.locator("th").filter(has_text="Source")).to_be_visible()
    look.get("columns").locator("summary").click()
    look.get("page-after").click()
    expect(look.page.locator(".memories-pager")).to_contain_text("Page 2 of")
    look.get("page-before").click()
    expect(look.page.locator(".memories-pager")).to_contain_text("Page 1 of")
    look.page.locator(".row-link").first.click()
    expect(look.get("memory-panel")).to_be_visible()
    assert "open=" in look.page.url
    look.page.keyboard.press("Escape")
    expect(look.get("memory-panel")).to_have_count(0)
    expect(look.page.locator(".row-link").first).to_be_focused()
    look.page.keyboard.press("ArrowDown")
    expect(look.page.locator(".row-link").nth(1)).to_be_focused()


def test_many_are_changed_at_once_with_one_undo(life, visit, expect):
    """Pinned, tagged and let go; each is done on the server, and one press takes all of it back."""
    ids = [life.remember(f"The {colour} umbrella hangs in the hall.", tags=["rain"]) for colour in ("red", "blue")]
    look = visit(life.served, "memories?tag=rain")

    def chosen() -> None:
        look.get("select-all").check()

    chosen()
    look.get("bulk-pin").click()
    look.toast("2 pinned").get_by_role("button", name="Undo").click()
    expect(look.page.locator(".toast")).to_have_count(0)
    assert {life.ask("GET", f"/memories/{one}")["protection"] for one in ids} == {"none"}
    chosen()
    look.get("bulk-tag").click()
    look.get("tag-name").fill("hall")
    look.get("tag-add").click()
    look.toast("2 tagged")
    assert all("hall" in life.ask("GET", f"/memories/{one}")["tags"] for one in ids)
    chosen()
    look.get("bulk-forget").click()
    gone = look.toast("2 let go")
    expect(look.get("memories-none")).to_be_visible()
    assert {life.ask("GET", f"/memories/{one}")["state"] for one in ids} == {"cliff"}
    gone.get_by_role("button", name="Undo").click()
    expect(look.get("memory-row")).to_have_count(2)


def test_lifetimes_are_changed_at_once_and_come_back_as_they_were(life, visit, expect):
    """The way back brings the old end of life and its reason back too; a core memory keeps its own."""
    ids = [life.remember(f"The {thing} is in the cellar.", tags=["cellar"]) for thing in ("ladder", "sledge")]
    before = [life.ask("GET", f"/memories/{one}") for one in ids]
    look = visit(life.served, "memories?tag=cellar")
    look.get("select-all").check()
    look.get("bulk-lifetime").click()
    look.get("lifetime-choice").select_option("M30")
    look.get("lifetime-set").click()
    told = look.toast("2 have the new lifetime")
    now = [life.ask("GET", f"/memories/{one}") for one in ids]
    assert {one["tier"] for one in now} == {"M30"}
    assert all(one["expires_at"] < other["expires_at"] for one, other in zip(now, before, strict=True))
    told.get_by_role("button", name="Undo").click()
    expect(look.page.locator(".toast")).to_have_count(0)
    after = [life.ask("GET", f"/memories/{one}") for one in ids]
    assert [(one["tier"], one["expires_at"]) for one in after] == [(one["tier"], one["expires_at"]) for one in before]


def test_what_is_shown_is_exported(life, told, visit, expect):
    """Every row of the filter, with formulas made harmless."""
    life.remember('=HYPERLINK("http://evil.example")', tags=["formula"])
    look = visit(life.served, "memories?tag=formula")
    look.get("export-menu").locator("summary").click()
    with look.page.expect_download() as started:
        look.get("export-csv").click()
    text = Path(started.value.path()).read_bytes().decode("utf-8-sig")
    assert text.count("\r\n") == 2
    assert "'=HYPERLINK" in text
    with look.page.expect_download() as started:
        look.get("export-jsonl").click()
    assert len(Path(started.value.path()).read_text(encoding="utf-8").splitlines()) == 1


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=["wide", "narrow"])
def test_what_is_known_about_my_sister(life, told, visit, expect, size):
    """By her name or as sister: what holds, what was before, and who is tied to her."""
    look = visit(life.served, "people", size=size)
    look.get("people-search").fill("ingrid")
    look.get("person").filter(has_text="Ingrid").first.click()
    expect(look.page.locator("main h1")).to_have_text("Ingrid")
    expect(look.get("subject-known")).to_contain_text("Porto")
    expect(look.get("subject-known").locator(".ended")).to_contain_text("Lisbon")
    expect(look.get("subject-memories")).to_contain_text("Porto")
    expect(look.get("relations-graph").locator("canvas")).to_be_visible()
    look.get("relations-list").locator("summary").click()
    expect(look.get("relations-list")).to_contain_text("Porto")
    look.get("relations-hops").select_option("2")
    expect(look.page.locator("main")).to_contain_text("shown")
    assert look.overflow() == []
    look.watch.expects("status of 404")
    look.move("people/nobody-at-all")
    expect(look.page.locator("main")).to_contain_text("Nothing is known about this")


def test_a_turn_is_corrected_in_place(life, told, visit, expect):
    """What should not have been kept is let go, and the policy hears of it."""
    look = visit(life.served, "conversations?session=on-monday")
    expect(look.get("turn")).to_have_count(len(SAID))
    money = look.get("turn").filter(has_text="salary")
    expect(money).to_contain_text("Kept")
    money.get_by_test_id("turn-not-keep").click()
    look.toast("Let go and noted as wrong. The memory can be restored for seven days. Later decisions learn from it.")
    kept = told[3]["memory"]["id"]
    assert life.ask("GET", f"/memories/{kept}")["state"] == "cliff"
    turns = {turn["turn_id"]: turn for turn in life.ask("GET", "/turns")["turns"]}
    decided = turns[told[3]["decision"]["turn_id"]]
    assert (decided["reward"], decided["said"]) == (-1.0, True)
    expect(look.get("turn").filter(has_text="you said: wrong")).to_have_count(1)
    skipped = look.get("turn").filter(has_text="Skipped").first
    expect(skipped.get_by_test_id("turn-why")).to_contain_text("it is small talk")
    skipped.get_by_test_id("turn-should-keep").click()
    expect(look.get("remember-text")).to_be_visible()


def test_every_turn_says_the_true_reason(empty, visit, expect):
    """Not wanted, known already, asked to forget, nothing found, and looked up by hand: none is "nothing in it"."""
    with empty.memory() as memory:
        for text in (
            "My sister Ingrid lives in Lisbon.",
            "My sister Ingrid lives in Lisbon.",
            "Forget that I like tea.",
            "What did I say about the lighthouse?",
        ):
            memory.observe(text, session_id="monday")
        memory.judge_answer("Where does Ingrid live?", True)
    look = visit(empty, "conversations")
    reasons = look.get("turn-why")
    expect(reasons).to_have_count(5)
    for place, words in enumerate(
        ("you searched for it", "it asks", "it asks to forget something", "it was remembered already", "Why: ")
    ):
        expect(reasons.nth(place)).to_contain_text(words)
    asked, forgetting = look.get("turn").nth(1), look.get("turn").nth(2)
    expect(asked).to_contain_text("Asked memory")
    expect(asked).to_contain_text("No memory was given")
    expect(forgetting.get_by_test_id("turn-should-keep")).to_have_count(0)
    expect(look.get("turn").first).to_contain_text("You asked this under Ask")


def test_rows_that_look_the_same_stay(life, visit, expect):
    """What another program does redraws its own row alone: the others keep their element, focus and place."""
    ids = [life.remember(f"The {thing} is on the shelf.", tags=["shelf"]) for thing in ("lamp", "globe", "vase")]
    look = visit(life.served, "memories?tag=shelf")
    expect(look.get("memory-row")).to_have_count(3)
    lamp = look.page.locator(f"tr[data-id='{ids[0]}']")
    lamp.get_by_test_id("row-select").check()
    lamp.locator(".row-link").focus()
    look.page.evaluate(
        """() => { for (const row of document.querySelectorAll("tr[data-id]")) row.seen = true;
                   document.querySelector("[data-testid=memories-table]").seen = true; }"""
    )
    life.ask("PUT", f"/memories/{ids[1]}/pin")
    life.remember("The clock is on the shelf.", tags=["shelf"])
    expect(look.get("memory-row")).to_have_count(4)
    expect(look.page.locator(f"tr[data-id='{ids[1]}']")).to_contain_text("pinned", ignore_case=True)
    seen = look.page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("tr[data-id]")].map((row) => [row.dataset.id, row.seen === true]))"""
    )
    assert {one: seen[one] for one in ids} == {ids[0]: True, ids[1]: False, ids[2]: True}
    assert look.page.evaluate("document.querySelector('[data-testid=memories-table]').seen === true")
    expect(lamp.locator(".row-link")).to_be_focused()
    expect(lamp.get_by_test_id("row-select")).to_be_checked()
    order = [row.get_attribute("data-id") for row in look.get("memory-row").all()]
    assert order[1:] == ids[::-1]
    look.page.keyboard.down("Shift")  # a stretch goes by what is shown now
    look.get("row-select").first.click()
    look.page.keyboard.up("Shift")
    expect(look.page.locator(".memories-bar")).to_contain_text("4 selected")


def test_money_matters_are_not_kept_any_more(life, told, visit, expect):
    """From the table with one press, undone by another, and seen in the settings."""
    life.remember("My rent is 900 euros a month.")
    look = visit(life.served, "memories")
    look.get("filter-box").fill("money")
    expect(look.get("filter-item").first).to_contain_text("Attribute: Money")
    look.page.keyboard.press("Enter")
    look.get("stop-keeping").click()
    stopped = look.toast("not kept unless you ask for it")
    seen = life.ask("POST", "/turns", content="I earn 3,000 euros a month.")
    assert (seen["decision"]["action"], seen["decision"]["reason"]) == ("skip", "unwanted")
    stopped.get_by_role("button", name="Undo").click()
    expect(stopped).to_have_count(0)
    assert life.ask("GET", "/policy/unwanted") == {"attributes": []}
    look.move("settings/engine")
    look.get("unwanted-choice").select_option("health")
    look.get("unwanted-add").click()
    look.get("unwanted-health").click()
    expect(look.get("unwanted")).to_contain_text("Everything may be kept")


def test_two_owners_never_meet(life, told, visit, expect):
    """Another owner's link shows none of it, by name neither."""
    with life.served.memory() as memory:
        other = memory.of(user_id="other", agent_id="default")
        other.store("I keep bees.")
        key = other.access.login_key()
    look = visit(life.served, None, signed_in=False)
    look.page.goto(f"{life.served.url}/login?key={key}")
    look.settled()
    expect(look.get("today-figures")).to_contain_text("1")
    look.watch.expects("status of 404")
    for place in ("memories", "people", "people/ingrid", "conversations", "today"):
        look.move(place)
        assert "Ingrid" not in look.page.inner_text("main").replace("sister Sora moved to Porto in May", "")
