"""The picture of the orbits: painted, pointed at, searched, narrowed down, listed, and wound back."""

from __future__ import annotations

import re

from celestial_engine.core.record.coordinate import SpaceCoordinate

# How much of the picture is not background: something in every tenth column.
PAINTED = """() => {
  const canvas = document.querySelector("[data-testid=orbits-stage] canvas");
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const pen = copy.getContext("2d");
  pen.drawImage(canvas, 0, 0);
  const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let at = 0; at < data.length; at += 4 * 97) colours.add(`${data[at] >> 3},${data[at + 1] >> 3},${data[at + 2] >> 3}`);
  return colours.size;
}"""


def counted(text: str) -> int:
    return int(re.sub(r"\D", "", text) or 0)


def test_the_sky_is_painted_and_moves(life, visit, expect):
    """Many colours, and another picture after a while; the button stops it."""
    look = visit(life.served, "orbits", moving=True)
    look.page.wait_for_function(f"({PAINTED})() > 30")
    shot = look.get("orbits-stage").screenshot
    before = shot()
    look.page.wait_for_function(
        "() => new Promise((done) => { let left = 30; const on = () => (left-- ? requestAnimationFrame(on) : done(true)); on(); })"
    )
    assert shot() != before
    look.get("orbits-motion").click()
    expect(look.get("orbits-motion")).to_have_attribute("aria-label", "Let it move")


def where_a_body_is(look) -> tuple[float, float]:
    """Near the middle of the picture; the pointer is over it then."""
    room = look.get("orbits-stage").bounding_box()
    spots = [(x, y) for y in range(8, 60) for x in range(8, 60)]
    for x, y in sorted(spots, key=lambda spot: abs(spot[0] - 30) + abs(spot[1] - 34)):
        at = (room["x"] + room["width"] * x / 68, room["y"] + room["height"] * y / 68)
        look.page.mouse.move(*at)
        if look.get("orbits-card").is_visible():
            return at
    raise AssertionError("there is no body in the picture")


def test_pointing_at_a_body_tells_of_it_and_pressing_opens_it(life, visit, expect):
    look = visit(life.served, "orbits")
    page = look.page
    found = where_a_body_is(look)
    words = look.get("orbits-card").locator("p").first.inner_text().removesuffix("…")
    page.mouse.click(*found)
    expect(page.locator("main h1")).to_have_text("Memory")
    expect(page.locator("main")).to_contain_text(words)


def test_a_finger_points_first_and_two_of_them_zoom(life, visit, expect):
    """A tap shows the card with a way on; a drag moves the sky, a pinch makes it larger, and neither opens anything."""
    look = visit(life.served, "orbits", size=(390, 844), has_touch=True)
    page, stage, card = look.page, look.get("orbits-stage"), look.get("orbits-card")
    found = where_a_body_is(look)
    page.touchscreen.tap(*found)
    expect(card.get_by_text("Open")).to_be_visible()
    words = card.locator("p").first.inner_text().removesuffix("…")
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touched = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})

    pictures = [stage.screenshot()]
    for moves in ([[(150, 400)], [(220, 430)]], [[(180, 380), (210, 420)], [(120, 320), (270, 480)]]):
        touch("touchStart", *moves[0])
        touch("touchMove", *moves[1])
        touch("touchEnd")
        pictures.append(stage.screenshot())
        assert pictures[-1] != pictures[-2]
    expect(page.locator("main h1")).to_have_text("Orbits")
    card.get_by_text("Open").click()
    expect(page.locator("main h1")).to_have_text("Memory")
    expect(page.locator("main")).to_contain_text(words)


def test_searching_lights_up_and_recalls_nobody(life, visit, expect):
    look = visit(life.served, "orbits")
    mine = life.remember("The walrus prefers cinnamon biscuits.")
    before = life.ask("GET", f"/memories/{mine}")["recall_count"]
    look.page.get_by_role("searchbox").fill("walrus cinnamon")
    expect(look.get("orbits-hits")).to_contain_text("light")
    look.get("orbits-clear-hits").click()
    expect(look.get("orbits-hits")).to_be_hidden()
    assert life.ask("GET", f"/memories/{mine}")["recall_count"] == before


