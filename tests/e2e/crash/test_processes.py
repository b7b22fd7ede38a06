"""Eight processes on one file: no lock errors, no lost update."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from celestial_engine import CelestialMemory

PROCESSES = 8
SECONDS = float(os.environ.get("CELESTIAL_CONTENTION_SECONDS", "10"))

# Recalls a memory that all share, stores its own, and counts what it was told.
WORKER = """
import json, sys, time
from celestial_engine import CelestialMemory
path, number, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
told = {"stored": 0, "recalled": 0, "errors": []}
with CelestialMemory(path, rebalance_interval=0.5) as memory:
    sys.stdin.readline()
    end = time.monotonic() + seconds
    while not told["stored"] or time.monotonic() < end:
        try:
            memory.store(f"process {number} wrote {told['stored']}")
            told["stored"] += 1
            told["recalled"] += sum(hit.is_known for hit in memory.recall("shared 기억", limit=2, explain=True).hits)
        except Exception as error:
            told["errors"].append(repr(error))
print(json.dumps(told))
"""


@pytest.mark.slow
def test_eight_processes_write_and_recall(tmp_path):
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None) as memory:
        shared = [memory.store("shared 기억 하나").id, memory.store("shared 기억 둘").id]
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, path, str(number), str(SECONDS)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for number in range(PROCESSES)
    ]  # fmt: skip
    told = []
    for worker in workers:  # all start together
        worker.stdin.write("go\n")
        worker.stdin.flush()
    for worker in workers:
        said, complaints = worker.communicate(timeout=SECONDS + 120)
        assert worker.returncode == 0, complaints
        assert "locked" not in complaints
        told.append(json.loads(said))
    assert [entry["errors"] for entry in told] == [[]] * PROCESSES
    with CelestialMemory(path, rebalance_interval=None) as memory:
        assert sum(memory.get(item_id).recall_count for item_id in shared) == sum(e["recalled"] for e in told)
        assert memory.stats()["total"] == 2 + sum(entry["stored"] for entry in told)
        assert memory.maintenance.check() == []
        assert min(entry["stored"] for entry in told) > 0, "nobody starves"


@pytest.mark.slow
def test_many_processes_create_one_database(tmp_path):
    """First opening is a race too: the file is made once, by whoever is first."""
    path = str(tmp_path / "m.db")
    script = (
        "import sys; from celestial_engine import CelestialMemory\n"
        "with CelestialMemory(sys.argv[1], rebalance_interval=None) as m: m.store(sys.argv[2])"
    )
    workers = [
        subprocess.Popen([sys.executable, "-c", script, path, f"from {n}"], stderr=subprocess.PIPE, text=True)
        for n in range(6)
    ]
    for worker in workers:
        _, complaints = worker.communicate(timeout=60)
        assert worker.returncode == 0, complaints
    with CelestialMemory(path, rebalance_interval=None) as memory:
        assert memory.stats()["total"] == 6
        assert memory.maintenance.check() == []


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_has_connections_of_its_own(tmp_path):
    """Child and parent go on with the same engine object, and neither hurts the other."""
    path = str(tmp_path / "m.db")
    script = f"""
import os
from celestial_engine import CelestialMemory
memory = CelestialMemory({path!r}, rebalance_interval=None)
memory.store("parent before")
pid = os.fork()
if pid == 0:
    memory.store("child")
    os._exit(0)
_, status = os.waitpid(pid, 0)
assert status == 0, status
memory.store("parent after")
memory.close()
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
    with CelestialMemory(path, rebalance_interval=None) as memory:
        assert sorted(item.content for item in memory.list()) == ["child", "parent after", "parent before"]
        assert memory.maintenance.check() == []


FIRST_USE = """
import sys, threading
from celestial_engine import CelestialMemory

sys.setswitchinterval(1e-5)
failures = []
with CelestialMemory(sys.argv[1], embedder="none", rebalance_interval=None) as memory:
    start = threading.Barrier(8)

    def use(number):
        start.wait()
        try:
            item = memory.store(f"number {number} lives in Seoul")
            memory.recall("Seoul")
            memory.forget(item.id)
            memory.restore(item.id)
        except Exception as error:
            failures.append(repr(error))

    threads = [threading.Thread(target=use, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print(failures)
"""


def test_the_first_use_may_be_by_many_threads_at_once(tmp_path):
    """Stages are loaded when they are first used; whoever comes while another loads one waits for it."""
    for attempt in range(3):
        done = subprocess.run(
            [sys.executable, "-c", FIRST_USE, str(tmp_path / f"{attempt}.db")],
            capture_output=True, text=True, check=True, timeout=120,
        )  # fmt: skip
        assert done.stdout.strip() == "[]", done.stdout
