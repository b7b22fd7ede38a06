"""`celestial restore` of many: all that is on the cliff, or all that went for one reason."""

from __future__ import annotations

import json

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.surfaces.cli import main


@pytest.fixture
def path(tmp_path):
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None) as memory:
        for number in range(3):
            memory.forget(memory.store(f"thing number {number}").id)
    return path


def test_all_come_back(path, capsys):
    assert main(["--db", path, "restore", "--all"]) == 0
    assert capsys.readouterr().out.strip() == "Restored 3 memories."
    assert main(["--db", path, "--lang", "ko", "restore", "--all"]) == 0
    assert "되살렸습니다" not in capsys.readouterr().out


def test_those_of_one_reason_come_back(path, capsys):
    assert main(["--db", path, "restore", "--reason", "expired", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["memories"] == []
    assert main(["--db", path, "restore", "--reason", "manual", "--json"]) == 0
    assert {record["state"] for record in json.loads(capsys.readouterr().out)["memories"]} == {"active"}


def test_nobody_of_that_reason_is_not_an_empty_cliff(path, capsys):
    assert main(["--db", path, "restore", "--reason", "expired"]) == 0
    assert capsys.readouterr().out == "Nothing is on the cliff for this reason: expired.\n"
    assert main(["--db", path, "--lang", "ko", "restore", "--reason", "expired"]) == 0
    assert "수명이 다함" in capsys.readouterr().out


def test_one_is_told_as_one(path, capsys):
    main(["--db", path, "restore", "--all"])
    with CelestialMemory(path, rebalance_interval=None) as memory:
        memory.forget(memory.list()[0].id)
    capsys.readouterr()
    assert main(["--db", path, "restore", "--all"]) == 0
    assert capsys.readouterr().out == "Restored 1 memory.\n"


@pytest.mark.parametrize("args", [[], ["--all", "ID"], ["--all", "--reason", "manual"]])
def test_whom_must_be_said_once(path, args, capsys):
    with CelestialMemory(path, rebalance_interval=None) as memory:
        args = [memory.departures.cliff()[0].id if arg == "ID" else arg for arg in args]
    assert main(["--db", path, "restore", *args]) == 2
    assert "Give ids, all or a reason" in capsys.readouterr().err
