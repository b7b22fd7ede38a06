"""Everything by keyboard: Tab reaches all that can be used, its place is seen, and nothing holds it fast."""

from __future__ import annotations

import pytest

PLACES = [
    "today",
    "memories",
    "people",
    "people/user",
    "conversations",
    "federation",
    "orbits",
    "memory/{memory}",
    "ask",
    "ask?q=Mina",
    "cliff",
    "approvals",
    "self",
    "self/soul",
    "personas",
    "insight",
    "settings",
]
# A group of radio buttons is one stop; so is whatever arrows move about in.
MARK = """() => {
  const groups = new Set();
  const stops = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter((each) => {
    if (each.disabled || each.tabIndex < 0 || each.closest("[inert]") || !each.checkVisibility({ visibilityProperty: true })) return false;
    if (each.type !== "radio") return true;
    const group = document.querySelectorAll(`input[name="${each.name}"]`);
    const entry = [...group].find((one) => one.checked) ?? group[0];
    return each === entry;
  });
  window.__stops = stops;
  document.activeElement?.blur();
  return stops.map((each) => `${each.tagName.toLowerCase()} ${each.dataset.testid ?? ""} ${(each.getAttribute("aria-label") ?? each.textContent).trim().slice(0, 40)}`);
}"""
WHERE = """() => {
  const at = document.activeElement;
  const shown = (each) => each && [null, "::after"].some((part) => { const style = getComputedStyle(each, part);
    return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none"; });
  const label = at.closest("label");
  const visible = shown(at) || shown(label) || shown(at.nextElementSibling) || shown(at.parentElement);
  return [at === document.body ? -1 : window.__stops.indexOf(at), visible, at.outerHTML.slice(0, 160)];
}"""


@pytest.mark.parametrize("place", PLACES)
def test_tab_reaches_everything(life, visit, place):
    look = visit(life.served, place.format(**life.ids))
    page = look.page
    stops = page.evaluate(MARK)
    assert len(stops) > 10
    reached: set[int] = set()
    unseen: list[str] = []
    for _ in range(len(stops) + 5):
        page.keyboard.press("Tab")
        at, visible, told = page.evaluate(WHERE)
        if at in reached:
            break
        if at >= 0:
            reached.add(at)
        if at >= 0 and not visible:
            unseen.append(told)
    assert [stops[each] for each in range(len(stops)) if each not in reached] == []
    assert unseen == []


def test_keys_lead_everywhere(life, visit, expect):
    """`g` and a letter, also with a Korean keyboard; `/` searches, `?` tells them all and gives the focus back."""
    look = visit(life.served, "orbits")
    page = look.page
    for key, heading in {
        "t": "Today",
        "m": "Memories",
        "w": "People and things",
        "v": "Conversations",
        "f": "Learning together",
        "c": "The cliff",
        "a": "Ask",
        "p": "Approvals",
        "s": "Self",
        "i": "Insight",
        "e": "Settings",
        "o": "Orbits",
    }.items():
        page.keyboard.press("g")
        page.keyboard.press(key)
        expect(page.locator("main h1")).to_have_text(heading)
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search memories")).to_be_focused()
    page.keyboard.press("Escape")
    helping = page.get_by_role("button", name="Keyboard shortcuts")
    helping.focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    for _ in range(4):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('dialog') !== null")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(helping).to_be_focused()


def test_the_first_stop_skips_to_the_content(life, visit, expect):
    look = visit(life.served, "cliff")
    look.page.evaluate("document.activeElement.blur()")
    look.page.keyboard.press("Tab")
    expect(look.page.get_by_text("Skip to content")).to_be_focused()
    look.page.keyboard.press("Enter")
    expect(look.page.locator("#main")).to_be_focused()


def test_the_sky_by_arrows(life, visit, expect):
    """One stop; arrows choose a memory and say it, Enter opens it."""
    look = visit(life.served, "orbits")
    stage = look.get("orbits-stage")
    stage.focus()
    look.page.keyboard.press("ArrowRight")
    chosen = look.page.locator("[role=option][aria-selected=true]")
    expect(chosen).to_have_count(1)
    said = set()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp", "End", "Home"):
        look.page.keyboard.press(key)
        said.add(chosen.text_content())
    assert len(said) > 2
    assert all("score" in one for one in said)
    look.page.keyboard.press("Enter")
    expect(look.page.locator("main h1")).to_have_text("Memory")
