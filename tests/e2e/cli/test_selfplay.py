"""`celestial selfplay`: curves on the command line, and what is kept of them."""

from __future__ import annotations

import json

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.learning.selfplay import PLAYERS
from celestial_engine.surfaces.cli.options.selfplay import PLAYERS as OFFERED

MIDDLING = "The build of the server fails after the update"


def test_the_offered_players_are_the_ones_there_are():
    assert tuple(PLAYERS) == OFFERED


def test_a_curve_is_shown_and_nothing_is_touched(celestial, tmp_path):
    said = celestial("selfplay", "--turns", "100", "--player", "planner")
    assert said.split()[:2] == ["turns", "accuracy"]
    assert "planner: accuracy 0." in said
    assert not (tmp_path / "m.db").exists()
    assert celestial("selfplay", "--turns", "100", "--player", "planner") == said
    assert "정확도" in celestial("selfplay", "--lang", "ko", "--turns", "20", "--player", "planner")


def test_curve_and_figures_are_written(celestial, tmp_path):
    told = json.loads(
        celestial("selfplay", "--turns", "30", "--player", "crowd", "--out", str(tmp_path / "out"), "--json")
    )
    assert (told["turns"], told["seed"]) == (30, 7)
    (player,) = told["players"]
    assert [point["turns"] for point in player["learned"]] == [0, 30]
    assert player["learned"][0]["accuracy"] == player["rules"]["accuracy"]
    assert (tmp_path / "out" / "selfplay.svg").read_text(encoding="utf-8").startswith("<svg")
    written = json.loads((tmp_path / "out" / "selfplay.json").read_text(encoding="utf-8"))
    assert written["players"] == told["players"]


def test_what_is_kept_decides_and_can_be_taken_back(celestial, tmp_path):
    """A policy that lived with somebody who wants no technical talk kept."""
    assert "Kept as version 1" in celestial("selfplay", "--turns", "400", "--player", "diarist", "--keep")
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        decided = [memory.decide(MIDDLING) for _ in range(300)]  # some explore, by chance
        assert [one.action.value for one in decided].count("skip") > 200
        status = memory.policy.status()
        assert (status.version, status.rewards) == (1, 0)
        assert 0.0 < status.trust <= 0.5
        assert memory.ledger.history(limit=1)[0].detail["selfplay"] == 400
        memory.policy.rollback(0)
        assert {memory.decide(MIDDLING).action.value for _ in range(30)} == {"save"}


@pytest.mark.parametrize(
    "wrong", [("--turns", "0"), ("--turns", "many"), ("--seed", "x"), ("--keep",), ("--player", "nobody")]
)
def test_bad_input_is_refused(celestial, wrong, tmp_path):
    assert celestial("selfplay", *wrong, code=2).startswith("error")
    assert not (tmp_path / "m.db").exists()
