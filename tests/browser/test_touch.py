"""On a phone, by finger alone: every flow of every view, in Korean and English, dark and light."""

from __future__ import annotations

import re

import pytest

PHONE = {"size": (390, 844), "has_touch": True, "is_mobile": True}
LOOKS = [("ko", "dark"), ("en", "light")]
both = pytest.mark.parametrize(("language", "theme"), LOOKS, ids=["ko dark", "en light"])


@pytest.fixture(scope="module")
def told(life):
    """A conversation with a name, a salary and a question, and something on the cliff."""
    for text in ("My sister Ingrid lives in Lisbon.", "My salary is 5,000 euros a month.", "Where does Ingrid live?"):
        life.ask("POST", "/turns", content=text, session_id="by-finger")
    life.ask("DELETE", f"/memories/{life.remember('The old umbrella is broken.')}")


def at(look, testid: str):
    """The part as a finger finds it, when the page has come to rest: in the middle, where no bar covers it."""
    look.settled()
    found = look.get(testid).first
    found.evaluate("part => part.scrollIntoView({ block: 'center' })")  # harmless if it is drawn again meanwhile
    return found


@both
def test_every_place_is_reached_from_the_bar(life, visit, expect, language, theme):
    """Four on the bar, the others behind "more"; each opens and fits."""
    look = visit(life.served, "today", language=language, theme=theme, **PHONE)
    bar = look.page.locator("nav.bottom")
    for place in ("memories", "people", "conversations", "today"):
        bar.locator(f"a[data-place={place}]").tap()
        look.page.wait_for_function("place => location.hash === `#/${place}`", arg=place)
        look.settled()
        assert look.overflow() == []
    for place in ("ask", "orbits", "cliff", "insight", "approvals", "self", "personas", "federation", "settings"):
        bar.get_by_role("button").tap()
        look.page.get_by_role("dialog").locator(f"a[data-place={place}]").tap()
        look.page.wait_for_function("place => location.hash === `#/${place}`", arg=place)
        expect(look.page.get_by_role("dialog")).to_have_count(0)
        look.settled()
        assert (place, look.overflow()) == (place, [])


@both
def test_the_table_by_finger(life, told, visit, expect, language, theme):
    """A filter from the suggestions, another order, a lifetime for several with one undo, the panel, columns and a page."""
    tag = f"cellar-{language}"
    ids = [
        life.remember(f"The {thing} of {language} is in the cellar.", tags=[tag]) for thing in ("ladder", "sledge")
    ]
    before = [life.ask("GET", f"/memories/{one}")["tier"] for one in ids]
    look = visit(life.served, "memories", language=language, theme=theme, **PHONE)
    at(look, "columns").locator("summary").tap()
    look.get("column-source").tap()
    look.get("columns").locator("summary").tap()
    at(look, "page-after").tap()
    expect(look.page.locator(".memories-pager")).to_contain_text("2")
    look.get("filter-box").tap()
    look.page.keyboard.type(tag)
    look.get("filter-item").filter(has_text=re.compile(f": {tag}")).tap()
    expect(look.get("memory-row")).to_have_count(2)
    for box in look.get("memory-row").locator("input[type=checkbox]").all():
        box.tap()
    look.get("bulk-lifetime").tap()
    look.get("lifetime-choice").select_option("M30")
    look.get("lifetime-set").tap()
    undo = look.page.locator(".toast button").first
    undo.tap()
    expect(look.page.locator(".toast")).to_have_count(0)
    assert [life.ask("GET", f"/memories/{one}")["tier"] for one in ids] == before
    look.page.locator(".row-link").first.tap()
    expect(look.get("memory-panel")).to_be_visible()
    assert look.overflow() == []


