"""`sleep --all --engine ray` on a real Ray: every owner once, also when a worker or a whole node is killed."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import ray
from ray.cluster_utils import Cluster

from celestial_engine import CelestialMemory
from celestial_engine.core.night.sleep import Duty
from celestial_engine.engine.schedule.night_ray import RayNights
from celestial_engine.engine.schedule.night_tasks import Database
from celestial_engine.surfaces.cli import main

OWNERS = [f"user{number}" for number in range(5)]
MEMORIES = 150  # of each: a night takes long enough to be noticed
HELD = "SELECT 1 FROM jobs WHERE name LIKE 'asleep %' AND holder IS NOT NULL"

needs_proc = pytest.mark.skipif(not Path("/proc/self").exists(), reason="finds the workers in /proc")


@pytest.fixture(scope="module")
def cluster():
    """A cluster on the loopback interface: a head that runs no tasks, and nodes that the tests add."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture
def node(cluster: Cluster):
    """The node that runs the tasks. All nodes but the head are killed at the end."""
    node = cluster.add_node(num_cpus=2)
    cluster.wait_for_nodes()
    yield node
    for each in list(cluster.worker_nodes):
        cluster.remove_node(each, allow_graceful=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "m.db"
    with CelestialMemory(path, rebalance_interval=None) as memory:
        for name in OWNERS:
            memory.of(name).store_many(
                f"{name} drinks green tea number {number} in the evening" for number in range(MEMORIES)
            )
    return path


def raylet_of(node: Any) -> int:
    (raylet,) = node.all_processes["raylet"]
    return int(raylet.process.pid)


def workers_of(node: Any) -> list[int]:
    """The processes of a node that run a night now."""
    folders = Path("/proc").glob("[0-9]*")
    return [int(folder.name) for folder in folders if runs_a_night(folder, raylet_of(node))]


def runs_a_night(folder: Path, raylet: int) -> bool:
    try:
        parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        return parent == raylet and (folder / "cmdline").read_bytes().startswith(b"ray::run_task")
    except OSError:  # it has just ended
        return False


def strike_at_work(path: Path, night: Future[Any], strike: Callable[[], bool]) -> None:
    """Strikes once while a worker has an owner's lease and, held up by our lock, cannot go on."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=120)) as db:
        while not night.done():
            if not db.execute(HELD).fetchone():
                os.sched_yield()
                continue
            db.execute("BEGIN IMMEDIATE")
            done = db.execute(HELD).fetchone() and strike()
            db.execute("ROLLBACK")
            if done:
                return


def everybody_sleeps_once(path: Path, strike: Callable[[], bool]) -> None:
    # The night runs in a thread: a node of Ray ends with the thread that has started it, and strikes start nodes.
    with CelestialMemory(path, rebalance_interval=None) as memory, ThreadPoolExecutor(1) as pool:
        engine = RayNights(Database(str(path), memory.owner.user_id, memory.owner.agent_id))
        night = pool.submit(memory.night.sleep_everybody_on, engine)
        strike_at_work(path, night, strike)
        reports = night.result()
        assert not any(report.woken or report.busy or report.failed for report in reports)
        for name in OWNERS:
            assert not any(duty.due for duty in memory.of(name).night.status().duties)
            runs = Counter(one.duty for night in memory.of(name).night.reports() for one in night.duties)
            assert set(runs.values()) == {1}
        assert sum(Duty.TIDY in [one.duty for one in report.duties] for report in reports) == 1
        assert {state.holder for state in memory.parts.store.jobs.states("asleep ").values()} == {None}
        assert memory.maintenance.check() == []


@pytest.mark.usefixtures("node")
def test_the_command_runs_every_night_once(path, capsys):
    assert main(["sleep", "--all", "--engine", "ray", "--json", "--db", str(path)]) == 0
    nights = json.loads(capsys.readouterr().out)["nights"]
    assert [night["owner"] for night in nights] == [f"{name}/default" for name in OWNERS]
    assert all(night["duties"] for night in nights)
    assert main(["sleep", "--all", "--engine", "ray", "--json", "--db", str(path)]) == 0
    assert not any(night["duties"] for night in json.loads(capsys.readouterr().out)["nights"])


@needs_proc
def test_the_owners_of_a_killed_worker_are_done_once(path, node):
    """Ray does not repeat them by itself: the driver does, from where the record of the night ends."""
    killed: list[int] = []

    def kill_workers() -> bool:
        killed.extend(workers_of(node))
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        return bool(killed)

    everybody_sleeps_once(path, kill_workers)
    assert killed


@needs_proc
def test_the_owners_of_a_killed_node_are_done_once_by_another(path, cluster, node):
    """As when a machine fails: everything on it ends at once, and the nights go on where there is another."""
    killed: list[int] = []

    def kill_node() -> bool:
        workers = workers_of(node)
        if not workers:
            return False
        killed.extend([*workers, raylet_of(node)])
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        cluster.add_node(num_cpus=2)
        return True

    everybody_sleeps_once(path, kill_node)
    assert len(killed) > 1
    assert [each["Alive"] for each in ray.nodes()].count(False) >= 1
