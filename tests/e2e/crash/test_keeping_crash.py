"""Kill -9 in the middle of a backup, of archiving and of restoring: nothing is lost, nothing is half done."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory, RetentionPolicy
from celestial_engine.backups import restore_backup, verify_backup

BACKUPS = """
import sys
from celestial_engine import CelestialMemory
memory = CelestialMemory(sys.argv[1], rebalance_interval=None)
print("ready", flush=True)
for n in range(10**9):
    memory.store(f"meanwhile {n}", session_id="now")
    memory.transfer.backup(sys.argv[2], force=True)
"""

ARCHIVES = """
import sys, time
from celestial_engine import CelestialMemory
from celestial_engine.core.keeping.retention import RetentionPolicy
ahead = [0.0]
memory = CelestialMemory(sys.argv[1], rebalance_interval=None, clock=lambda: time.time() + ahead[0])
policy = RetentionPolicy(archive_after_days=30)
print("ready", flush=True)
for n in range(10**9):
    ahead[0] += 40 * 86400
    memory.departures.retain(policy)
    for view in memory.departures.archives()[:3]:
        memory.departures.bring_back(view.note.session_id)
"""

RESTORES = """
import sys
from celestial_engine.backups import restore_backup
print("ready", flush=True)
for n in range(10**9):
    restore_backup(sys.argv[2], sys.argv[1])
"""


def killed_after(script, seconds, *arguments):
    process = subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n", process.stderr.read()
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    _, complaints = process.communicate()
    assert process.returncode == -signal.SIGKILL, complaints


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None) as memory:
        for session in range(6):
            memory.store_many(
                [f"{session}-{n} 기억 " + "단어 word " * (n % 50) for n in range(60)], session_id=f"s{session}"
            )
    return path


def contents(path):
    with CelestialMemory(path, rebalance_interval=None) as memory:
        assert memory.maintenance.check() == []
        return {line["id"]: line["content"] for line in memory.transfer.export()}


def moved_both_ways(path):
    with CelestialMemory(path, rebalance_interval=None) as memory:
        return {"archived", "unarchived"} <= {event.type.value for event in memory.ledger.history(limit=100_000)}


@pytest.mark.slow
def test_killed_while_backing_up(path, tmp_path):
    """The database is sound, and the backup that was there is there, whole."""
    dice, target = random.Random(1), str(tmp_path / "backup.db")
    with CelestialMemory(path, rebalance_interval=None) as memory:
        memory.transfer.backup(target)
    before = contents(path)
    for number in range(32):
        if number >= 8 and len(contents(path)) > len(before):
            break  # a busy machine needs more rounds until something was written
        killed_after(BACKUPS, dice.uniform(0.01, 0.3) * (1 + number / 8), path, target)
        assert before.items() <= contents(path).items()
        assert verify_backup(target).memories >= len(before)
    assert len(contents(path)) > len(before)


@pytest.mark.slow
def test_killed_while_archiving_and_bringing_back(path):
    """Every memory has its text, in the database or in exactly one archive, and no file stays left over."""
    dice, before = random.Random(2), contents(path)
    for number in range(48):
        if number >= 12 and moved_both_ways(path):
            break  # a busy machine needs more rounds until something was archived and brought back
        killed_after(ARCHIVES, dice.uniform(0.01, 0.6) * (1 + number / 12), path)
        assert contents(path) == before
    assert moved_both_ways(path)
    with CelestialMemory(path, rebalance_interval=None) as memory:
        for view in memory.departures.archives():
            memory.departures.bring_back(view.note.session_id)
        assert memory.stats()["total"] == len(before)
        assert contents(path) == before
        memory.departures.retain(
            RetentionPolicy(max_sessions=1_000)
        )  # the next one ends what the last kill left half done
    folder = Path(f"{path}.archive")
    assert [file.name for file in folder.iterdir() if not file.name.startswith(".")] == []


@pytest.mark.slow
def test_killed_while_restoring(path, tmp_path):
    """The database is the one from before or the restored one."""
    dice, target = random.Random(3), str(tmp_path / "backup.db")
    with CelestialMemory(path, rebalance_interval=None) as memory:
        memory.transfer.backup(target)
        changed = memory.store("stored since the backup").id
    for _ in range(8):
        killed_after(RESTORES, dice.uniform(0.01, 0.4), path, target)
        found = contents(path)
        assert len(found) in (360, 361)
        assert (changed in found) == (len(found) == 361)
        restore_backup(target, path)
        assert len(contents(path)) == 360
        with CelestialMemory(path, rebalance_interval=None) as memory:
            changed = memory.store("stored since the backup").id
