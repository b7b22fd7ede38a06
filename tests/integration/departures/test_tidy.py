"""What was purged is gone from the files, to the last byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.testing.fakes import FakeClock

pytestmark = pytest.mark.usefixtures("calendar_time")  # their owners do nothing for weeks

SECRET_WORD = "zanzibarquay"


def files_with(folder: Path, word: str) -> list[str]:
    return sorted(file.name for file in folder.rglob("*") if file.is_file() and word.encode() in file.read_bytes())


@pytest.fixture
def forgotten(tmp_path: Path, clock: FakeClock) -> Path:
    """A memory with a word that nobody else has, at the end of its seven days on the cliff."""
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None, clock=clock) as memory:
        memory.store_many([f"an ordinary note number {number}" for number in range(300)])
        memory.forget(memory.store(f"the harbour of {SECRET_WORD} is closed").id)
        memory.store_many([f"another ordinary note number {number}" for number in range(300)])
    clock.advance(days=8)
    return tmp_path


def test_a_night_leaves_nothing_of_what_was_purged(forgotten, clock):
    """No text, and no word in the index, once the database is closed."""
    assert files_with(forgotten, SECRET_WORD) == ["m.db"]
    with CelestialMemory(forgotten / "m.db", rebalance_interval=None, clock=clock) as memory:
        assert memory.sleep().count("purged") == 1
        assert memory.maintenance.check() == []
    assert files_with(forgotten, SECRET_WORD) == []


def test_who_was_purged_by_day_is_tidied_away_by_night(forgotten, clock):
    """The rebalance that purges may run long before the night that tidies."""
    with CelestialMemory(forgotten / "m.db", rebalance_interval=None, clock=clock) as memory:
        memory.sleep(duties=["tidy"])
        clock.advance(hours=1)
        memory.rebalance()
        clock.advance(days=1)
        memory.sleep()
    assert files_with(forgotten, SECRET_WORD) == []
