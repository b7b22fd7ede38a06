"""Kill -9 at random moments: what was acknowledged is there, and the database is sound."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from celestial_engine import CelestialMemory

WRITERS = "ab"

# Stores, recalls, updates, deletes and rebalances for ever; prints an id only after the call has returned.
WRITER = """
import random, sys
from celestial_engine import CelestialMemory, Settings, StorageSettings
path, durability, number = sys.argv[1:4]
random.seed(number)
memory = CelestialMemory(path, rebalance_interval=0.05, settings=Settings(StorageSettings(durability)))
memory.store("기억 zero")  # loads what the first one loads
print("ready", flush=True)
ids = []
for n in range(10**9):
    item = memory.store(f"writer {number} 기억 {n} " + "단어 word " * random.randint(0, 200), importance=random.random())
    print("stored", item.id, flush=True)
    ids.append(item.id)
    if n % 3 == 0:
        memory.recall(f"기억 {random.randint(0, n)}", limit=3)
    if n % 5 == 0:
        memory.update(random.choice(ids[-5:]), metadata={"n": n})
    if n % 7 == 6:
        gone = ids.pop(random.randrange(len(ids)))
        memory.forget(gone)
        print("deleted", gone, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("durability", "rounds"), [("full", 50), ("normal", 20)])
def test_acknowledged_memories_survive_sigkill(tmp_path, durability, rounds):
    path = str(tmp_path / "m.db")
    dice = random.Random(2024)
    stored: set[str] = set()
    deleted: set[str] = set()
    for number in range(4 * rounds):
        if number >= rounds and len(stored) > rounds:
            break  # a busy machine needs more rounds until enough was written
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, path, durability, f"{number}{letter}"],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            for letter in WRITERS
        ]  # fmt: skip
        for writer in writers:
            assert writer.stdout.readline() == "ready\n", writer.stderr.read()
        time.sleep(dice.uniform(0.005, 0.25))
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
        for writer in writers:
            said, complaints = writer.communicate()
            assert writer.returncode == -signal.SIGKILL, complaints
            # The last line may be torn: that call had returned, but nobody was told.
            for line in said.splitlines(keepends=True):
                kind, _, item_id = line.rstrip("\n").partition(" ")
                if line.endswith("\n"):
                    (stored if kind == "stored" else deleted).add(item_id)
        check(path, stored, deleted)
    assert len(stored) > rounds


def check(path, stored, deleted):
    with CelestialMemory(path, rebalance_interval=None) as memory:
        assert memory.maintenance.check() == []
        kept = {line["id"] for line in memory.transfer.export()}
        assert stored <= kept, "acknowledged and lost"
        on_the_cliff = {item.id for item in memory.departures.cliff(100_000)}
        assert deleted <= on_the_cliff
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    without = db.execute(
        "SELECT count(*) FROM items WHERE id NOT IN (SELECT item_id FROM ledger WHERE type = 'stored')"
    ).fetchone()
    assert without == (0,), "a memory without its ledger row"
    db.close()
