"""kill -9 in the middle of a run: everything that was answered is stored, and the run goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from celestial_engine import CelestialMemory, ItemFilter, PersonaRegistry

REGISTRY = {
    "cycle": ["thesis", "antithesis", "synthesis"],
    "backends": {"fn": {"type": "function", "function": "answer"}},
    "personas": [{"id": name, "backend": "fn"} for name in ("thesis", "antithesis", "synthesis")],
}
RUN = f"""
import sys, time
from celestial_engine import CelestialMemory, PersonaRegistry
def answer(prompt):
    time.sleep(0.03)
    return "an answer"
memory = CelestialMemory(sys.argv[1], rebalance_interval=None)
print("ready", flush=True)
registry = PersonaRegistry.read({REGISTRY!r})
for event in memory.personas.stream("The sea", depth=10, registry=registry, functions={{"answer": answer}}):
    if event.kind == "answered":
        print(event.answer.sequence, flush=True)
"""


@pytest.mark.parametrize("answers", [1, 4, 8])
def test_a_killed_run_is_resumed(tmp_path, answers):
    path = str(tmp_path / "m.db")
    process = subprocess.Popen([sys.executable, "-c", RUN, path], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    for _ in range(answers):
        told = int(process.stdout.readline())
    time.sleep(0.01 * answers)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    with CelestialMemory(path, rebalance_interval=None) as memory:
        (summary,) = memory.personas.runs()
        assert told <= summary.answers < 30
        asked = []
        run = memory.personas.resume(
            summary.session_id,
            registry=PersonaRegistry.read(REGISTRY),
            functions={"answer": lambda prompt: asked.append(prompt) or "another answer"},
        )
        assert len(asked) == 30 - summary.answers
        items = memory.list(100, where=ItemFilter(session_id=run.session_id))
        assert sorted(item.time.sequence for item in items) == list(range(31))
        events = [event.name for event in memory.ledger.history(limit=1000) if event.session_id == run.session_id]
        assert events.count("persona_response") == 30
        assert events.count("rune_report") == 10
        assert memory.ledger.verify().ok