def test_zones_and_emotions_narrow_it_down(life, visit, expect):
    """What is not chosen leaves the list, too; one press brings all of it back."""
    look = visit(life.served, "orbits")
    look.get("orbits-list").click()
    rows = look.get("orbits-roster").locator("tbody tr")
    everybody = rows.count()
    joy = look.get("orbits-emotion-joy")
    joy.click()
    expect(joy).to_have_attribute("aria-pressed", "true")
    expect(rows.filter(has_not_text="Joy")).to_have_count(0)
    assert 0 < rows.count() < everybody
    look.get("orbits-show-all").click()
    expect(rows).to_have_count(everybody)


def test_the_picture_can_be_zoomed_and_dragged(life, visit):
    look = visit(life.served, "orbits")
    stage = look.get("orbits-stage")
    pictures = [stage.screenshot()]
    room = stage.bounding_box()
    middle = (room["x"] + room["width"] / 2, room["y"] + room["height"] / 2)

    def changed() -> None:
        pictures.append(stage.screenshot())
        assert pictures[-1] != pictures[-2]

    look.get("orbits-zoom-in").click()
    changed()
    look.page.mouse.move(*middle)
    look.page.mouse.wheel(0, -300)
    changed()
    look.page.mouse.down()
    look.page.mouse.move(middle[0] + 120, middle[1] + 40, steps=4)
    look.page.mouse.up()
    changed()
    look.get("orbits-zoom-reset").click()
    changed()
    look.get("orbits-zoom-out").click()
    changed()


def test_time_can_be_wound_back(life, visit, expect):
    """The slider shows a day in the past, Play goes on from there, and one press leads back to now."""
    look = visit(life.served, "orbits")
    expect(look.get("orbits-when")).to_have_text("Now")
    today = counted(look.get("orbits-about").inner_text())
    look.get("orbits-span").select_option(label="Three months")
    slider = look.get("orbits-time")
    slider.focus()
    look.page.keyboard.press("Home")
    expect(look.get("orbits-when")).not_to_have_text("Now")
    expect(look.get("orbits-timebar")).not_to_have_attribute("aria-busy", "true")
    assert counted(look.get("orbits-about").inner_text()) < today
    look.get("orbits-play").click()
    look.get("orbits-speed").select_option(index=2)
    expect(look.get("orbits-now")).to_be_visible()
    look.get("orbits-now").click()
    expect(look.get("orbits-when")).to_have_text("Now")
    assert counted(look.get("orbits-about").inner_text()) == today


def test_a_large_sky_says_that_its_past_is_a_sample(empty, visit, expect):
    """Now all of them are there; a replay shows an even sample, and does not pretend that there were no others."""
    with empty.memory() as memory:
        for page in range(5):
            memory.store_many([f"Shelf {page}, box {number}, label {number * 7}." for number in range(420)])
    look = visit(empty, "orbits")
    expect(look.get("orbits-about")).to_have_text("2,100 memories in orbit")
    look.get("orbits-time").focus()
    look.page.keyboard.press("ArrowLeft")
    expect(look.get("orbits-about")).to_have_text(
        re.compile(r"^[\d,]+ memories then, of an even sample; there are 2,100 in all$")
    )


def test_memories_stand_side_by_side_by_person_and_project(empty, visit, expect):
    """In sectors with their names; they rest there, a reload of the data keeps it, and they go round again."""
    with empty.memory() as memory:
        for number in range(12):
            memory.observe(f"My sister Sora likes book number {number}.")
            memory.store(
                f"Wall {number} is painted.", space=SpaceCoordinate(project="home" if number % 3 else "shed")
            )
    look = visit(empty, "orbits", moving=True)
    look.page.wait_for_function(f"({PAINTED})() > 30")
    look.get("orbits-grouping").select_option("project")
    said = look.page.locator("[role=status]").filter(has_text="Side by side:")
    expect(said).to_contain_text("home, shed, others")
    # Once everybody has a place, no frame is drawn any more.
    look.page.wait_for_function(
        "() => new Promise((done) => { const before = window.__frames; setTimeout(() => done(window.__frames === before), 700); })"
    )
    look.screenshot("orbits-by-project")
    look.get("orbits-grouping").select_option("person")
    expect(look.page.locator("[role=status]").filter(has_text="Side by side:")).to_contain_text("Sora")
    look.get("orbits-grouping").select_option("nothing")
    look.page.wait_for_function(
        "() => new Promise((done) => { const before = window.__frames; setTimeout(() => done(window.__frames > before + 2), 700); })"
    )


