"""What is about to vanish, what waits for a word, and the self: every action, and that it really happened."""

from __future__ import annotations

import re


def proposal(life, found: str):
    with life.served.memory() as memory:
        return memory.self.proposal(found)


def approve(look) -> None:
    look.get("proposal-approve").click()
    look.get("approve-understood").check()
    look.get("approve-confirm").click()
    look.toast("Approved")


def on_the_cliff(life, *texts: str) -> list[str]:
    ids = [life.remember(text) for text in texts]
    for each in ids:
        life.ask("DELETE", f"/memories/{each}")
    return ids


def test_the_cliff_gives_back_one_and_many(life, visit, expect):
    """One with its own button, several that were chosen; an undo lets them go again."""
    one, two, three = on_the_cliff(
        life, "Cliff one, a green umbrella.", "Cliff two, a red one.", "Cliff three, blue."
    )
    look = visit(life.served, "cliff")
    rows = look.get("cliff-row")
    row = rows.filter(has_text="a green umbrella")
    row.get_by_test_id("cliff-restore").click()
    expect(row).to_have_count(0)
    assert life.ask("GET", f"/memories/{one}")["state"] == "active"
    for words in ("a red one", "Cliff three"):
        rows.filter(has_text=words).get_by_test_id("cliff-select").check()
    look.get("cliff-restore-selected").click()
    back = look.toast("2 memories are back")
    expect(rows.filter(has_text="Cliff")).to_have_count(0)
    assert {life.ask("GET", f"/memories/{each}")["state"] for each in (two, three)} == {"active"}
    back.get_by_role("button", name="Undo").click()
    expect(rows.filter(has_text="Cliff three")).to_have_count(1)
    assert life.ask("GET", f"/memories/{two}")["state"] == "cliff"


def test_the_cliff_gives_back_all_of_them(empty, visit, expect):
    with empty.memory() as memory:
        for number in range(3):
            memory.forget(memory.store(f"Kite number {number}.").id)
    look = visit(empty, "cliff")
    look.get("cliff-select-all").check()
    look.get("cliff-restore-selected").click()
    look.toast("3 memories are back")
    expect(look.page.locator("main")).to_contain_text("Nothing stands at the cliff")
    with empty.memory() as memory:
        assert (len(memory.list()), memory.departures.cliff()) == (3, [])


def test_the_cliff_by_keyboard_and_by_reason(life, visit, expect):
    """Arrows and Space choose, Enter brings back; a reason shows its own alone."""
    on_the_cliff(life, "A kettle that whistles.", "A kettle that hums.")
    look = visit(life.served, "cliff")
    rows = look.get("cliff-row")
    look.page.locator("[data-reason=manual]").click()
    expect(rows.filter(has_not_text="by hand")).to_have_count(0)
    whistles = rows.filter(has_text="A kettle that whistles.")
    whistles.get_by_test_id("cliff-select").focus()
    look.page.keyboard.press("Enter")
    expect(whistles).to_have_count(0)
    rows.filter(has_text="A kettle that hums.").get_by_test_id("cliff-select").focus()
    look.page.keyboard.press("Space")
    expect(look.get("cliff-restore-selected")).to_be_enabled()
    expect(look.get("cliff-picture")).to_be_visible()


def test_what_another_lets_go_arrives_on_the_cliff(life, visit, expect):
    look = visit(life.served, "cliff")
    on_the_cliff(life, "A balloon that got away.")
    expect(look.get("cliff-row").filter(has_text="A balloon")).to_have_count(1)


def test_a_word_is_given_in_two_steps(life, visit, expect):
    """The change is shown, the box must be ticked; cancelling changes nothing. Who decided, and how, is noted."""
    mine = life.remember("We watched the comet from the roof.", tier="M365")
    made = life.ask("POST", "/proposals/core", id=mine)["id"]
    look = visit(life.served, f"approvals/{made}")
    expect(look.get("proposal-diff")).to_contain_text("comet")
    look.get("proposal-approve").click()
    expect(look.get("approve-confirm")).to_be_disabled()
    look.page.keyboard.press("Escape")
    assert proposal(life, made).status == "pending"
    approve(look)
    decided = proposal(life, made)
    assert (decided.status, decided.decided_through) == ("approved", "dashboard")
    assert life.ask("GET", f"/memories/{mine}")["tier"] == "M0"


def test_a_rejection_changes_nothing(life, visit, expect):
    mine = life.remember("We lost the kite.", tier="M365")
    made = life.ask("POST", "/proposals/core", id=mine)["id"]
    look = visit(life.served, f"approvals/{made}")
    look.get("proposal-reject").click()
    look.page.get_by_role("dialog").get_by_role("button", name="Reject").click()
    look.toast("Rejected")
    assert proposal(life, made).status == "rejected"
    assert life.ask("GET", f"/memories/{mine}")["tier"] == "M365"
    look.get("inbox-decided").click()
    expect(look.get("inbox")).to_contain_text("We lost the kite.")


