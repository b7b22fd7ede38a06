"""One memory and many: everything that its page and the questions offer, and that it really happened."""

from __future__ import annotations

import re

import pytest


def state(life, memory: str) -> dict:
    return life.ask("GET", f"/memories/{memory}")


def test_it_is_edited_pinned_rated_and_taken_back(life, visit, expect):
    """Each is done on the server, stands in the history, and can be taken back."""
    mine = life.remember("The tram to the harbour leaves at eight.", importance=0.4)
    look = visit(life.served, f"memory/{mine}")
    look.get("memory-edit").click()
    look.get("edit-text").fill("The tram to the harbour leaves at nine.")
    look.get("edit-save").click()
    saved = look.toast("Saved.")
    expect(look.get("section-text")).to_contain_text("leaves at nine")
    assert state(life, mine)["content"].endswith("at nine.")
    saved.get_by_role("button", name="Undo").click()
    expect(look.get("section-text")).to_contain_text("leaves at eight")
    look.get("memory-pin").click()
    expect(look.get("memory-pin")).to_have_attribute("aria-pressed", "true")
    assert state(life, mine)["protection"] == "pinned"
    look.get("memory-pin").click()
    expect(look.get("memory-pin")).to_have_attribute("aria-pressed", "false")
    look.get("memory-star-4").check(force=True)
    look.toast("Rated 4 of 5.")
    assert state(life, mine)["user_rating"] == 4
    look.get("memory-remind").click()
    look.toast("Recalled")
    expect(look.get("memory-history").locator("[data-type=recalled]")).to_have_count(1)


def test_importance_and_tags_are_changed_and_taken_back_from_the_history(life, visit, expect):
    mine = life.remember("The ferry to Udo leaves from Seongsan.", importance=0.4, tags=["ferry"])
    look = visit(life.served, f"memory/{mine}")
    look.get("memory-edit").click()
    look.get("edit-importance").fill("0.9")
    look.get("edit-tags").fill("ferry, island")
    look.get("edit-save").click()
    expect(look.get("section-coordinate")).to_contain_text("island")
    assert (state(life, mine)["importance"], state(life, mine)["tags"]) == (0.9, ["ferry", "island"])
    look.get("memory-history").locator("[data-type=updated]").get_by_role("button").click()
    look.toast("Taken back")
    expect(look.get("section-coordinate")).not_to_contain_text("island")
    assert (state(life, mine)["importance"], state(life, mine)["tags"]) == (0.4, ["ferry"])


def test_a_lasting_memory_is_proposed_as_a_core_one(life, visit, expect):
    """From its own page; until somebody approves it stays what it is."""
    mine = life.remember("We promised to call every new year.", tier="M365")
    look = visit(life.served, f"memory/{mine}")
    look.get("memory-propose").click()
    look.toast("Proposed")
    assert state(life, mine)["tier"] == "M365"
    look.move("approvals")
    expect(look.get("inbox")).to_contain_text("We promised to call every new year.")


def test_it_is_let_go_and_brought_back(life, visit, expect):
    mine = life.remember("The neighbour's cat is called Plum.")
    look = visit(life.served, f"memory/{mine}")
    look.get("memory-forget").click()
    expect(look.get("notice-cliff")).to_be_visible()
    assert state(life, mine)["state"] == "cliff"
    look.get("memory-restore").click()
    expect(look.get("notice-cliff")).to_have_count(0)
    assert state(life, mine)["state"] == "active"


def test_nobody_is_overwritten_unseen(life, visit, expect):
    """What somebody else wrote meanwhile is shown beside one's own, and one says which it shall be."""
    mine = life.remember("The meeting is on Monday.")
    look = visit(life.served, f"memory/{mine}")
    look.watch.expects("status of 412")
    look.get("memory-edit").click()
    look.get("edit-text").fill("The meeting is on Tuesday.")
    life.ask("PATCH", f"/memories/{mine}", content="The meeting is on Friday.")
    look.get("edit-save").click()
    expect(look.get("edit-conflict")).to_contain_text("The meeting is on Friday.")
    assert state(life, mine)["content"] == "The meeting is on Friday."
    look.get("edit-mine").click()
    expect(look.get("section-text")).to_contain_text("on Tuesday")
    assert state(life, mine)["content"] == "The meeting is on Tuesday."


