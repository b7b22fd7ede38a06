"""The ledger under several processes, and under one that dies between the commit and the file."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory

EACH = 40

WRITER = """
import sys
from celestial_engine import CelestialMemory
path, name, each = sys.argv[1], sys.argv[2], int(sys.argv[3])
with CelestialMemory(path, rebalance_interval=None) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    for n in range(each):
        memory.store(f"{name} {n}")
        if n % 5 == 0:
            memory.recall(f"{name}")
"""

# Dies where it hurts most: the change is made, the file does not know of it.
DYING = """
import os, signal, sys
from celestial_engine import CelestialMemory
from celestial_engine.storage import ledger_files
memory = CelestialMemory(sys.argv[1], rebalance_interval=None)
memory.store("before")
where = sys.argv[2]
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
setattr(ledger_files if where == "_write_head" else ledger_files.LedgerFiles, where, die)
memory.store("committed and not mirrored")
"""


def lines_of(path) -> list[int]:
    files = sorted(Path(f"{path}.ledger").glob("*.jsonl"))
    return [json.loads(line)["seq"] for file in files for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
def test_processes_append_at_once(tmp_path):
    """One chain, whole, and every entry in the files exactly once and in order."""
    path = str(tmp_path / "m.db")
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, path, name, str(EACH)],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for name in ("alpha", "beta", "gamma")
    ]  # fmt: skip
    for writer in writers:
        assert writer.stdout.readline() == "ready\n", writer.stderr.read()
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        _, complaints = writer.communicate(timeout=120)
        assert (writer.returncode, complaints) == (0, "")
    with CelestialMemory(path, rebalance_interval=None) as memory:
        memory.store("the last one")
        found = memory.ledger.verify()
        assert found.ok
        assert (found.mirror.missing, found.mirror.unreadable) == (0, 0)
        assert lines_of(path) == list(range(1, found.entries + 1))
        assert found.entries > 3 * EACH


@pytest.mark.slow
@pytest.mark.parametrize("where", ["follow", "_append", "_write_head"])
def test_killed_between_commit_and_file(tmp_path, where):
    """What was committed is in the ledger; the next to write brings the files up to date."""
    path = str(tmp_path / "m.db")
    process = subprocess.run([sys.executable, "-c", DYING, path, where], capture_output=True, timeout=60)
    assert process.returncode == -signal.SIGKILL, process.stderr
    with CelestialMemory(path, rebalance_interval=None) as memory:
        found = memory.ledger.verify()
        assert (found.ok, found.entries) == (True, 2)
        assert found.mirror.missing == (0 if where == "_write_head" else 1)
        memory.store("another one")
        found = memory.ledger.verify()
        assert (found.ok, found.mirror.missing) == (True, 0)
    assert sorted(set(lines_of(path))) == [1, 2, 3]
