"""Universes from a seed: what was acknowledged survives whatever the disk, the power and the clock do."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("apsw", reason="only apsw can be given a simulated disk")

from tests.universes import world as worlds
from tests.universes.disk import Kept, Write
from tests.universes.runner import run
from tests.universes.world import BrokenPromiseError, Step, steps_of

from celestial_engine import CelestialMemory, StorageSettings

EACH = 30


@pytest.mark.slow
@pytest.mark.parametrize("part", range(6))
def test_every_promise_holds(part):
    done = run(range(part * EACH, (part + 1) * EACH), length=25)
    assert done.universes == EACH
    assert done.power_cuts > EACH
    assert done.faults > EACH


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_a_disk_that_loses_what_it_acknowledged(part):
    """It is noticed by the doctor's checks, or nothing that was acknowledged is missing."""
    done = run(range(500 + part * EACH, 500 + (part + 1) * EACH), length=20, betrayed=True)
    assert done.noticed > EACH // 4


def test_a_seed_makes_the_same_universe():
    assert steps_of(7, 30) == steps_of(7, 30) != steps_of(8, 30)


@pytest.mark.slow
def test_a_broken_promise_is_found_and_shrunk(monkeypatch):
    """An engine that answers before the disk has it: the universe fails, names its seed, and gets shorter."""
    monkeypatch.setattr(worlds, "StorageSettings", partial(StorageSettings, durability="normal"))
    with pytest.raises(BrokenPromiseError) as found:
        run(range(EACH), length=25)
    message = str(found.value)
    assert "--seed" in message
    assert message.count("Step(") < 12


def test_a_power_cut_keeps_what_was_synced():
    kept = Kept()
    kept.pending = [Write(0, b"a" * 1024)]
    kept.sync()
    kept.pending = [Write(0, b"b" * 1024), Write(2048, b"c" * 512), Write(512, None)]
    for seed in range(50):
        left = kept.after_power_cut(random.Random(seed))
        assert set(left[:512]) <= {ord("a"), ord("b")}
        assert len(left) in (512, 1024, 2560, 2048)


def test_a_power_cut_after_a_move_brings_nothing_back(tmp_path: Path):
    """The journal of the new file's creation stays removed: else SQLite would undo the whole file."""
    template = tmp_path / "template"
    template.mkdir()
    CelestialMemory(str(template / "m.db"), rebalance_interval=None).close()
    for seed in range(6):
        steps = [Step(name, seed) for name in ("store", "move_owners", "store", "power_cut", "search")]
        assert len(worlds.play(seed, tmp_path / str(seed), template, steps).known) == 2


def test_devices_have_the_same_after_a_sync(tmp_path: Path):
    template = tmp_path / "template"
    template.mkdir()
    CelestialMemory(str(template / "m.db"), rebalance_interval=None).close()
    names = ("store", "store_elsewhere", "store_elsewhere", "sync", "erase", "sync", "power_cut", "sync", "sync")
    world = worlds.play(3, tmp_path / "world", template, [Step(name, 5) for name in names])
    assert len(world.known) == 3
    assert not world.elsewhere


def test_the_engine_runs_on_the_simulated_disk(tmp_path: Path):
    """The store does the same on apsw as on Python's own SQLite."""
    template = tmp_path / "template"
    template.mkdir()
    CelestialMemory(str(template / "m.db"), rebalance_interval=None).close()
    names = ("store", "search", "power_cut", "search", "backup", "kill", "restore_backup", "archive")
    world = worlds.play(1, tmp_path / "world", template, [Step(name, place) for place, name in enumerate(names)])
    assert len(world.known) == 1
    assert world.generation == 2
