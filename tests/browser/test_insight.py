"""Insight and settings: every part, every action, and that it really happened."""

from __future__ import annotations

import json
import re

import pytest

# -- insight ----------------------------------------------------------------------------------------


def test_the_days_in_pictures(life, visit, expect):
    """Each figure is drawn, says in words what it shows, and has its numbers as a table."""
    look = visit(life.served, "insight")
    for figure in ("growth", "calendar", "zones", "flows"):
        drawn = look.get(f"insight-{figure}")
        expect(drawn).to_be_visible()
        expect(drawn.locator("canvas").first).to_be_visible()
        assert drawn.get_by_role("img").first.get_attribute("aria-label")
    expect(look.get("insight-tiles")).to_contain_text(re.compile(r"\d"))
    look.get("insight-period").select_option("30")
    expect(look.get("insight-growth").locator("canvas").first).to_be_visible()


def test_what_was_learned(life, visit, expect):
    look = visit(life.served, "insight/learning")
    expect(look.get("insight-policy")).to_be_visible()
    expect(look.get("insight-learning")).to_be_visible()


def test_a_night_is_looked_at_and_slept(life, visit, expect):
    """The plan changes nothing; sleeping asks first, and the report stays."""
    look = visit(life.served, "insight/sleep")
    with life.served.memory() as memory:
        before = memory.ledger_head().number
    look.get("sleep-plan").click()
    expect(look.get("sleep-result")).not_to_be_empty()
    with life.served.memory() as memory:
        assert memory.ledger_head().number == before
    look.get("insight-sleep").get_by_role("switch").check(force=True)
    look.get("sleep-now").click()
    look.page.get_by_role("dialog").get_by_role("button", name="Sleep", exact=True).click()
    expect(look.get("sleep-now")).not_to_have_attribute("aria-busy", "true", timeout=60_000)
    with life.served.memory() as memory:
        assert memory.ledger_head().number > before
    expect(look.get("sleep-reports").locator("[data-testid^=night-]").first).to_be_visible()


def test_the_ledger_is_read_checked_and_taken_back(life, visit, expect):
    """Entries by kind and by memory; the chain is whole; an entry is undone, and the undoing stands there too."""
    mine = life.remember("The ledger knows this one.")
    life.ask("PUT", f"/memories/{mine}/pin")
    look = visit(life.served, "insight/ledger")
    look.get("ledger-verify").click()
    expect(look.get("ledger-verified")).to_contain_text("The chain is whole")
    look.get("ledger-id").fill(mine)
    look.get("ledger-kind").select_option("pinned")
    rows = look.get("ledger-entries").locator("tbody tr")
    expect(rows).to_have_count(1)
    rows.first.focus()
    look.page.keyboard.press("Enter")
    expect(look.get("entry")).to_contain_text("pinned")
    look.get("entry-undo").click()
    look.toast("Taken back")
    assert life.ask("GET", f"/memories/{mine}")["protection"] == "none"
    look.get("ledger-kept-head").fill("1:0000000000000000000000000000000000000000000000000000000000000000")
    look.page.keyboard.press("Escape")
    look.get("ledger-verify").click()
    expect(look.get("ledger-verified")).to_contain_text("broken")


# -- settings ---------------------------------------------------------------------------------------


def test_a_token_is_made_shown_once_used_and_revoked(life, visit, expect):
    look = visit(life.served, "settings/access")
    look.get("token-create").click()
    look.get("token-name").fill("kitchen radio")
    look.get("token-make").click()
    secret = look.get("token-secret").input_value()
    assert life.http.get("/v1/stats", headers={"authorization": f"Bearer {secret}"}).status_code == 200
    look.page.get_by_role("dialog").get_by_role("button").last.click()
    row = look.get("token-list").locator("tr").filter(has_text="kitchen radio")
    assert secret not in look.page.content()
    row.get_by_role("button", name="Revoke kitchen radio").click()
    look.page.get_by_role("dialog").get_by_role("button", name="Revoke", exact=True).click()
    look.toast("kitchen radio")
    assert life.http.get("/v1/stats", headers={"authorization": f"Bearer {secret}"}).status_code == 401


@pytest.mark.parametrize(
    ("place", "sections"),
    [
        ("general", ("look", "demo", "session", "about")), ("access", ("tokens",)),
        ("engine", ("models", "guard", "schedule")), ("data", ("storage", "moving", "archives")),
    ],
)  # fmt: skip
def test_every_part_of_the_settings_is_there(life, visit, expect, place, sections):
    look = visit(life.served, f"settings/{place}", language="ko")
    for section in sections:
        expect(look.get(f"settings-{section}")).to_be_visible()
    assert "cel_" not in look.page.inner_text("main").replace("cel_…", "")


def test_the_store_is_checked_backed_up_and_put_in_order(life, visit, expect):
    look = visit(life.served, "settings/data")
    told = look.get("storage-result")
    look.get("storage-check").click()
    expect(told.locator(".good")).to_be_visible()
    look.get("storage-backup").click()
    expect(told).to_contain_text(re.compile(r"memor", re.IGNORECASE))
    look.get("storage-rebalance").click()
    look.page.get_by_role("dialog").get_by_role("button").last.click()
    expect(told.locator(".good")).to_be_visible()


def test_memories_go_out_and_come_in_again(life, empty, visit, expect, tmp_path):
    """A file of one memory is read by another; lines that are none are told, and nothing else is lost."""
    life.remember("나는 여행을 떠나는 기억이다.")
    look = visit(life.served, "settings/data", accept_downloads=True)
    with look.page.expect_download() as download:
        look.get("export").click()
    file = tmp_path / "out.jsonl"
    download.value.save_as(file)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert any("나는 여행을 떠나는 기억이다." in json.loads(line)["content"] for line in lines)
    file.write_text("\n".join([*lines, "this is no line of an export"]) + "\n", encoding="utf-8")
    other = visit(empty, "settings/data")
    other.watch.expects("status of 4")
    other.get("import-file").set_input_files(file)
    other.get("import").click()
    expect(other.get("import-skipped")).to_contain_text(f"{len(lines) + 1}")
    with empty.memory() as memory:
        assert memory.recall("여행을 떠나는 기억")[0].content == "나는 여행을 떠나는 기억이다."


def test_the_way_out_is_the_end_of_the_session(empty, visit, expect):
    look = visit(empty, "settings/general")
    look.get("sign-out").click()
    look.page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(look.page.get_by_role("heading", name="You are signed out")).to_be_visible()
    with empty.memory() as memory:
        assert not [grant for grant in memory.grants() if grant.valid and grant.expires_at is not None]
    look.watch.expects("status of 401")
    look.page.reload()
    expect(look.page.get_by_role("heading", name="You are signed out")).to_be_visible()


def test_demo_data_and_the_look_from_the_settings(empty, visit, expect):
    look = visit(empty, "settings/general")
    look.get("demo-language").select_option("ko")
    look.get("demo-add").click()
    expect(look.get("demo-result")).to_contain_text(re.compile(r"\d{3}"))
    look.get("demo-remove").click()
    look.page.get_by_role("dialog").get_by_role("button").last.click()
    expect(look.get("demo-result")).to_contain_text("removed")
    with empty.memory() as memory:
        assert list(memory.list()) == []
    look.get("settings-theme").select_option("light")
    assert look.page.evaluate("document.documentElement.dataset.theme") == "light"
    look.get("settings-language").select_option("ko")
    expect(look.page.locator("main h1")).to_have_text("설정")
