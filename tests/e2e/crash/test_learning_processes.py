"""Several processes learn on one file: no lesson is lost, and a kill leaves a whole version."""

from __future__ import annotations

import subprocess
import sys
from collections import deque

import pytest

from celestial_engine import CelestialMemory, ReadingSettings, Settings, StorageSettings
from celestial_engine.core.record.reading import Reading

PROCESSES, TURNS = 3, 15

WORKER = """
import sys
from celestial_engine import CelestialMemory, ReadingSettings, Settings, StorageSettings
from celestial_engine.core.record.reading import Reading
path, number, turns = sys.argv[1], sys.argv[2], int(sys.argv[3])
unsure = ReadingSettings(reader=lambda text, previous: Reading(keep=0.5))  # what is sure is not learned
settings = Settings(StorageSettings(ledger_path="none"), reading=unsure)
with CelestialMemory(path, rebalance_interval=None, settings=settings) as memory:
    sys.stdin.readline()
    for turn in range(turns):
        said = memory.observe(f"I like tea {number} {turn}", session_id=f"{number}-{turn}")
        assert said.problem is None, said.problem
        assert memory.feedback(said.decision.turn_id, reward=1.0).credited
        print(turn, flush=True)
"""


# Somebody who wants no talk of servers kept, and says so in words.
CRITIC = """
import sys
from celestial_engine import CelestialMemory, ReadingSettings, Settings, StorageSettings
from celestial_engine.core.record.reading import Reading
path, unsure = sys.argv[1], ReadingSettings(reader=lambda text, previous: Reading(keep=0.5))
settings = Settings(StorageSettings(ledger_path="none"), reading=unsure)
with CelestialMemory(path, rebalance_interval=None, settings=settings) as memory:
    sys.stdin.readline()
    opening = ""
    for turn in range(10_000):
        said = memory.observe(f"{opening}The build of server {turn} fails after update {turn * 7}.", session_id="s")
        assert said.problem is None, said.problem
        opening = "Exactly. " if said.decision.action.value == "skip" else "That's wrong. "
        print(said.decision.reason.value, said.decision.action.value, flush=True)
"""
UNWANTED = "The deploy of the parser takes 12 seconds"
# Everything is read as neither surely worth keeping nor surely not; the rules would keep it.
UNSURE = Settings(
    storage=StorageSettings(ledger_path="none"),
    reading=ReadingSettings(reader=lambda text, previous: Reading(keep=0.5)),
)


def started(path: str, number: int, turns: int, worker: str = WORKER) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", worker, path, str(number), str(turns)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def go(worker: subprocess.Popen[str]) -> None:
    worker.stdin.write("go\n")
    worker.stdin.flush()


@pytest.mark.slow
def test_processes_learn_together(tmp_path):
    path = str(tmp_path / "m.db")
    with CelestialMemory(
        path, rebalance_interval=None, settings=Settings(storage=StorageSettings(ledger_path="none"))
    ) as memory:
        memory.store("a beginning")
        workers = [started(path, number, TURNS) for number in range(PROCESSES)]
        for worker in workers:
            go(worker)
        for worker in workers:
            _, complaints = worker.communicate(timeout=120)
            assert worker.returncode == 0, complaints
        status = memory.policy.status()  # of others' lessons, without opening again
        assert status.rewards == PROCESSES * TURNS
        assert 0 < status.updates <= PROCESSES * TURNS  # exams are no lessons
        assert status.damaged == ()


@pytest.mark.slow
def test_a_kill_while_learning_leaves_a_whole_version(tmp_path):
    path = str(tmp_path / "m.db")
    worker = started(path, 0, 10_000)
    go(worker)
    told = [worker.stdout.readline() for _ in range(8)]
    worker.kill()
    rest, _ = worker.communicate(timeout=60)
    told += rest.splitlines()
    with CelestialMemory(
        path, rebalance_interval=None, settings=Settings(storage=StorageSettings(ledger_path="none"))
    ) as memory:
        status = memory.policy.status()
        assert status.damaged == ()
        assert status.rewards >= len(told)
        assert memory.feedback(reward=1.0).turn_id
        assert list(memory.maintenance.check()) == []


@pytest.mark.slow
def test_what_was_learned_outlives_a_kill(tmp_path):
    """By behaviour: whoever opens the file after kill -9 decides as the user taught the one that was killed."""
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None, settings=UNSURE) as memory:
        assert {memory.decide(UNWANTED).action.value for _ in range(30)} == {"save"}
    worker = started(path, 0, 0, CRITIC)
    go(worker)
    last: deque[str] = deque(maxlen=20)
    while last.count("learned skip\n") < 16:
        last.append(worker.stdout.readline())
        assert last[-1], worker.stderr.read()
    worker.kill()
    worker.communicate(timeout=60)
    for _ in range(2):  # and opened once more
        with CelestialMemory(path, rebalance_interval=None, settings=UNSURE) as memory:
            decided = [memory.decide(UNWANTED).action.value for _ in range(400)]
            assert decided.count("skip") > 250  # rules would save it every time
            assert memory.policy.status().damaged == ()
            assert list(memory.maintenance.check()) == []
