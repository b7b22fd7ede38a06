"""Today: remembering, what is new, a file that is dropped, and the palette."""

from __future__ import annotations

import json
import re
import time

import pytest


def test_a_memory_is_added_and_taken_back(empty, visit, expect):
    """By the key n, from anywhere; what it replaces is said, and the undo takes it back."""
    with empty.memory() as memory:
        memory.store("My sister Sora lives in Lisbon.")
    look = visit(empty, "today")
    look.page.keyboard.press("n")
    expect(look.get("remember-text")).to_be_focused()
    look.page.keyboard.type("My sister Sora lives in Porto.")
    look.page.keyboard.press("Control+Enter")
    kept = look.toast("It replaces")
    expect(look.get("today-changed")).to_contain_text("Porto")
    expect(look.get("today-changed").locator("del")).to_contain_text("Lisbon")
    expect(look.get("remember-text")).to_have_value("")
    kept.get_by_role("button", name="Undo").click()
    expect(look.get("today-changed")).to_contain_text("No statement was replaced")
    with empty.memory() as memory:
        held = [item.content for item in memory.list() if item.validity.until is None]
    assert held == ["My sister Sora lives in Lisbon."]


def test_what_is_written_is_never_lost(empty, visit, expect):
    """Escape, another view, another load and the end of the session keep it."""
    look = visit(empty, "orbits")
    look.page.keyboard.press("n")
    look.get("remember-text").fill("The spare key is with the neighbour.")
    look.page.keyboard.press("Escape")
    look.move("today")
    expect(look.get("remember-text")).to_have_value("The spare key is with the neighbour.")
    look.page.reload()
    look.settled()
    expect(look.get("remember-text")).to_have_value("The spare key is with the neighbour.")
    look.watch.expects("status of 401")
    with empty.memory() as memory:
        for grant in memory.access.tokens():
            memory.access.revoke(grant.id)
    look.get("remember-save").click()
    expect(look.page.get_by_role("heading", name="You are signed out")).to_be_visible()
    look.page.context.add_cookies([empty.cookie()])
    look.page.reload()
    look.settled()
    expect(look.get("remember-text")).to_have_value("The spare key is with the neighbour.")


def test_escape_discards_no_text_in_a_dialog(life, visit, expect):
    mine = life.remember("The bakery opens at seven.")
    look = visit(life.served, f"memory/{mine}")
    look.get("memory-edit").click()
    look.get("edit-text").fill("The bakery opens at eight.")
    look.page.keyboard.press("Escape")
    look.page.keyboard.press("Escape")
    expect(look.get("edit-text")).to_have_value("The bakery opens at eight.")
    expect(look.page.get_by_role("dialog")).to_contain_text("not saved yet")
    box = look.page.get_by_role("dialog").get_by_role("button", name="Close")
    box.click()
    expect(look.page.get_by_role("dialog")).to_have_count(0)


def test_news_are_told_as_they_are(empty, visit, expect):
    """The first look is no visit after another; what was replaced since, or never ends, is not listed as new or leaving."""
    with empty.memory() as memory:
        memory.store("My sister Sora lives in Lisbon.")
        memory.store("My sister Sora lives in Porto.")
        fact = memory.store("My name is Mina.").to_dict()
        age = 360 * 86_400
        aged = {name: fact[name] - age for name in ("created_at", "last_recalled_at", "expires_at")}
        memory.departures.erase([fact["id"]])
        memory.transfer.import_([{**fact, **aged, "id": "fact"}])
        assert memory.get("fact").is_lasting
    look = visit(empty, "today")
    expect(look.page.locator("main")).to_contain_text("What is new from the last seven days.")
    expect(look.get("today-changed")).to_contain_text("Porto")
    expect(look.get("today-learned")).not_to_contain_text("Lisbon")
    expect(look.get("today-leaving")).to_contain_text("No lifetime ends within a week")
    look.page.reload()
    look.settled()
    expect(look.page.locator("main")).to_contain_text("What is new from the last seven days.")
    wrong = look.get("today-changed").get_by_role("button", name="Not true")
    wrong.click()
    expect(look.get("today-learned")).to_contain_text("Lisbon")
    look.toast("Taken back").get_by_role("button", name="Undo").click()
    expect(look.get("today-changed")).to_contain_text("Porto")
    with empty.memory() as memory:
        held = {item.content for item in memory.list() if item.validity.until is None}
    assert held == {"My sister Sora lives in Porto.", "My name is Mina."}


