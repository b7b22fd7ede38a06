"""`sleep --all --engine ray` on a real Ray: every owner once, also when a worker is killed."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import threading
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
import ray

from celestial_engine import CelestialMemory
from celestial_engine.core.night.sleep import Duty
from celestial_engine.engine.schedule.night_ray import RayNights
from celestial_engine.engine.schedule.night_tasks import Database
from celestial_engine.surfaces.cli import main

OWNERS = [f"user{number}" for number in range(5)]
HELD = "SELECT 1 FROM jobs WHERE name LIKE 'asleep %' AND holder IS NOT NULL"


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    yield
    ray.shutdown()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "m.db"
    with CelestialMemory(path, rebalance_interval=None) as memory:
        for name in OWNERS:
            memory.of(name).store(f"{name} drinks green tea in the evening")
    return path


def ray_workers() -> list[int]:
    """The processes that run a night now."""
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*") if runs_a_night(folder)]


def runs_a_night(folder: Path) -> bool:
    try:
        return (folder / "cmdline").read_bytes().startswith(b"ray::run_task")
    except OSError:  # it has just ended
        return False


def kill_one_at_work(path: Path, killed: list[int]) -> None:
    """Kills a worker that has an owner's lease and, held up by our lock, cannot go on."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=60)) as db:
        while not killed:
            if not db.execute(HELD).fetchone():
                os.sched_yield()
                continue
            db.execute("BEGIN IMMEDIATE")
            if db.execute(HELD).fetchone():
                killed += ray_workers()
                for pid in killed:
                    os.kill(pid, signal.SIGKILL)
            db.execute("ROLLBACK")


def test_the_command_runs_every_night_once(path, capsys):
    assert main(["sleep", "--all", "--engine", "ray", "--json", "--db", str(path)]) == 0
    nights = json.loads(capsys.readouterr().out)["nights"]
    assert [night["owner"] for night in nights] == [f"{name}/default" for name in OWNERS]
    assert all(night["duties"] for night in nights)
    assert main(["sleep", "--all", "--engine", "ray", "--json", "--db", str(path)]) == 0
    assert not any(night["duties"] for night in json.loads(capsys.readouterr().out)["nights"])


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="finds the workers in /proc")
def test_the_owners_of_a_killed_worker_are_done_once(path):
    """Ray does not repeat them by itself: the driver does, from where the record of the night ends."""
    killed: list[int] = []
    killer = threading.Thread(target=kill_one_at_work, args=(path, killed))
    with CelestialMemory(path, rebalance_interval=None) as memory:
        killer.start()
        reports = memory.night.sleep_everybody_on(
            RayNights(Database(str(path), memory.owner.user_id, memory.owner.agent_id))
        )
        killer.join()
        assert killed
        assert not any(report.woken or report.busy or report.failed for report in reports)
        for name in OWNERS:
            assert not any(duty.due for duty in memory.of(name).night.status().duties)
            runs = Counter(one.duty for night in memory.of(name).night.reports() for one in night.duties)
            assert set(runs.values()) == {1}
        assert sum(Duty.TIDY in [one.duty for one in report.duties] for report in reports) == 1
        assert {state.holder for state in memory.parts.store.jobs.states("asleep ").values()} == {None}
        assert memory.maintenance.check() == []
