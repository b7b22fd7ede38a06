"""`python -m benchmarks.selfplay`: curves, figures, and what is saved of them."""

from __future__ import annotations

import json

import pytest
from benchmarks.selfplay.__main__ import main

from celestial_engine import CelestialMemory, ReadingSettings, Settings
from celestial_engine.core.record.reading import Reading
from celestial_engine.core.turn.policy import Phase


def test_a_curve_is_shown_and_is_the_same_every_time(capsys):
    main(["--turns", "100", "--player", "planner"])
    said = capsys.readouterr().out
    assert said.startswith("| turns | accuracy |")
    assert "planner: accuracy 0." in said
    main(["--turns", "100", "--player", "planner"])
    assert capsys.readouterr().out == said


def test_curve_and_figures_are_written(tmp_path):
    main(["--turns", "30", "--player", "crowd", "--out", str(tmp_path / "out")])
    written = json.loads((tmp_path / "out" / "selfplay.json").read_text(encoding="utf-8"))
    assert (written["turns"], written["seed"]) == (30, 7)
    (player,) = written["players"]
    assert [point["turns"] for point in player["learned"]] == [0, 30]
    assert player["learned"][0]["accuracy"] == player["rules"]["accuracy"]
    assert (tmp_path / "out" / "selfplay.svg").read_text(encoding="utf-8").startswith("<svg")


def test_what_is_kept_decides_and_can_be_taken_back(tmp_path, capsys):
    """A policy that lived with somebody who wants little kept decides where the reading is unsure."""
    path, unsure = str(tmp_path / "m.db"), "There is a bug in the cache of Docker."
    main(["--turns", "800", "--player", "reserved", "--keep", path])
    assert "Saved as version 1" in capsys.readouterr().out
    settings = Settings(reading=ReadingSettings(reader=lambda text, previous: Reading(keep=0.4)))
    with CelestialMemory(path, rebalance_interval=None, settings=settings) as memory:
        assert memory.decide(unsure).phase is Phase.LEARNED
        status = memory.policy.status()
        assert (status.version, status.rewards) == (1, 0)
        assert 0.0 < status.trust <= 0.5
        assert memory.ledger.history(limit=1)[0].detail["selfplay"] == 800
        memory.policy.rollback(0)
        assert memory.decide(unsure).phase is Phase.RULES


@pytest.mark.parametrize(
    "wrong", [("--turns", "0"), ("--turns", "many"), ("--seed", "x"), ("--keep", "x.db"), ("--player", "nobody")]
)
def test_bad_input_is_refused(wrong):
    with pytest.raises(SystemExit) as refused:
        main(list(wrong))
    assert refused.value.code == 2
