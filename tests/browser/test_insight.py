"""Insight and settings: every part, every action, and that it really happened."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from contextlib import ExitStack, closing

import pytest
from benchmarks.browser import OPTIONS, serving
from tests.gossip_nodes import Village, remember_turns, taught

from celestial_engine import CelestialMemory, Settings
from celestial_engine.core.keeping.retention import RetentionPolicy
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.testing.fakes import FakeClock

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


def test_the_flows_have_their_names_where_it_is_narrow(life, visit, expect):
    """In the picture they would lie upon each other; below it there is room."""
    look = visit(life.served, "insight", size=(390, 844))
    expect(look.get("flow-key")).to_contain_text(re.compile(r"90 days \d+.*In orbit now \d+"))
    look.page.set_viewport_size({"width": 1280, "height": 800})
    expect(look.get("flow-key")).to_be_hidden()


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_was_learned_can_be_gone_back_to(empty, visit, expect, language):
    """The curve of the versions; the way back asks first, makes a new version, and the engine goes by it."""
    with CelestialMemory(
        empty.path, **{**OPTIONS, "settings": Settings(learning=LearningSettings(updates_a_checkpoint=1))}
    ) as memory:
        for text in ("I like green tea.", "I live in Jeju."):
            memory.observe(text)
            memory.feedback(reward=1.0)
        versions = memory.policy.status().version
    look = visit(empty, "insight/learning", language=language)
    expect(look.get("insight-learning").locator("canvas").first).to_be_visible()
    look.get("rollback-1").click()
    dialog = look.page.get_by_role("dialog")
    expect(dialog).to_contain_text({"en": "version 1", "ko": "버전 1로 되돌아가기"}[language])
    look.page.keyboard.press("Escape")
    with empty.memory() as memory:
        assert memory.policy.status().version == versions
    look.get("rollback-1").click()
    dialog.get_by_role("button").last.click()
    look.toast({"en": f"Version {versions + 1}", "ko": f"이제 버전 {versions + 1}을 씁니다."}[language])
    with empty.memory() as memory:
        status = memory.policy.status()
    assert (status.version, status.rewards) == (versions + 1, 1)
    look.get("rollback-0").click()
    dialog.get_by_role("button").last.click()
    expect(look.get("insight-versions").locator("tbody tr")).to_have_count(versions + 2)
    with empty.memory() as memory:
        assert memory.policy.status().rewards == 0


def test_a_night_is_looked_at_and_slept(life, visit, expect):
    """The plan changes nothing; sleeping asks first, and the report stays."""
    look = visit(life.served, "insight/sleep")
    with life.served.memory() as memory:
        before = memory.ledger.head().number
    look.get("sleep-plan").click()
    expect(look.get("sleep-result")).not_to_be_empty()
    with life.served.memory() as memory:
        assert memory.ledger.head().number == before
    look.get("insight-sleep").get_by_role("switch").check(force=True)
    look.get("sleep-now").click()
    look.page.get_by_role("dialog").get_by_role("button", name="Sleep", exact=True).click()
    expect(look.get("sleep-now")).not_to_have_attribute("aria-busy", "true", timeout=60_000)
    with life.served.memory() as memory:
        assert memory.ledger.head().number > before
    expect(look.get("sleep-reports").locator("[data-testid^=night-]").first).to_be_visible()


def test_a_night_in_which_too_many_would_leave_waits_for_a_word(empty, visit, expect):
    """Nobody has left until it is given; then they stand at the cliff."""
    with empty.memory() as memory:
        memory.store("The lamp stands in the hall.")
        (record,) = memory.transfer.export()
        memory.transfer.import_({**record, "id": f"copy-{number}"} for number in range(12))
    look = visit(empty, "insight/sleep")
    look.get("sleep-now").click()
    look.page.get_by_role("dialog").get_by_role("button", name="Sleep", exact=True).click()
    expect(look.get("sleep-result")).to_contain_text("Too many would leave at once")
    with empty.memory() as memory:
        assert len(memory.list()) == 13
    look.get("insight-sleep").get_by_role("switch").check(force=True)
    look.get("sleep-let-go").click()
    look.page.get_by_role("dialog").get_by_role("button", name="Let them go").click()
    expect(look.get("sleep-let-go")).to_have_count(0)
    expect(look.get("sleep-now")).not_to_have_attribute("aria-busy", "true")
    expect(look.get("sleep-result").get_by_role("progressbar")).to_have_count(0)
    with empty.memory() as memory:
        assert (len(memory.list()), len(memory.departures.cliff())) == (1, 12)


def test_the_ledger_goes_back_and_tells_what_is_new(empty, visit, expect):
    with empty.memory() as memory:
        memory.store_many([f"Stamp {number} of the album." for number in range(70)])
    look = visit(empty, "insight/ledger")
    rows = look.get("ledger-entries").locator("tbody tr")
    expect(rows).to_have_count(50)
    look.get("ledger-more").click()
    expect(rows.nth(69)).to_be_visible()
    with empty.memory() as memory:
        memory.store("A stamp that came later.")
    look.get("ledger-fresh").click()
    expect(rows.first).to_contain_text(re.compile(r"Remembered"))
    expect(look.get("ledger-fresh")).to_have_count(0)


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


def test_the_ledger_speaks_korean(life, visit, expect):
    """What an entry is about is told in words, not in the names of fields; ids are told apart."""
    mine = life.remember("원장을 우리말로 읽는다.", related=[life.ids["memory"]])
    life.ask("PUT", f"/memories/{mine}/rating", stars=4)
    look = visit(life.served, "insight/ledger", language="ko")
    rows = look.get("ledger-entries").locator("tbody tr")
    expect(rows.filter(has_text="평점을 줌").first).to_contain_text("5점 만점에 4점")
    expect(rows.filter(has_text="고침").first).to_contain_text("연결")
    assert "links" not in look.get("ledger-entries").inner_text()


# -- settings ---------------------------------------------------------------------------------------


def test_a_token_is_made_shown_once_used_and_revoked(life, visit, expect):
    look = visit(life.served, "settings/access", permissions=["clipboard-read", "clipboard-write"])
    look.get("token-create").click()
    look.get("token-name").fill("kitchen radio")
    look.get("token-make").click()
    secret = look.get("token-secret").input_value()
    look.page.get_by_role("dialog").get_by_role("button", name="Copy").click()
    expect(look.page.get_by_role("dialog")).to_contain_text("Copied")
    assert look.page.evaluate("navigator.clipboard.readText()") == secret
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
        ("engine", ("models", "unwanted", "guard", "schedule")), ("data", ("storage", "moving", "archives")),
    ],
)  # fmt: skip
def test_every_part_of_the_settings_is_there(life, visit, expect, place, sections):
    look = visit(life.served, f"settings/{place}", language="ko")
    for section in sections:
        expect(look.get(f"settings-{section}")).to_be_visible()
    assert "cel_" not in look.page.inner_text("main").replace("cel_…", "")


def test_learning_together_is_joined_and_left(empty, visit, expect):
    look = visit(empty, "federation")
    room = look.get("together")
    expect(room).to_contain_text("nothing was sent")
    look.get("together-on").click()
    expect(look.get("together-off")).to_be_visible()
    expect(room).to_contain_text("Your key")
    look.get("together-leave").click()
    look.page.get_by_role("dialog").get_by_role("button", name="Leave", exact=True).click()
    expect(look.get("together-on")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "ko"])
def test_learning_together_shows_peers_reasons_privacy_and_gain(empty, visit, expect, language):
    """Peers that suit and one that never answers, a stranger's garbage, what was sent; and one click switches off."""
    with ExitStack() as stack:
        memories = {"home": stack.enter_context(CelestialMemory(empty.path, **OPTIONS))}
        for number in range(6):
            peer = stack.enter_context(CelestialMemory(":memory:", rebalance_interval=None))
            memories[f"n{number}"] = peer
        for number, memory in enumerate(memories.values()):
            memory.policy.adopt(taught(number), 100)
            remember_turns(memory)
        village = Village(FakeClock(), memories, silent={"n5"})
        village.introduce()
        home = memories["home"].federation
        home.round(village)
        with pytest.raises(ValueError, match="garbage"):
            home.receive(b"no message at all")
        status = home.status()
    assert status.candidate_on
    suits = f"{round(100 * max(peer.share for peer in status.peers))}%"
    words = {
        "en": ("did not answer 1", "no message 1", "no bound: sent without noise", "not known yet", "5,496 bytes"),
        "ko": ("응답 없음 1", "메시지가 아님 1", "한계 없음: 잡음 없이 보냈습니다", "아직 모름", "5,496바이트"),
    }[language]
    look = visit(empty, "federation", language=language)
    room = look.get("together")
    for word in (*words, suits, "127.0.0.1:1/n0", "127.0.0.1:1/n5"):
        expect(room).to_contain_text(word)
    look.get("together-off").click()
    expect(look.get("together-on")).to_be_visible()
    with empty.memory() as memory:
        assert not memory.federation.enabled()
        assert len(memory.federation.status().peers) == 6


