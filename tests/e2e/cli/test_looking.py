"""Looking at a memory on the command line: lists, explanations, histories and figures."""

from __future__ import annotations

import pytest

from celestial_engine import CelestialMemory

pytestmark = pytest.mark.usefixtures("usual_embedder")


def test_list_is_a_table_with_short_ids(cli, stored):
    item_id = stored("hello", "--importance", "0.8")
    header, line = cli("list").out.splitlines()
    assert header.split() == ["id", "zone", "score", "recalls", "age", "text"]
    assert line.split()[:3] == [item_id[:8], "outer", "+0.200"]
    assert item_id not in line


def test_list_filters(cli, stored):
    stored("close", "--importance", "1.0")
    stored("far", "--importance", "0.0", "--tier", "M30")
    assert [item["content"] for item in cli("list", "--zone", "outer", "--json").data["memories"]] == ["close"]
    assert [item["content"] for item in cli("list", "--zone", "belt", "--json").data["memories"]] == ["far"]
    assert [item["content"] for item in cli("list", "--tier", "M30", "--json").data["memories"]] == ["far"]
    assert len(cli("list", "--limit", "1", "--json").data["memories"]) == 1


def test_show_accepts_the_start_of_an_id(cli, stored):
    item_id = stored("whole text", "--metadata", '{"k": "값"}', "--tag", "t")
    shown = cli("show", item_id[:6])
    assert item_id in shown.out
    assert "    whole text" in shown.out
    assert '{"k": "값"}' in shown.out


def test_explain_adds_up(cli, stored):
    item_id = stored("hello", "--importance", "0.8")
    cli("recall", "hello")
    explained = cli("explain", item_id, "--json").data
    weights = explained["weights"]
    total = sum(weights[name] * explained[name] for name in ("recall", "freshness", "importance", "context"))
    assert explained["score"] == pytest.approx(total)


def test_explain_says_where_it_is_going(cli, stored):
    lines = cli("explain", stored("hello", "--importance", "0.6")).out.splitlines()
    assert any(line.startswith("A importance") and "+0.150" in line and "██████████" in line for line in lines)
    assert "importance  0.60 (given)" in lines
    # 0.15 lies 0.05 above the outer zone's bound: of the 0.285 that a day takes, 4 h 12 min.
    assert lines[-3:] == ["If nobody recalls it:", "  in 4 h 12 min -> belt", "  in 21 h 3 min -> cloud"]


def test_history_tells_what_happened(cli, stored):
    item_id = stored("hello")
    cli("pin", item_id)
    cli("forget", item_id)
    assert [event["type"] for event in cli("history", item_id, "--json").data["events"]] == [
        "forgotten",
        "pinned",
        "stored",
    ]
    assert "reason by hand" in cli("history").out


@pytest.mark.usefixtures("calendar_time")
def test_history_outlives_the_memory(cli, stored, tmp_path):
    """What was purged is gone, but the ledger still tells of it."""
    item_id = stored("hello")
    cli("forget", item_id)
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None, clock=lambda: 4e9) as memory:
        assert memory.rebalance().purged == 1
    assert cli("show", item_id).code == 3
    assert cli("history", item_id, "--json").data["events"][0]["type"] == "purged"


def test_stats_show_the_zones_and_the_file(cli, stored, tmp_path):
    stored("hello", "--importance", "0.8")
    said = cli("stats").out
    assert "outer       1 / 1000  █" in said
    assert "lifetimes   M90 1" in said
    assert "states      active 1" in said
    assert str(tmp_path / "m.db") in said
    assert "KiB" in said
    assert cli("stats", "--json").data["size_bytes"] > 0


def test_looking_at_an_empty_memory_is_friendly(cli):
    assert cli("list").out == "No memories here yet.\n"
    assert cli("cliff").out == "Nothing is on the cliff.\n"
    assert cli("history").out == "Nothing has happened yet.\n"


def test_an_empty_list_says_why(cli, stored):
    item_id = stored("hello")
    assert cli("list", "--zone", "core").out == "No memory matches.\n"
    cli("forget", item_id)
    assert cli("list").out == "No memory matches.\nOn the cliff: 1. `celestial cliff` shows them.\n"
    assert cli("list", "--json").data == {"memories": [], "next": None}
    assert "celestial cliff" in cli("list", "--lang", "ko").out
