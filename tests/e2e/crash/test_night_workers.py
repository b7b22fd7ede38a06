"""`sleep --all` with real processes: shared, killed, and done once each."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sqlite3
import threading
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory, Tier
from celestial_engine.core.night.sleep import Duty
from celestial_engine.core.record.events import EventType
from celestial_engine.engine.schedule.night_processes import ProcessNights
from celestial_engine.engine.schedule.night_tasks import Database
from celestial_engine.surfaces.cli import main

pytestmark = pytest.mark.slow
OWNERS = [f"user{number}" for number in range(6)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Each owner has two memories that say the same, to be merged once."""
    path = tmp_path / "m.db"
    with CelestialMemory(path, rebalance_interval=None) as memory:
        for name in OWNERS:
            for _ in range(2):
                memory.of(name).store(f"{name} drinks green tea in the evening", tier=Tier.M90)
    return path


def merged(path: Path) -> Counter:
    with CelestialMemory(path, rebalance_interval=None) as memory:
        return Counter({
            name: sum(event.type is EventType.MERGED for event in memory.of(name).ledger.history(limit=100))
            for name in OWNERS
        })  # fmt: skip


def kill_one_at_work(path: Path, killed: list[int]) -> None:
    """Kills every worker while one of them has an owner's lease and, held up by our lock, cannot go on."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=60)) as db:
        while not killed:
            if not db.execute("SELECT 1 FROM jobs WHERE name LIKE 'asleep %' AND holder IS NOT NULL").fetchone():
                os.sched_yield()
                continue
            db.execute("BEGIN IMMEDIATE")
            if db.execute("SELECT 1 FROM jobs WHERE name LIKE 'asleep %' AND holder IS NOT NULL").fetchone():
                killed += [worker.pid for worker in multiprocessing.active_children()]
                for pid in killed:
                    os.kill(pid, signal.SIGKILL)
            db.execute("ROLLBACK")


def test_the_owners_of_a_killed_worker_are_done_once(path):
    """Everybody has had every duty, nobody was merged twice, and no lease is left."""
    killed: list[int] = []
    killer = threading.Thread(target=kill_one_at_work, args=(path, killed))
    with CelestialMemory(path, rebalance_interval=None) as memory:
        engine = ProcessNights(Database(str(path), memory.owner.user_id, memory.owner.agent_id), 2)
        killer.start()
        reports = memory.night.sleep_everybody_on(engine)
        killer.join()
        assert killed
        assert not any(report.woken or report.busy or report.failed for report in reports)
        for name in OWNERS:
            assert not any(duty.due for duty in memory.of(name).night.status().duties)
            runs = Counter(one.duty for night in memory.of(name).night.reports() for one in night.duties)
            assert set(runs.values()) == {1}
        assert sum(Duty.TIDY in [one.duty for one in report.duties] for report in reports) == 1
        holders = {state.holder for state in memory.parts.store.jobs.states("asleep ").values()}
        assert holders == {None}
        assert memory.maintenance.check() == []
    assert merged(path) == Counter(dict.fromkeys(OWNERS, merged(path)[OWNERS[0]]))
    assert not multiprocessing.active_children()


def test_the_command_shares_the_owners(path, capsys):
    assert main(["sleep", "--all", "--workers", "2", "--json", "--db", str(path)]) == 0
    nights = json.loads(capsys.readouterr().out)["nights"]
    assert [night["owner"] for night in nights] == [f"{name}/default" for name in OWNERS]
    assert all(night["duties"] for night in nights)
    assert main(["sleep", "--all", "--workers", "2", "--json", "--db", str(path)]) == 0
    assert not any(night["duties"] for night in json.loads(capsys.readouterr().out)["nights"])


@pytest.mark.parametrize(
    "options",
    [("--workers", "0"), ("--workers", "65"), ("--workers", "two"), ("--engine", "abacus")],
)
def test_bad_options_are_refused(path, capsys, options):
    assert main(["sleep", "--all", *options, "--db", str(path)]) == 2
    assert capsys.readouterr().err


def test_workers_are_for_all_and_need_a_file(path, capsys):
    assert main(["sleep", "--workers", "2", "--db", str(path)]) == 2
    assert main(["sleep", "--all", "--workers", "2", "--db", ":memory:"]) == 2
    assert ":memory:" in capsys.readouterr().err