def test_memories_without_a_vector_get_one(tmp_path, browser, visit, expect):
    """Those that were stored while there was no model."""
    with serving(tmp_path / "memory.db", CELESTIAL_EMBEDDER="hashed") as served:
        with served.memory() as memory:
            memory.store_many(["The owl calls at night.", "The well is behind the barn."])
        with CelestialMemory(served.path, **{**OPTIONS, "embedder": "hashed"}) as memory:
            memory.store("The barn is red.")
        look = visit(served, "settings/engine", language="ko")
        look.get("reindex").click()
        expect(look.get("settings-models")).to_contain_text("기억 2개에 벡터를 만들었고 0개는 실패했습니다.")
        expect(look.get("reindex")).to_have_count(0)
        with served.memory() as memory:
            assert memory.maintenance.status().without_vector == 0
        look.page.close()  # before the server ends


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


def test_a_damaged_store_is_found_and_repaired(empty, visit, expect):
    with empty.memory() as memory:
        memory.store("The lamp stands in the hall.")
    with closing(sqlite3.connect(empty.path)) as file, file:
        file.execute("INSERT INTO words (words) VALUES ('delete-all')")
    look = visit(empty, "settings/data")
    look.get("storage-check").click()
    told = look.get("storage-result")
    expect(told).to_contain_text("full-text index")
    look.get("storage-repair").click()
    look.page.get_by_role("dialog").get_by_role("button", name="Repair").click()
    expect(told.locator(".good")).to_be_visible()
    with empty.memory() as memory:
        assert memory.maintenance.check() == []


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