def test_no_more_is_read_than_six_of_each_need(empty, visit, expect):
    """The first view is small for whoever stored much: it counts what it read, and says that there is more."""
    with empty.memory() as memory:
        one = memory.store("I ate soup at lunch today.").to_dict()
        memory.departures.erase([one["id"]])
        nearly = one["expires_at"] - time.time() - 3 * 86_400
        aged = {name: one[name] - nearly for name in ("created_at", "last_recalled_at", "expires_at")}
        fresh = [{**one, "id": f"fresh{at}", "content": f"I ate bun {at} at lunch today."} for at in range(35)]
        leaving = [
            {**one, **aged, "id": f"old{at}", "content": f"I ate soup {at} at lunch today."} for at in range(15)
        ]
        memory.transfer.import_([*fresh, *leaving])
    look = visit(empty, "today")
    for name, read in (("learned", "30+"), ("leaving", "12+")):
        expect(look.get(f"today-{name}").get_by_text(read, exact=True)).to_be_visible()
        expect(look.get(f"today-{name}").get_by_role("listitem")).to_have_count(6)


def test_drafts_of_an_earlier_version_are_found_again(empty, visit, expect):
    """Moved to where drafts are kept now, and never over a newer one."""
    look = visit(empty, "today")
    soul = json.dumps({"page": "", "text": "I am patient."})
    look.page.evaluate(
        """([owner, soul]) => {
          localStorage.setItem("celestial.draft", "The spare key is with the neighbour.");
          localStorage.setItem(`celestial.soul.${owner.user_id}/${owner.agent_id}`, soul);
        }""",
        [look.page.evaluate("fetch('/dashboard/session').then((found) => found.json())")["owner"], soul],
    )
    look.page.reload()
    look.settled()
    expect(look.get("remember-text")).to_have_value("The spare key is with the neighbour.")
    keys = look.page.evaluate("Object.keys(localStorage)")
    assert [key for key in keys if key == "celestial.draft" or key.startswith("celestial.soul.")] == []
    look.page.evaluate("localStorage.setItem('celestial.draft', 'The bakery opens at eight.')")
    look.page.reload()
    look.settled()
    expect(look.get("remember-text")).to_have_value("The spare key is with the neighbour.")
    look.move("self/soul")
    expect(look.get("soul-text")).to_have_value("I am patient.")


def test_an_edit_outlives_the_end_of_its_session(empty, visit, expect):
    """Kept for its owner alone, and there again after signing in; discarded only by hand."""
    with empty.memory() as memory:
        mine = memory.store("The bakery opens at seven.").id
        other = memory.of(user_id="other", agent_id="default")
        other.store("I keep bees.")
        key = other.access.login_key()
    look = visit(empty, f"memory/{mine}")
    look.get("memory-edit").click()
    look.get("edit-text").fill("The bakery opens at eight.")
    look.get("edit-tags").fill("bread")
    look.watch.expects("status of 401")
    with empty.memory() as memory:
        for grant in memory.access.tokens():
            memory.access.revoke(grant.id)
    look.get("edit-save").click()
    expect(look.page.get_by_role("heading", name="You are signed out")).to_be_visible()
    look.page.goto(f"{empty.url}/login?key={key}")
    look.settled()
    expect(look.page.locator("main")).to_contain_text("I keep bees.")
    assert "bakery" not in look.page.inner_text("body")
    look.page.context.add_cookies([empty.cookie()])
    look.page.goto("about:blank")
    look.go("today")
    look.get("today-begun").get_by_role("link", name="The bakery opens at eight.").click()
    expect(look.get("edit-text")).to_have_value("The bakery opens at eight.")
    expect(look.get("edit-tags")).to_have_value("bread")
    look.get("edit-save").click()
    look.toast("Saved.")
    with empty.memory() as memory:
        assert (memory.get(mine).content, memory.get(mine).tags) == ("The bakery opens at eight.", ("bread",))
    look.move("today")
    expect(look.get("today-learned")).to_be_visible()
    expect(look.get("today-begun")).to_have_count(0)


