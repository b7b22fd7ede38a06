"""What is purged is gone: no byte of its text, its words or its vector is left in any file."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory, NightSettings, Settings
from celestial_engine.core.record.events import EventType
from celestial_engine.testing.fakes import FakeClock, bag_of_words

pytestmark = pytest.mark.usefixtures("calendar_time")  # their owners do nothing for weeks

SECRET = "quixotic zanzibar 무화과나무"
OTHERS = 60


def everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.fixture
def filled(tmp_path: Path, clock: FakeClock):
    with CelestialMemory(
        tmp_path / "m.db",
        rebalance_interval=None,
        clock=clock,
        embed_fn=bag_of_words,
        settings=Settings(night=NightSettings(enabled=False)),
    ) as memory:
        for number in range(OTHERS):
            memory.store(f"an ordinary memory, number {number}", pinned=True)
        yield memory


def test_no_byte_of_the_purged_is_left(filled, clock, tmp_path):
    """Text, older text, words and vector leave the database and its log; the others stay, and the ledger tells."""
    item = filled.store(f"{SECRET} first wording", tags=["quixotictag"])
    filled.update(item.id, content=f"{SECRET} second wording")
    vector = array("f", filled.get(item.id).embedding).tobytes()
    assert vector in everything(tmp_path)
    filled.forget(item.id)
    clock.advance(days=8)
    assert filled.rebalance().purged == 1
    assert filled.parts.store.sweep()
    left = everything(tmp_path)
    for trace in ("quixotic", "zanzibar", "무화과", "wording", "quixotictag"):
        assert trace.encode() not in left, trace
    assert vector not in left
    assert filled.ledger.history(item.id)[0].type is EventType.PURGED
    assert filled.stats()["total"] == OTHERS
    assert len(filled.search("ordinary memory number 7", 5)) == 5
    assert filled.maintenance.check() == []


def test_a_reader_holds_up_the_log_and_nothing_else(filled, clock):
    """Whoever reads meanwhile sees what it saw; the log is cut the next time."""
    filled.store("one more")
    with filled.parts.store.read() as reader:
        before = reader.orbits.count()
        filled.store("and one more")
        assert filled.parts.store.sweep() is False
        assert reader.orbits.count() == before
    assert filled.parts.store.sweep()


def test_what_is_only_on_the_cliff_is_still_there(filled):
    item = filled.store(SECRET)
    filled.forget(item.id)
    assert filled.parts.store.sweep()
    assert filled.restore(item.id).content == SECRET
    assert [hit.id for hit in filled.search("zanzibar", 1)] == [item.id]


def test_many_purges_are_many_transactions(memory, clock):
    """Whoever writes meanwhile does not wait for all of them."""
    for item in memory.store_many([f"note number {number}" for number in range(250)]):
        memory.forget(item.id)
    clock.advance(days=8)
    assert memory.sleep(duties=["rebalance"]).count("purged") == 250
    told = [
        event.detail.get("purged", 0)
        for event in memory.ledger.history(limit=1000)
        if event.type is EventType.REBALANCED
    ]
    assert (max(told), sum(told)) == (100, 250)