def test_an_archived_conversation_is_brought_back(calendar_time, empty, visit, expect):
    """It lies in a file beside the database; one press, and its memories are in orbit again."""
    long_ago = time.time() - 60 * 86_400
    with CelestialMemory(empty.path, clock=lambda: long_ago, **OPTIONS) as memory:
        old = memory.store("We talked about the lighthouse.", session_id="summer")
    with empty.memory() as memory:
        assert memory.departures.retain(RetentionPolicy(archive_after_days=30)).archived == 1
    look = visit(empty, "settings/data")
    look.get("archive-bring-summer").click()
    expect(look.get("settings-archives")).to_contain_text("Nothing is archived")
    with empty.memory() as memory:
        assert memory.get(old.id).state.in_orbit
        assert memory.departures.archives() == []


def test_the_way_out_is_the_end_of_the_session(empty, visit, expect):
    look = visit(empty, "settings/general")
    look.get("sign-out").click()
    look.page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(look.page.get_by_role("heading", name="You are signed out")).to_be_visible()
    with empty.memory() as memory:
        assert not [grant for grant in memory.access.tokens() if grant.valid and grant.expires_at is not None]
    look.watch.expects("status of 401")
    look.page.reload()
    expect(look.page.get_by_role("heading", name="You are signed out")).to_be_visible()


def test_signing_out_deletes_what_is_kept_in_the_browser(empty, visit, expect):
    """Over plain HTTP browsers do not do it for the server."""

    def unheeded(route):
        answer = route.fetch()
        kept = {name: value for name, value in answer.headers.items() if name != "clear-site-data"}
        assert len(kept) < len(answer.headers)
        route.fulfill(response=answer, headers=kept)

    look = visit(empty, "today")
    look.page.route("**/dashboard/logout", unheeded)
    look.get("remember-text").fill("The spare key is with the neighbour.")
    assert "spare key" in look.page.evaluate("JSON.stringify(localStorage)")
    look.get("leave").click()
    look.page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(look.page.get_by_role("heading", name="You are signed out")).to_be_visible()
    look.page.wait_for_function("() => Object.keys(localStorage).every((key) => !key.startsWith('celestial.'))")


@pytest.mark.parametrize(("place", "language", "out"), [("today", "en", "Sign out"), ("ask", "ko", "로그아웃")])
def test_the_way_out_is_on_every_view(empty, visit, expect, place, language, out):
    look = visit(empty, place, language=language)
    look.get("leave").click()
    look.page.get_by_role("dialog").get_by_role("button", name=out).click()
    words = {"en": "You are signed out", "ko": "로그아웃된 상태입니다"}[language]
    expect(look.page.get_by_role("heading", name=words)).to_be_visible()
    with empty.memory() as memory:
        assert not [grant for grant in memory.access.tokens() if grant.valid and grant.expires_at is not None]


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


@pytest.mark.parametrize(("language", "size"), [("en", (1280, 800)), ("ko", (390, 844))], ids=["en", "ko narrow"])
def test_size_growth_and_speed(life, visit, expect, language, size):
    look = visit(life.served, "insight/system", language=language, size=size)
    sizes = look.get("system-size")
    expect(sizes).to_contain_text("KB" if language == "en" else "데이터베이스")
    expect(sizes).to_contain_text("in a year" if language == "en" else "1년 뒤")
    life.ask("GET", "/profile")
    look.get("system-speed").get_by_role("button").click()
    row = look.get("system-speed").get_by_role("row").filter(has_text="memory_profile").first
    expect(row).to_contain_text("ms")
    assert look.overflow() == []
    look.screenshot(f"insight-system-{language}")