def test_an_edit_that_is_back_does_not_overwrite_what_came_since(life, visit, expect):
    """What the memory says now is shown beside what was written; leaving by hand discards that."""
    mine = life.remember("The museum closes at five.")
    look = visit(life.served, f"memory/{mine}")
    look.get("memory-edit").click()
    look.get("edit-text").fill("The museum closes at six.")
    look.page.go_back()
    life.ask("PATCH", f"/memories/{mine}", content="The museum closes at four.")
    look.page.go_forward()
    expect(look.get("edit-conflict")).to_contain_text("The museum closes at four.")
    expect(look.get("edit-text")).to_have_value("The museum closes at six.")
    look.get("edit-text").fill("The museum closes at half past six.")
    look.page.reload()
    expect(look.get("edit-conflict")).to_contain_text("The museum closes at four.")
    expect(look.get("edit-text")).to_have_value("The museum closes at half past six.")
    look.page.get_by_role("dialog").get_by_role("button", name="Close").click()
    look.page.reload()
    look.settled()
    expect(look.page.get_by_role("dialog")).to_have_count(0)
    assert life.ask("GET", f"/memories/{mine}")["content"] == "The museum closes at four."


def test_taking_what_came_since_ends_the_draft(life, visit, expect):
    """What is typed after that is a change of what was taken: nothing is left to be decided."""
    mine = life.remember("The library closes at five.")
    look = visit(life.served, f"memory/{mine}")
    look.watch.expects("status of 412")
    look.get("memory-edit").click()
    look.get("edit-text").fill("The library closes at six.")
    look.page.go_back()
    life.ask("PATCH", f"/memories/{mine}", content="The library closes at four.")
    look.page.go_forward()
    look.get("edit-theirs").click()
    expect(look.get("edit-text")).to_have_value("The library closes at four.")
    look.page.reload()
    look.settled()
    expect(look.page.get_by_role("dialog")).to_have_count(0)
    look.get("memory-edit").click()
    look.get("edit-text").fill("The library closes at six.")
    life.ask("PATCH", f"/memories/{mine}", content="The library closes at three.")
    look.get("edit-save").click()
    look.get("edit-theirs").click()
    look.get("edit-text").fill("The library closes at half past three.")
    look.page.reload()
    expect(look.get("edit-text")).to_have_value("The library closes at half past three.")
    expect(look.get("edit-conflict")).to_have_count(0)
    look.get("edit-save").click()
    look.toast("Saved.")
    assert life.ask("GET", f"/memories/{mine}")["content"] == "The library closes at half past three."


def test_demo_data_leaves_no_trace(empty, visit, expect):
    look = visit(empty, "today")
    look.get("today-demo-add").click()
    expect(look.get("today-demo")).to_be_visible()
    look.get("today-demo-remove").click()
    look.toast("gone for good")
    expect(look.get("first-run")).to_be_visible()
    with empty.memory() as memory:
        assert memory.stats()["states"] == {}
        assert [*memory.transfer.export()] == []


def test_a_file_is_looked_at_before_it_is_imported(empty, visit, expect):
    """A dry run first; texts, exports, and files that are none of both."""
    look = visit(empty, "today")
    lines = "# Notes\n- I moved to Busan.\n- My cat is called Plum.\n"
    look.get("drop-file").set_input_files({"name": "n.md", "mimeType": "text/plain", "buffer": lines.encode()})
    expect(look.get("drop-plan")).to_contain_text("2 texts; each becomes a memory")
    expect(look.get("drop-plan")).to_contain_text("My cat is called Plum.")
    with empty.memory() as memory:
        assert memory.list() == []
    for name, content, words in (
        ("x.bin", b"\x00\x01\x02" * 100, "not a text file"),
        ("x.json", b'{"a": 1}', "no memory in this file"),
        ("x.txt", b"a" * (10 * 1024 * 1024 + 1), "larger than 10 MB"),
    ):
        look.get("drop-file").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
        expect(look.get("drop-plan")).to_contain_text(words)
    look.get("drop-file").set_input_files({"name": "n.md", "mimeType": "text/plain", "buffer": lines.encode()})
    look.get("drop-import").click()
    expect(look.get("today-learned")).to_contain_text("My cat is called Plum.")
    with empty.memory() as memory:
        assert {item.content for item in memory.list()} == {"I moved to Busan.", "My cat is called Plum."}