def test_what_another_wrote_can_be_taken_over(life, visit, expect):
    mine = life.remember("The picnic is in April.")
    look = visit(life.served, f"memory/{mine}")
    look.watch.expects("status of 412")
    look.get("memory-edit").click()
    look.get("edit-text").fill("The picnic is in March.")
    life.ask("PATCH", f"/memories/{mine}", content="The picnic is in May.")
    look.get("edit-save").click()
    look.get("edit-theirs").click()
    expect(look.get("edit-text")).to_have_value("The picnic is in May.")
    assert state(life, mine)["content"] == "The picnic is in May."


@pytest.mark.parametrize(
    ("language", "size", "words"),
    [("en", (1280, 800), "Approvals"), ("ko", (390, 844), "승인 화면")],
    ids=["en", "ko narrow"],
)
def test_another_text_for_a_core_memory_is_proposed_and_approved(empty, visit, expect, language, size, words):
    """A core memory is corrected from its own page, and changes when it is approved."""
    with empty.memory() as memory:
        core = memory.store("My sister lives in Lisbon.", 0.9).id
        made = memory.self.propose.core(core, by="Mina", channel="cli").id
        memory.self.approve(made, memory.self.approval_token(made), by="Mina", channel="cli")
    look = visit(empty, f"memory/{core}", language=language, size=size)
    expect(look.get("notice-core")).to_contain_text(words)
    look.get("memory-core-change").click()
    look.get("core-text").fill("My sister lives in Porto.")
    look.get("core-propose").click()
    expect(look.get("proposal")).to_contain_text("Porto")
    with empty.memory() as memory:
        assert memory.get(core).content == "My sister lives in Lisbon."
        (change,) = memory.self.inbox()
        memory.self.approve(change.id, memory.self.approval_token(change.id), by="Mina", channel="cli")
        assert memory.get(core).content == "My sister lives in Porto."
    look.move(f"memory/{core}")
    look.get("memory-core-forget").click()
    expect(look.get("proposal")).to_contain_text("My sister lives in Porto.")
    assert look.overflow() == []
    with empty.memory() as memory:
        assert [one.kind.value for one in memory.self.inbox()] == ["core_deletion"]


def test_what_may_not_change_says_so(life, visit, expect):
    """A core memory has no button to change it; an immutable one can have a neighbour."""
    look = visit(life.served, f"memory/{life.ids['core']}")
    expect(look.get("notice-core")).to_be_visible()
    expect(look.get("memory-edit")).to_have_count(0)
    fixed = life.remember("The constitution has nine articles.", immutable=True)
    look.move(f"memory/{fixed}")
    expect(look.get("notice-immutable")).to_be_visible()
    look.get("memory-beside").click()
    look.get("beside-text").fill("The tenth article was voted down.")
    look.page.get_by_role("dialog").get_by_role("button", name="Remember").last.click()
    look.toast("linked")
    expect(look.get("memory-related")).to_contain_text("The tenth article")


def test_its_page_tells_all_of_it(life, visit, expect):
    """Text in three resolutions, coordinate, score, the coming days, ties and history."""
    mine = life.remember(
        "Jun likes barley tea. Jun lives in Daegu.", tags=["tea", "friends"], project="kitchen", session_id="talk-7",
        related=[life.ids["memory"]], metadata={"colour": "amber"},
    )  # fmt: skip
    look = visit(life.served, f"memory/{mine}")
    look.page.get_by_role("tab", name="Facts").click()
    expect(look.page.get_by_role("tabpanel")).to_contain_text("barley tea")
    look.page.get_by_role("tab", name="Gist").click()
    look.page.get_by_role("tab", name="Full text").click()
    for section in ("text", "score", "outlook", "coordinate", "links", "history"):
        expect(look.get(f"section-{section}")).to_be_visible()
    for words in ("kitchen", "talk-7", "tea"):
        expect(look.get("section-coordinate")).to_contain_text(words)
    expect(look.get("memory-related")).to_contain_text("behind the blue door")
    look.get("outlook-days").select_option(index=1)
    expect(look.get("memory-outlook")).to_be_visible()
    look.get("section-links").get_by_role("switch").check(force=True)
    look.get("memory-related").get_by_role("link").first.click()
    expect(look.get("section-text")).to_contain_text("behind the blue door")


