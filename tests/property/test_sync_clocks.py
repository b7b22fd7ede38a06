"""Three devices, each with a clock that may be wrong by years and be set right or wrong at any moment."""

from __future__ import annotations

import shutil
import tempfile
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.integration.sync.conftest import Clock, contents
from tests.property.test_sync import ACTIONS, World

from celestial_engine import CelestialMemory

YEAR = 365 * 86_400.0
WRONG_BY = (-30 * YEAR, -YEAR, 0.0, YEAR, 30 * YEAR)
STEP = st.tuples(
    st.sampled_from((*ACTIONS, "clock", "sleep")), st.integers(0, 2), st.integers(0, 7), st.integers(0, 4)
)


class WrongClock:
    def __init__(self, right: Clock, wrong_by: float) -> None:
        self.right, self.wrong_by = right, wrong_by

    def __call__(self) -> float:
        return self.right() + self.wrong_by


def without_recall_time(memory: CelestialMemory) -> dict[str, dict[str, Any]]:
    """When it was recalled is not told to a device whose clock has not come so far."""
    found = contents(memory)
    for record in found.values():
        record.pop("last_recalled_at")
    return found


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.sampled_from(WRONG_BY), min_size=3, max_size=3), st.lists(STEP, min_size=4, max_size=20))
def test_wrong_clocks_lose_nothing_and_keep_no_two_devices_apart(
    wrong_by: list[float], taken: list[tuple[str, int, int, int]]
) -> None:
    right = Clock()
    clocks = [WrongClock(right, seconds) for seconds in wrong_by]
    memories = [
        CelestialMemory(":memory:", rebalance_interval=None, clock=clock, embedder="none") for clock in clocks
    ]
    now = World(memories, tempfile.mkdtemp(prefix="sync-"), right)
    for action, who, which, number in taken:
        if action == "clock":
            clocks[who].wrong_by = WRONG_BY[number]
        elif action == "sleep":  # what it forgets, it must not forget: hardly an hour has passed
            memories[who].rebalance()
            memories[who].sleep(duties=["expire", "fade"], force=True)
        else:
            now.act(action, who, which, number)
    now.settle()
    first, second, third = (without_recall_time(memory) for memory in memories)
    assert first == second == third
    for item_id in now.stored:
        assert item_id in now.erased or first[item_id]["state"] == "active", "a clock has taken it"
    for memory in memories:
        assert memory.ledger.verify().ok
        memory.close()
    shutil.rmtree(now.folder)