def test_the_drift_of_the_last_week_is_shown(life, visit, expect):
    """What nobody recalled drifts outwards; the numbers say it too, and the picture changes."""
    look = visit(life.served, "orbits")
    look.page.wait_for_function(f"({PAINTED})() > 30")
    before = look.get("orbits-stage").screenshot()
    look.get("orbits-drift").click()
    said = look.get("orbits-drift-said")
    expect(said).to_contain_text("drifted outwards")
    closer, outwards = (int(number) for number in re.findall(r": (\d+)", said.inner_text()))
    assert outwards > 10
    assert closer + outwards <= counted(look.get("orbits-about").inner_text())
    assert look.get("orbits-stage").screenshot() != before
    look.screenshot("orbits-drift")
    look.get("orbits-drift").click()
    expect(said).to_have_text("")


def test_more_than_ten_thousand_are_shown_as_density(empty, visit, expect):
    """The most central one by one, the others as dust; the numbers are those of all."""
    with empty.memory() as memory:
        item = memory.store("The lighthouse is red.")
        (record,) = [one for one in memory.transfer.export() if one["id"] == item.id]
        records = ({**record, "id": f"{number:08}-0000", "content": f"Stone {number}"} for number in range(10_400))
        memory.transfer.import_(records)
    look = visit(empty, "orbits")
    expect(look.get("orbits-about")).to_contain_text(
        "The 10,000 most central of 10,401 memories; the others are the dust"
    )
    zones = [
        counted(text) for text in look.page.locator("[data-testid^=orbits-zone-] .orbits-count").all_inner_texts()
    ]
    assert sum(zones) == 10_401
    look.page.wait_for_function(f"({PAINTED})() > 30")
    look.screenshot("orbits-density")


def test_from_afar_memories_are_bubbles_that_lead_nearer(life, visit, expect):
    """Zoomed out, by button: a card says how many lie there, and pressing comes so near that one can be opened."""
    look = visit(life.served, "orbits")
    look.get("orbits-zoom-out").click()
    room = look.get("orbits-stage").bounding_box()
    card = look.get("orbits-card")
    found = None
    for y in range(8, 60, 2):
        for x in range(8, 50, 2):
            look.page.mouse.move(room["x"] + room["width"] * x / 68, room["y"] + room["height"] * y / 68)
            if card.is_visible() and "Press to come nearer" in card.inner_text():
                found = (room["x"] + room["width"] * x / 68, room["y"] + room["height"] * y / 68)
                break
        if found:
            break
    assert found
    assert counted(card.locator("p").first.inner_text()) >= 3
    look.page.mouse.click(*found)
    where_a_body_is(look)
    assert "Press to come nearer" not in card.inner_text()


def test_bubbles_by_keyboard_say_what_they_are(life, visit, expect):
    look = visit(life.served, "orbits", language="ko")
    stage = look.get("orbits-stage")
    stage.focus()
    look.page.keyboard.press("Escape")
    look.page.keyboard.press("-")
    look.page.keyboard.press("ArrowRight")
    said = stage.locator("[role=option][aria-selected=true]")
    expect(said).to_contain_text("가장 가까운 기억")
    first = said.inner_text()
    look.page.keyboard.press("ArrowRight")
    expect(said).not_to_have_text(first)
    look.page.keyboard.press("Enter")
    expect(said).not_to_contain_text("가장 가까운 기억")
    look.page.keyboard.press("Enter")
    expect(look.page.locator("main h1")).to_have_text("기억")
