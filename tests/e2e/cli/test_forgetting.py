"""Forgetting, restoring, pinning and drifting on the command line."""

from __future__ import annotations

import json

import pytest

from celestial_engine import CelestialMemory

pytestmark = pytest.mark.usefixtures("usual_embedder")


def test_forget_and_restore_several(cli, stored):
    first, second = stored("first"), stored("second")
    assert cli("forget", first, second[:8]).code == 0
    said = cli("cliff").out
    assert "by hand" in said
    assert "6 d 23 h" in said or "7 d" in said
    assert cli("restore", first[:8], second).code == 0
    assert cli("stats", "--json").data["total"] == 2


def test_a_refusal_does_not_stop_the_rest(cli, stored):
    kept, other = stored("kept", "--immutable"), stored("other")
    answer = cli("forget", kept, other, "--json")
    assert answer.code == 4
    assert [item["id"] for item in answer.data] == [other]
    assert json.loads(answer.err)["error"] == "protected"


def test_a_mistyped_id_changes_nothing(cli, stored):
    item_id = stored("hello")
    assert cli("forget", item_id, "nope").code == 3
    assert cli("stats", "--json").data["cliff"] == 0


def test_pin_and_unpin(cli, stored):
    item_id = stored("hello")
    assert cli("pin", item_id).out == f"Pinned {item_id[:8]}.\n"
    assert "pinned" in cli("list").out
    assert cli("pin", item_id).out == f"{item_id[:8]} is already protected (pinned).\n"
    assert cli("unpin", item_id, "--json").data[0]["protection"] == "none"
    assert cli("unpin", item_id).out == f"{item_id[:8]} is not pinned.\n"
    assert cli("unpin", item_id, "--lang", "ko").out == f"{item_id[:8]} 기억은 고정되어 있지 않습니다.\n"
    assert cli("pin", stored("kept", "--immutable")).out.endswith("is already protected (immutable).\n")


def test_memories_drift_without_any_background_work(cli, tmp_path):
    """Whoever only uses the command line gets the rebalance that is due with the next command."""
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None, clock=lambda: 1.7e9) as memory:
        memory.store("long ago", importance=1.0)
    assert cli("stats", "--json").data["zones"]["outer"] == 0


def test_rebalance_tells_what_it_did(cli, tmp_path):
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None, clock=lambda: 1.7e9) as memory:
        memory.store("long ago", importance=1.0)
    assert cli("rebalance").out.startswith("Rebalanced: 1 moved")
    assert cli("rebalance", "--json").data["moved"] == 0
