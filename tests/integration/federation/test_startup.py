"""Who does not learn together pays nothing for it."""

from __future__ import annotations

import subprocess
import sys

LOOK = """
import sys
from celestial_engine import CelestialMemory
with CelestialMemory(":memory:", rebalance_interval=None, embedder="none") as memory:
    memory.store("Mina likes tea")
    memory.recall("tea")
print([name for name in sys.modules if "federation" in name or name.startswith(("cryptography", "uvicorn"))])
print("celestial_engine.core.learning.learned_policy" in sys.modules)
"""


def test_recall_loads_nothing_of_it():
    told = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\nFalse\n"