@pytest.mark.parametrize(("language", "words"), [("en", "in 3 months"), ("ko", "3개월 후")])
def test_ninety_days_are_three_months(life, visit, expect, language, words):
    mine = life.remember("The passport lies in the left drawer.", tier="M90")
    look = visit(life.served, f"memory/{mine}", language=language)
    expect(look.get("section-coordinate")).to_contain_text(words)
    expect(look.get("section-outlook")).to_contain_text(words)


def test_a_question_is_answered_with_reasons_and_counts_for_nothing(life, visit, expect):
    """Looking recalls nobody, unless one says so; down leads from the box into the answers."""
    mine = life.remember("The observatory opens its dome at dusk.")
    look = visit(life.served, "ask")
    box = look.page.get_by_role("searchbox", name="Search memories")
    box.fill("observatory dome")
    box.press("Enter")
    expect(look.get("ask-hits")).to_contain_text("The observatory opens its dome")
    expect(look.get("why-reason").first).to_contain_text("It has your words: “observatory”, “dome”.")
    expect(look.get("ask-hits").locator("mark").first).to_have_text("observatory")
    look.get("ask-hits").locator("summary").first.click()
    expect(look.get("ask-hits").locator("[data-testid=why-parts], [data-testid=why-lists]").first).to_be_visible()
    expect(look.get("ask-stages")).to_be_visible()
    assert state(life, mine)["recall_count"] == 0
    look.get("ask-reinforce").click()
    box.fill("observatory dome at dusk")
    box.press("Enter")
    expect(look.get("ask-count")).to_contain_text("counted as a recall")
    assert state(life, mine)["recall_count"] == 1
    box.press("ArrowDown")
    look.page.keyboard.press("Enter")
    expect(look.page.locator("main h1")).to_have_text("Memory")


def test_right_and_wrong_are_heard(life, visit, expect):
    """Right counts as a recall; wrong lets it go, with a way back. What nobody told is said to be unknown."""
    mine = life.remember("The planetarium closes on Mondays.")
    look = visit(life.served, "ask?q=planetarium")
    look.get("hit-right").first.click()
    look.toast("Counted as a recall")
    assert state(life, mine)["recall_count"] == 1
    look.get("hit-wrong").first.click()
    gone = look.toast("Let go.")
    assert state(life, mine)["state"] == "cliff"
    gone.get_by_role("button", name="Undo").click()
    expect(gone).to_have_count(0)
    assert state(life, mine)["state"] == "active"
    look.move("ask?q=xylophonist%20zeppelin")
    expect(look.page.locator("main")).to_contain_text("Nothing is stored about this")


def test_filters_stand_in_the_address(life, visit, expect):
    """Whoever is given the address sees the same."""
    life.remember("Ink for the blue printer.", tags=["office"], project="paperwork")
    look = visit(life.served, "ask?q=printer")
    look.get("ask-filters").locator("summary").click()
    look.get("filter-project").fill("paperwork")
    look.get("filter-project").press("Enter")
    look.get("filter-tags").fill("office")
    look.get("filter-tags").press("Enter")
    expect(look.get("ask-hits").locator("> li")).to_have_count(1)
    look.page.wait_for_function(
        "location.hash.includes('project=paperwork') && location.hash.includes('tags=office')"
    )
    look.page.reload()
    look.settled()
    expect(look.get("ask-hits").locator("> li")).to_have_count(1)
    look.get("filter-zone").select_option("core")
    expect(look.get("ask-nothing")).to_be_visible()
    look.get("filter-clear").click()
    expect(look.get("ask-hits")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_a_model_would_be_given(life, visit, expect, language):
    look = visit(life.served, "ask?q=Mina", language=language)
    look.page.get_by_role("tab").nth(1).click()
    expect(look.get("compose-text")).to_contain_text("Mina")
    look.get("compose-budget").fill("1")
    expect(look.get("compose-tokens")).to_contain_text("128")
    used, budget = sorted(int(number) for number in re.findall(r"\d+", look.get("compose-tokens").inner_text()))
    assert used <= budget == 128


def test_what_is_asked_tells_when_memories_changed(life, visit, expect):
    """The list does not move under the reader: it says so, and they decide."""
    look = visit(life.served, "ask?q=gardener")
    life.remember("The gardener of the palace sings.")
    expect(look.get("ask-changed")).to_be_visible()
    look.get("ask-changed").get_by_role("button").click()
    expect(look.get("ask-hits")).to_contain_text("The gardener of the palace")