def test_a_dropped_export_comes_in_with_its_ids(empty, visit, expect):
    with empty.memory() as memory:
        memory.store("The lighthouse is red.")
        records = [*memory.transfer.export()]
        memory.departures.erase([records[0]["id"]])
    text = "\n".join(json.dumps(record) for record in records)
    look = visit(empty, "today")
    data = look.page.evaluate_handle(
        """text => { const data = new DataTransfer();
           data.items.add(new File([text], "export.jsonl", {type: "text/plain"})); return data; }""",
        text,
    )
    look.get("drop-zone").dispatch_event("drop", {"dataTransfer": data})
    expect(look.get("drop-plan")).to_contain_text("1 memories of an export")
    look.get("drop-import").click()
    expect(look.get("today-figures")).to_be_visible()
    with empty.memory() as memory:
        assert memory.get(records[0]["id"]).content == "The lighthouse is red."


@pytest.mark.parametrize("place", ["today", "memories", "orbits"])
def test_a_file_is_dropped_where_there_are_memories_already(empty, visit, expect, place):
    """On any view; the plan comes first, and what is there stays as it is."""
    with empty.memory() as memory:
        kept = memory.store("The lighthouse is red.").id
    look = visit(empty, place)
    make = """names => { const data = new DataTransfer();
      for (const name of names) data.items.add(new File(["I moved to Busan.\\nMy cat is called Plum."], name)); return data; }"""
    drop = look.page.locator("main")
    drop.dispatch_event("dragover", {"dataTransfer": look.page.evaluate_handle(make, ["n.txt"])})
    expect(look.page.locator("body")).to_have_class("file-over")
    drop.dispatch_event("drop", {"dataTransfer": look.page.evaluate_handle(make, ["a.txt", "b.txt"])})
    expect(look.get("drop-plan")).to_contain_text("One file at a time")
    look.page.keyboard.press("Escape")
    expect(look.get("drop-plan")).to_have_count(0)
    expect(look.page.locator("body")).not_to_have_class("file-over")
    drop.dispatch_event("drop", {"dataTransfer": look.page.evaluate_handle(make, ["n.txt"])})
    expect(look.get("drop-plan")).to_contain_text("2 texts; each becomes a memory")
    with empty.memory() as memory:
        assert [item.id for item in memory.list()] == [kept]
    look.get("drop-import").click()
    expect(look.get("drop-plan")).to_contain_text("2 memories came in")
    with empty.memory() as memory:
        assert {item.content for item in memory.list()} == {
            "The lighthouse is red.", "I moved to Busan.", "My cat is called Plum.",
        }  # fmt: skip


def test_leaving_memories_are_kept_with_one_press(empty, visit, expect):
    """What ends within a week is listed, and stays once it is pinned."""
    with empty.memory() as memory:
        soon = memory.store("The parking permit is on the shelf.", tier="M30").to_dict()
        record = {**soon, "id": "soon", "created_at": soon["created_at"] - 27 * 86_400}
        record["last_recalled_at"] = record["created_at"]
        record["expires_at"] = record["created_at"] + 30 * 86_400
        memory.departures.erase([soon["id"]])
        memory.transfer.import_([record])
    look = visit(empty, "today")
    expect(look.get("today-leaving")).to_contain_text("The parking permit")
    look.get("keep-soon").click()
    look.toast("Kept.")
    expect(look.get("today-leaving")).to_contain_text("No lifetime ends within a week")
    with empty.memory() as memory:
        assert memory.get("soon").protection.value == "pinned"


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_palette_finds_views_people_memories_and_actions(life, visit, expect, language):
    """Ctrl+K, a few letters, Enter; also from within a box."""
    life.remember("The harbour tram is painted yellow.")
    look = visit(life.served, "orbits", language=language)
    page = look.page
    page.keyboard.press("Control+k")
    look.get("palette-box").fill({"en": "cliff", "ko": "절벽"}[language])
    page.keyboard.press("Enter")
    expect(page.locator("main h1")).to_have_text({"en": "The cliff", "ko": "망각의 절벽"}[language])
    page.locator(".seek input").focus()
    page.keyboard.press("Control+k")
    look.get("palette-box").fill("harbour tram is painted")
    expect(look.get("palette-item").first).to_contain_text("painted yellow")
    page.keyboard.press("Enter")
    expect(look.get("section-text")).to_contain_text("painted yellow")
    page.keyboard.press("Control+k")
    look.get("palette-box").fill("Busan")
    look.get("palette-item").filter(has_text=re.compile("^Busan")).first.click()
    expect(page.locator("main h1")).to_have_text("Busan")
    page.keyboard.press("Control+k")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
