"""The graph of people and things: groups, search and steps with two thousand of them, by mouse, keyboard and finger."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from benchmarks.browser import serving

RINGS, IN_A_RING = 200, 10
FIRST, THEN, LAST = "KLMNPRSTVZ", ("abor", "elin", "idan", "omur", "unek"), ("a", "e", "i", "o")


def name(number: int) -> str:
    """A made-up name for each of two thousand things."""
    first, rest = number % 10, number // 10
    return FIRST[first] + THEN[rest % 5] + THEN[rest // 5 % 5] + THEN[rest // 25 % 5] + LAST[rest // 125]


@pytest.fixture(scope="module")
def crowd(tmp_path_factory, browser):
    """Things in rings: each knows the one before it."""
    with serving(tmp_path_factory.mktemp("crowd") / "memory.db") as served:
        with served.memory() as memory:
            texts = []
            for ring in range(RINGS):
                names = [name(ring * IN_A_RING + at) for at in range(IN_A_RING)]
                texts += [f"{one} knows {names[at - 1]}." for at, one in enumerate(names)]
            for start in range(0, len(texts), 500):
                memory.store_many(texts[start : start + 500])
        yield served


def test_two_thousand_lie_in_groups_and_one_is_found_among_them(crowd, visit, expect):
    """All of them are there, in groups; search and Enter show what is around one, more steps more of it."""
    look = visit(crowd, "people/relations")
    graph = look.get("relations-graph")
    expect(graph).to_have_attribute("data-nodes", re.compile(r"^(19|20)\d\d$"))
    assert 8 <= int(graph.get_attribute("data-groups")) <= 201
    look.get("relations-search").fill(name(1234).lower())
    expect(look.get("relations-count")).to_contain_text("1 found")
    look.page.keyboard.press("Enter")
    expect(graph).to_have_attribute("data-nodes", "3")  # it knows one, and one knows it
    look.get("relations-hops").select_option("2")
    expect(graph).to_have_attribute("data-nodes", "5")
    look.get("relations-whole").click()
    expect(graph).to_have_attribute("data-nodes", re.compile(r"^(19|20)\d\d$"))


def test_the_one_in_the_middle_opens_and_keys_and_buttons_move_the_picture(crowd, visit, expect):
    look = visit(crowd, "people/relations")
    look.get("relations-search").fill(name(77))
    look.page.keyboard.press("Enter")
    graph = look.get("relations-graph")
    expect(graph).to_have_attribute("data-nodes", "3")
    pictures = [graph.screenshot()]
    graph.focus()
    for key in ("+", "ArrowLeft", "-", "0"):
        look.page.keyboard.press(key)
        look.page.wait_for_function(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
        )
        pictures.append(graph.screenshot())
    assert all(one != other for one, other in pairwise(pictures))
    look.get("relations-nearer").click()
    look.get("relations-farther").click()
    look.get("relations-fit").click()
    room = graph.bounding_box()
    look.page.mouse.move(room["x"] + room["width"] / 2, room["y"] + room["height"] / 2)
    expect(look.get("relations-card")).to_contain_text(name(77))
    look.page.mouse.click(room["x"] + room["width"] / 2, room["y"] + room["height"] / 2)
    expect(look.page.locator("main h1")).to_have_text(name(77))


def test_a_finger_opens_the_one_in_the_middle_and_two_of_them_zoom(crowd, visit, expect):
    look = visit(crowd, "people/relations", size=(390, 844), has_touch=True, language="ko", theme="light")
    look.get("relations-search").fill(name(8))
    look.page.keyboard.press("Enter")
    graph = look.get("relations-graph")
    expect(graph).to_have_attribute("data-nodes", "3")
    graph.scroll_into_view_if_needed()
    room = graph.bounding_box()
    middle = (room["x"] + room["width"] / 2, room["y"] + room["height"] / 2)
    fingers = look.page.context.new_cdp_session(look.page)
    before = graph.screenshot()
    for kind, apart in (("touchStart", 30), ("touchMove", 90), ("touchEnd", 0)):
        points = [(middle[0] - apart, middle[1]), (middle[0] + apart, middle[1])] if apart else []
        touched = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})
    assert graph.screenshot() != before
    look.get("relations-fit").click()
    look.page.touchscreen.tap(*middle)
    expect(look.page.locator("main h1")).to_have_text(name(8))
    assert look.overflow() == []


def test_nobody_of_that_name_is_said_and_changes_nothing(crowd, visit, expect):
    look = visit(crowd, "people/relations")
    expect(look.get("relations-graph")).to_have_attribute("data-nodes", re.compile(r"^(19|20)\d\d$"))
    for text in ("<img src=x onerror=alert(1)>", "'; DROP TABLE items; --", "nobody-at-all"):
        look.get("relations-search").fill(text)
        expect(look.get("relations-count")).to_contain_text("0 found")
        look.page.keyboard.press("Enter")
        expect(look.get("relations-count")).to_contain_text("Nobody and nothing by that name")
    expect(look.get("relations-graph")).to_have_attribute("data-nodes", re.compile(r"^(19|20)\d\d$"))