def test_a_new_proposal_arrives_with_its_badge(life, visit, expect):
    look = visit(life.served, "approvals")
    items = look.get("inbox-item")
    expect(items.first).to_be_visible()
    before = items.count()
    mine = life.remember("The bakery knows our names.", tier="M365")
    life.ask("POST", "/proposals/core", id=mine)
    expect(items).to_have_count(before + 1)
    expect(look.page.locator(".rail [data-place=approvals] .badge")).to_contain_text(str(before + 1))


def test_islands_open_and_tell_what_they_stand_on(life, visit, expect):
    look = visit(life.served, "self")
    island = look.get("island").filter(has_text="Friendship")
    island.click()
    expect(look.get("open-island")).to_contain_text("first evening")
    expect(look.get("open-island")).to_contain_text("Being honest keeps us close")
    expect(look.get("beliefs")).to_contain_text("Being honest keeps us close")
    look.page.get_by_role("tab", name="Core memories").click()
    expect(look.get("core-memories")).to_contain_text("민지와 나는")
    look.page.get_by_role("tab", name="SOUL.md").click()
    expect(look.get("soul-page")).to_contain_text("Friendship")
    expect(look.get("soul-versions").get_by_role("button").first).to_be_visible()


def test_core_island_and_belief_are_proposed_on_the_page(life, visit, expect):
    """Each becomes a proposal and no more, until it is approved."""
    mine = life.remember("We sang on the ferry to Jeju.", tier="M365")
    look = visit(life.served, "self")
    look.get("propose-core").click()
    form = look.get("propose-form")
    form.get_by_role("searchbox").fill("sang on the ferry")
    form.get_by_text("We sang on the ferry to Jeju.").click()
    look.get("propose-submit").click()
    expect(look.get("proposal")).to_contain_text("We sang on the ferry")
    assert life.ask("GET", f"/memories/{mine}")["tier"] == "M365"
    approve(look)
    look.move("self")
    look.get("propose-island").click()
    form.get_by_role("textbox").first.fill("Music")
    form.get_by_text("We sang on the ferry to Jeju.").click()
    look.get("propose-submit").click()
    expect(look.get("proposal")).to_contain_text("Music")
    approve(look)
    look.move("self")
    expect(look.get("island").filter(has_text="Music")).to_have_count(1)
    look.get("propose-belief").click()
    form.get_by_role("textbox").first.fill("I am someone who sings")
    form.get_by_text("We sang on the ferry to Jeju.").click()
    look.get("propose-submit").click()
    expect(look.get("proposal")).to_contain_text("I am someone who sings")


def test_the_page_can_be_taken_along_and_versions_compared(life, visit, expect):
    """SOUL.md goes to the clipboard as it is; Korean particles suit the number before them."""
    look = visit(life.served, "self/soul", language="ko", permissions=["clipboard-read", "clipboard-write"])
    look.get("soul-copy").click()
    expect(look.get("soul-copy")).to_have_text("복사했습니다")
    with life.served.memory() as memory:
        assert look.page.evaluate("navigator.clipboard.readText()") == memory.self.soul()
    told = []
    for version in look.get("soul-version").all():
        version.click()
        told.append(look.page.locator(".soul-past h3").inner_text())
    compared = re.findall(r"버전 \d*(\d)(.) 견준 버전", " ".join(told))
    assert len(compared) == len(told) - 1 > 3  # the first one has none before it
    assert all(particle == ("과" if digit in "013678" else "와") for digit, particle in compared)


def test_the_way_back_is_a_proposal_too(life, visit, expect):
    look = visit(life.served, "self/soul")
    look.get("soul-versions").get_by_role("button").last.click()
    look.get("soul-rollback").click()
    look.page.get_by_role("dialog").get_by_role("button", name="Propose").click()
    expect(look.get("proposal")).to_be_visible()
    expect(look.page).to_have_url(re.compile(r"#/approvals/"))


def test_imagination_answers(life, visit, expect):
    """An idea, or why there is none; what is welcome is noted."""
    look = visit(life.served, "self/imagination")
    look.get("imagine").click()
    expect(look.page.locator(".toast").first).to_be_visible()
    if look.get("idea").count():
        look.get("idea-like").first.click()
        expect(look.get("idea-like").first).to_have_attribute("aria-pressed", "true")


def test_approvals_by_keys(life, visit, expect):
    """J and K move, R asks whether to reject, A opens the approval."""
    ids = [life.remember(f"We keep the promise number {number}.", tier="M365") for number in (1, 2)]
    for one in ids:
        life.ask("POST", "/proposals/core", id=one)
    look = visit(life.served, "approvals")
    first = look.page.locator(".inbox-item[aria-current]").inner_text()
    look.page.keyboard.press("j")
    expect(look.page.locator(".inbox-item[aria-current]")).not_to_have_text(first)
    look.page.keyboard.press("k")
    look.page.keyboard.press("r")
    expect(look.page.get_by_role("dialog")).to_contain_text("Reject this?")
    look.page.keyboard.press("Escape")
    look.page.keyboard.press("a")
    expect(look.page.get_by_role("dialog")).to_be_visible()
