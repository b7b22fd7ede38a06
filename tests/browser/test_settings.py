"""Settings that can be set: written into the file of the machine, with their source and what waits for a restart."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.browser import serving


@pytest.fixture
def served(tmp_path: Path, browser):
    config = tmp_path / "celestial.toml"
    config.write_text('# mine\n[model]\ndaily_calls = 50\nkey = "sk-test-never-shown"\n')
    environment = {"CELESTIAL_CONFIG": str(config), "CELESTIAL_IMAGINE": "off"}
    with serving(tmp_path / "memory.db", **environment) as server:
        yield server


def option(look, key):
    return look.get(f"option-{key}")


@pytest.mark.parametrize(("language", "size"), [("en", (1280, 800)), ("ko", (390, 844))], ids=["en", "ko narrow"])
def test_a_setting_is_changed_and_taken_back(served, visit, expect, tmp_path, language, size):
    config = tmp_path / "celestial.toml"
    look = visit(served, "settings/options", language=language, size=size)
    night = option(look, "sleep.nightly").get_by_role("switch")
    expect(night).to_be_checked()
    night.click()
    expect(look.get("options-waiting")).to_contain_text("1" if language == "ko" else "One change")
    expect(option(look, "sleep.nightly").get_by_role("switch")).to_be_focused()
    assert config.read_text() == (
        '# mine\n[model]\ndaily_calls = 50\nkey = "sk-test-never-shown"\n\n[sleep]\nnightly = "off"\n'
    )
    look.page.locator(".toast button").first.click()
    expect(look.get("options-waiting")).not_to_have_class("warn")
    assert "nightly" not in config.read_text()
    essential = {"en": "The essential ones (essential)", "ko": "꼭 필요한 것만 (essential)"}[language]
    expect(option(look, "mcp.tools").locator("option:checked")).to_have_text(essential)
    calls = option(look, "model.daily_calls").get_by_role("textbox")
    expect(calls).to_have_value("50")
    calls.fill("7")
    calls.press("Enter")
    expect(look.get("options-waiting")).to_have_class("warn")
    assert "daily_calls = 7" in config.read_text()
    look.get("option-default-model.daily_calls").click()
    expect(option(look, "model.daily_calls").get_by_role("textbox")).to_have_value("1000")
    assert look.overflow() == []
    look.screenshot(f"settings-options-{language}")


def test_what_is_wrong_or_locked_is_said_and_no_secret_is_shown(served, visit, expect, tmp_path):
    look = visit(served, "settings/options")
    look.watch.expects("status of 422")
    before = (tmp_path / "celestial.toml").read_text()
    share = option(look, "sleep.max_leaving_share").get_by_role("textbox")
    share.fill("lots")
    share.press("Enter")
    look.toast("sleep.max_leaving_share")
    expect(option(look, "sleep.max_leaving_share").get_by_role("textbox")).to_have_value("0.2")
    assert (tmp_path / "celestial.toml").read_text() == before
    locked = look.get("options-locked")
    expect(locked).to_contain_text("storage.path")
    expect(locked.get_by_role("row").filter(has_text="imagination.enabled")).to_contain_text("CELESTIAL_IMAGINE")
    expect(locked.get_by_role("row").filter(has_text="model.key")).to_contain_text("not shown")
    assert "sk-test-never-shown" not in look.page.content()


def test_a_change_holds_after_a_restart(tmp_path, visit, expect):
    config = tmp_path / "celestial.toml"
    config.write_text("")
    with serving(tmp_path / "memory.db", CELESTIAL_CONFIG=str(config)) as server:
        look = visit(server, "settings/options")
        option(look, "learning.mode").get_by_role("combobox").select_option("off")
        expect(look.get("options-waiting")).to_have_class("warn")
        look.page.context.close()
    with serving(tmp_path / "memory.db", CELESTIAL_CONFIG=str(config)) as server:
        look = visit(server, "settings/options")
        expect(option(look, "learning.mode").get_by_role("combobox")).to_have_value("off")
        expect(look.get("options-waiting")).not_to_have_class("warn")
        look.page.context.close()


def test_another_link_in_another_tab_disturbs_no_edit(empty, visit, expect):
    """Of the same owner: what is sent next is sent with the new session. Of another one: the tab shows their memory."""
    look = visit(empty, "today")
    with empty.memory() as memory:
        other = memory.of(user_id="other", agent_id="default")
        other.store("I keep bees.")
        mine, theirs = memory.access.login_key(), other.access.login_key()
    tab = look.page.context.new_page()
    tab.goto(f"{empty.url}/login?key={mine}")
    expect(tab.locator("main h1")).to_be_visible()
    look.watch.expects("status of 403")
    look.get("remember-text").fill("The spare key is with the neighbour.")
    look.get("remember-save").click()
    look.toast("Remembered.")
    tab.goto(f"{empty.url}/login?key={theirs}")
    expect(look.page.locator("main")).to_contain_text("I keep bees.")
    expect(look.page.locator("main")).not_to_contain_text("The spare key")
    with empty.memory() as memory:
        assert [item.content for item in memory.list()] == ["The spare key is with the neighbour."]


def test_the_owner_is_switched_in_every_tab(empty, visit, expect):
    """Only with a link that was made for all owners."""
    with empty.memory() as memory:
        memory.store("I grow tomatoes.")
        memory.of("ana").store("I keep bees.")
        key = memory.access.login_key(all_owners=True)
    look = visit(empty, None, signed_in=False)
    look.page.goto(f"{empty.url}/login?key={key}")
    look.settled()
    other = look.page.context.new_page()
    look.watch.over(other)
    other.goto(f"{empty.url}/#/memories")
    expect(other.get_by_test_id("memory-row")).to_contain_text("tomatoes")
    look.move("settings")
    look.get("owner-choice").select_option(label="ana / default (1 memories)")
    expect(look.page.locator(".whose")).to_have_text("ana / default")
    expect(other.locator(".whose")).to_have_text("ana / default")
    for page in (look.page, other):
        page.goto(f"{empty.url}/#/memories")
        expect(page.get_by_test_id("memory-row")).to_contain_text("bees")
        assert "tomatoes" not in page.inner_text("main")
    other.close()
    plain = visit(empty, "settings")
    expect(plain.get("settings-session")).to_be_visible()
    expect(plain.get("owner-choice")).to_have_count(0)
