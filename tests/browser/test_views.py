"""Every view: in both languages and themes, wide and narrow, without anything that axe objects to."""

from __future__ import annotations

import json

import pytest

PLACES = {
    "today": "today",
    "memories": "memories",
    "memories-open": "memories?about=user&open={memory}",
    "people": "people",
    "people-relations": "people/relations",
    "people-one": "people/user",
    "conversations": "conversations",
    "federation": "federation",
    "orbits": "orbits",
    "memory": "memory/{memory}",
    "ask": "ask",
    "ask-found": "ask?q=Mina",
    "cliff": "cliff",
    "approvals": "approvals",
    "self": "self",
    "self-islands": "self/islands",
    "self-cores": "self/cores",
    "self-soul": "self/soul",
    "self-imagination": "self/imagination",
    "personas": "personas",
    "insight": "insight",
    "insight-learning": "insight/learning",
    "insight-sleep": "insight/sleep",
    "insight-ledger": "insight/ledger",
    "insight-system": "insight/system",
    "settings": "settings",
    "settings-access": "settings/access",
    "settings-engine": "settings/engine",
    "settings-options": "settings/options",
    "settings-data": "settings/data",
}
NAMES = {
    "en": {
        "today": "Today", "memories": "Memories", "people": "People and things", "conversations": "Conversations",
        "federation": "Learning together",
        "orbits": "Orbits", "memory": "Memory", "ask": "Ask", "cliff": "The cliff", "approvals": "Approvals",
        "self": "Self", "personas": "Personas", "insight": "Insight", "settings": "Settings",
    },
    "ko": {
        "today": "오늘", "memories": "모든 기억", "people": "사람과 사물", "conversations": "대화", "federation": "함께 배우기",
        "orbits": "궤도", "memory": "기억", "ask": "질문", "cliff": "망각의 절벽", "approvals": "승인",
        "self": "자아", "personas": "페르소나", "insight": "통찰", "settings": "설정",
    },
}  # fmt: skip
WIDE, NARROW = (1280, 800), (390, 844)
# Every view is seen in both languages, both themes and both widths; no two looks share all three.
LOOKS = [("en", "dark", WIDE), ("ko", "light", WIDE), ("ko", "dark", NARROW), ("en", "light", NARROW)]
# The other widths of the same views; where it matters in both looks.
HUGE = [("en", "dark", (1920, 1080)), ("ko", "light", (1920, 1080))]
AT_HUGE = ("today", "memories", "people", "conversations", "ask-found", "orbits")


def findings(page, axe: str) -> list[str]:
    """What axe objects to, with where it is."""
    page.evaluate(axe)
    told = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{rule['id']}: {rule['help']}: {json.dumps([node['target'] for node in rule['nodes'][:4]])}"
        f" {rule['nodes'][0]['failureSummary']}"
        for rule in told["violations"]
    ]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("language", "theme", "size"), LOOKS, ids=lambda value: value if isinstance(value, str) else str(value[0])
)
def test_every_view_in_every_look(life, visit, axe, language, theme, size, place):
    """It has its name and one heading, fits the window, and can be used by everybody."""
    look = visit(life.served, PLACES[place].format(**life.ids), language=language, theme=theme, size=size)
    page = look.page
    name = place.partition("-")[0]
    assert page.title() == f"{NAMES[language][name]} · Celestial"
    assert page.locator("h1").count() == 1
    assert page.evaluate("document.documentElement.lang") == language
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    look.screenshot(f"{place}-{language}-{theme}-{size[0]}")
    assert look.overflow() == []
    assert findings(page, axe) == []


@pytest.mark.parametrize("place", AT_HUGE)
@pytest.mark.parametrize(("language", "theme", "size"), HUGE, ids=["en-dark", "ko-light"])
def test_a_wide_screen_is_used(life, visit, axe, language, theme, size, place):
    """At 1920 pixels nothing overflows, and the view takes most of the width."""
    look = visit(life.served, PLACES[place].format(**life.ids), language=language, theme=theme, size=size)
    look.screenshot(f"{place}-{language}-{theme}-{size[0]}")
    assert look.overflow() == []
    assert findings(look.page, axe) == []
    assert look.page.locator("main > .view").bounding_box()["width"] > 1400


@pytest.mark.parametrize(
    ("place", "look"), [(place, HUGE[at % 2]) for at, place in enumerate(PLACES) if place not in AT_HUGE]
)
def test_every_other_view_fits_a_wide_screen(life, visit, axe, place, look):
    """In turn English and dark, Korean and light: no text overflows, and everybody can use it."""
    language, theme, size = look
    page = visit(life.served, PLACES[place].format(**life.ids), language=language, theme=theme, size=size)
    page.screenshot(f"{place}-{language}-{theme}-{size[0]}")
    assert page.overflow() == []
    assert findings(page.page, axe) == []


OPENED = {
    "today": "open-palette", "memories": "columns", "conversations": "turn",
    "orbits": "orbits-list", "memory/{memory}": "memory-edit", "approvals/{waiting}": "proposal-approve", "self": "propose-belief",
    "self?": "island", "settings/access": "token-create", "ask?q=Mina": "ask-filters", "insight": "insight-flows-as-table",
}  # fmt: skip


@pytest.mark.parametrize(("language", "theme", "size"), LOOKS[1:3], ids=["ko-light-1280", "ko-dark-390"])
def test_what_opens_on_a_page_can_be_used_by_everybody_too(life, visit, axe, language, theme, size):
    """Dialogs, lists, tables and forms; each fits the window."""
    look = visit(life.served, "orbits", language=language, theme=theme, size=size)
    for place, opener in OPENED.items():
        look.page.goto("about:blank")
        look.go(place.format(**life.ids))
        target = look.get(opener).first
        (target.locator("summary") if opener in ("ask-filters", "columns") else target).click()
        look.page.wait_for_function(  # a press may lead to another page, which has no heading until it is read
            """() => document.querySelector("dialog[open]")
              ?? (document.querySelector("main h1") && !document.querySelector("[aria-busy], main .skeleton"))"""
        )
        look.page.wait_for_function("() => !document.getAnimations().some((each) => each.playState === 'running')")
        assert (place, look.overflow(), findings(look.page, axe)) == (place, [], [])


@pytest.mark.parametrize(("language", "theme"), [("en", "dark"), ("ko", "light")])
def test_a_first_run_and_what_was_begun_on_a_phone(empty, visit, expect, axe, language, theme):
    """With a token in the lines, the first memory arrived, and a draft to go on with: by finger, and nothing in the way."""
    look = visit(empty, "today", language=language, theme=theme, size=NARROW, has_touch=True, is_mobile=True)
    look.get("first-copy").tap()
    expect(look.get("first-lines")).not_to_contain_text("cel_...")
    assert (look.overflow(), findings(look.page, axe)) == ([], [])
    with empty.memory() as memory:
        mine = memory.store("The bakery opens at seven.").id
    look.get("first-go-on").tap()
    expect(look.get("first-run")).to_have_count(0)
    look.move(f"memory/{mine}")
    look.get("memory-edit").tap()
    look.get("edit-text").fill(f"The bakery opens at eight. {'long' * 60} <img src=x onerror=alert(1)>")
    look.page.reload()
    look.go("today")
    expect(look.get("today-begun").get_by_role("link")).to_contain_text("<img src=x")
    assert (look.overflow(), findings(look.page, axe)) == ([], [])
    look.get("begun-discard").tap()
    expect(look.get("today-begun")).to_have_count(0)
