"""Three devices in processes of their own, killed at any moment: no acknowledged store is lost, and all become equal."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.integration.sync.conftest import contents

from celestial_engine import CelestialMemory

DEVICES = ("laptop", "phone", "desk")
# Stores, edits, recalls and exchanges for ever; prints an id only after the store has returned.
WORKER = """
import random, sys
from celestial_engine import CelestialMemory
path, folder, seed = sys.argv[1:4]
random.seed(seed)
memory = CelestialMemory(path, rebalance_interval=None)
memory.sync.with_folder(folder, passphrase="blue moon")  # loads what the first one loads
print("ready", flush=True)
ids = []
for n in range(10**9):
    item = memory.store(f"device {seed} note {n}")
    ids.append(item.id)
    print("stored", item.id, flush=True)
    if n % 3 == 0:
        memory.update(random.choice(ids), content=f"device {seed} note {n} again")
    if n % 4 == 0:
        memory.recall("note", limit=3)
    memory.sync.with_folder(folder, passphrase="blue moon")
"""


def started(path: Path, folder: Path, seed: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WORKER, str(path), str(folder), seed]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_three_processes_that_are_killed_end_with_equal_memories(tmp_path: Path) -> None:
    dice, stored, folder = random.Random(7), set[str](), tmp_path / "shared"
    for number in range(6):
        workers = [started(tmp_path / f"{name}.db", folder, f"{name}{number}") for name in DEVICES]
        for worker in workers:
            assert worker.stdout is not None
            assert worker.stdout.readline().strip() == "ready"
        time.sleep(dice.uniform(1.5, 4.0))
        for worker in workers:
            worker.kill()  # SIGKILL
        for worker in workers:
            output, errors = worker.communicate()
            assert not errors, errors
            lines = output.splitlines(keepends=True)
            stored |= {line.split()[1] for line in lines if line.startswith("stored ") and line.endswith("\n")}
    memories = [CelestialMemory(tmp_path / f"{name}.db", rebalance_interval=None) for name in DEVICES]
    for _ in range(4):
        for memory in memories:
            report = memory.sync.with_folder(str(folder), passphrase="blue moon")
            assert report.problems == report.waiting == ()
    first, second, third = (contents(memory) for memory in memories)
    assert len(stored) > 10
    assert stored <= set(first)
    assert first == second == third
    for memory in memories:
        assert memory.ledger.verify().ok
        assert list(memory.maintenance.check()) == []
        memory.close()