@both
def test_people_and_conversations_by_finger(life, told, visit, expect, language, theme):
    look = visit(life.served, "people", language=language, theme=theme, **PHONE)
    look.get("people-search").tap()
    look.page.keyboard.type("ingrid")
    look.get("person").first.tap()
    expect(look.get("subject-known")).to_contain_text("Lisbon")
    at(look, "relations-list").locator("summary").tap()
    expect(look.get("relations-list")).to_contain_text("Lisbon")
    look.move("conversations?session=by-finger")
    asked = look.page.locator("[data-testid=turn]", has=look.page.locator("details")).first
    asked.locator("summary").tap()
    expect(asked).to_contain_text("Lisbon")
    if asked.get_by_test_id("turn-right").count():
        asked.get_by_test_id("turn-right").tap()
        expect(look.page.locator(".toast")).to_have_count(1)
    assert look.overflow() == []


@both
def test_asking_and_judging_by_finger(life, told, visit, expect, language, theme):
    """The box at the top, why it was found, right or wrong, and what a model would be given."""
    look = visit(life.served, "ask", language=language, theme=theme, **PHONE)
    look.page.locator(".seek input").tap()
    look.page.keyboard.type("Where does Ingrid live?")
    look.page.keyboard.press("Enter")
    expect(look.get("ask-hits")).to_contain_text("Lisbon")
    at(look, "answer-right").tap()
    expect(look.get("ask-judge").get_by_role("status")).to_be_visible()
    look.page.get_by_role("tab").nth(1).tap()
    expect(look.get("compose-text")).to_contain_text("Lisbon")
    assert look.overflow() == []


@both
def test_orbits_and_the_cliff_by_finger(life, told, visit, expect, language, theme):
    """Side by side, drift, the list, the past and back; then one is given back from the cliff."""
    look = visit(life.served, "orbits", language=language, theme=theme, **PHONE)
    look.get("orbits-list").tap()
    expect(look.get("orbits-roster")).to_be_visible()
    look.get("orbits-list").tap()
    look.get("orbits-legend-toggle").tap()
    at(look, "orbits-grouping").select_option("person")
    look.settled()
    assert look.overflow() == []
    look.move("cliff")
    rows = look.get("cliff-row").count()
    at(look, "cliff-restore").tap()
    expect(look.get("cliff-row")).to_have_count(rows - 1)
    look.page.locator(".toast button").first.tap()
    expect(look.get("cliff-row")).to_have_count(rows)


@both
def test_deciding_by_finger(life, visit, expect, language, theme):
    """A proposal is opened, its approval is looked at and cancelled; SOUL.md is edited and kept as a draft."""
    look = visit(life.served, f"approvals/{life.ids['waiting']}", language=language, theme=theme, **PHONE)
    at(look, "proposal-approve").tap()
    expect(look.page.get_by_role("dialog")).to_be_visible()
    look.page.get_by_role("dialog").get_by_role("button").first.tap()
    look.move("self")
    at(look, "island").tap()
    expect(look.page.locator(".open-island").first).to_be_visible()
    look.move("self/soul")
    at(look, "soul-edit").tap()
    look.get("soul-text").tap()
    look.page.keyboard.type("x")
    expect(look.get("soul-diff")).to_be_visible()
    at(look, "soul-cancel").tap()
    look.page.get_by_role("dialog").locator(".danger, .primary").first.tap()
    expect(look.get("soul-page")).to_be_visible()
    assert look.overflow() == []


@both
def test_the_palette_settings_and_personas_by_finger(life, visit, expect, language, theme):
    look = visit(life.served, "settings/options", language=language, theme=theme, **PHONE)
    look.get("open-palette").tap()
    look.page.keyboard.type({"en": "cliff", "ko": "절벽"}[language])
    look.get("palette-item").first.tap()
    look.page.wait_for_function("location.hash.startsWith('#/cliff')")
    look.move("settings")
    look.get("settings-theme").select_option("light")
    expect(look.page.locator("html[data-theme=light]")).to_have_count(1)
    look.move("insight/sleep")
    look.page.locator("main .button").first.tap()  # what the night would do: a plan that changes nothing
    look.settled()
    look.move("personas")
    look.get("personas-question").tap()
    look.page.keyboard.type("By ferry or by train?")
    look.get("personas-offline").tap()
    at(look, "personas-ask").tap()
    look.get("personas-answer").nth(2).wait_for()
    assert look.overflow() == []
