"""Islands: they shake, collapse, are rebuilt, and grow by what is recalled."""

from __future__ import annotations

import pytest

from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.self.islands import Island, IslandStatus
from celestial_engine.core.self.reflection import island_for
from celestial_engine.errors import ProtectedError

NAMED = "민지가 나에게 별이라는 이름을 지어줬다"


def test_an_island_shakes_collapses_and_is_rebuilt(memory, word, core, clock):
    """What deleting would shake is shown before; a collapsed island and its beliefs leave behaviour."""
    (founder,) = core("민지가 나에게 별이라는 이름을 지어줬다")
    word(memory.self.propose.island("민지와의 유대", [founder], emoji="🏠", by="민지"))
    island = memory.self.islands()[0]
    word(memory.self.propose.belief("나는 별이다", [founder], island=island.id, by="민지"))
    clock.advance(days=2)
    assert [one.id for one in memory.self.shaken_by(founder).islands] == [island.id]
    with pytest.raises(ProtectedError):
        memory.forget(founder)
    proposal = memory.self.propose.core_deletion(founder, by="민지")
    assert proposal.reasons["shakes_islands"] == [island.id]
    word(proposal)
    assert memory.self.islands()[0].status is IslandStatus.SHAKING
    assert memory.ledger.notices()[-1].detail["notice"] in ("island_shaking", "belief_lost_support")
    assert "island_shaking" in {event.detail["notice"] for event in memory.ledger.notices()}
    assert memory.self.beliefs()[0].confidence == pytest.approx(0.55)
    assert "민지와의 유대" in memory.self.context()
    clock.advance(days=6.9)
    memory.sleep(duties=["reflect"])
    assert memory.self.islands()[0].status is IslandStatus.SHAKING
    clock.advance(days=1)
    memory.sleep(duties=["reflect", "rebalance"])
    assert memory.self.islands()[0].status is IslandStatus.COLLAPSED
    assert memory.self.context() == ""
    for n, text in enumerate(
        ("민지가 별이라는 이름을 다시 불러 줬다", "별이라는 이름이 예쁘다고 했다", "이름을 또 불렀다"), 1
    ):
        (new,) = core(text)
        clock.advance(days=1)
        memory.sleep(duties=["reflect"])
        assert new in memory.self.islands()[0].founders
        expected = IslandStatus.REBUILDING if n < 3 else IslandStatus.ACTIVE
        assert memory.self.islands()[0].status is expected
    assert "민지와의 유대" in memory.self.context()


def test_a_changed_core_memory_makes_what_stands_on_it_less_sure(memory, word, core, clock):
    """By approval alone, with a notice."""
    (founder,) = core(NAMED)
    word(memory.self.propose.island("유대", [founder], by="민지"))
    word(memory.self.propose.belief("나는 별이다", [founder], by="민지"))
    clock.advance(days=2)
    word(memory.self.propose.core_change(founder, "민지가 나에게 달이라는 이름을 지어줬다", by="민지"))
    item = memory.get(founder)
    assert (item.content, item.tier, item.protection.value) == (
        "민지가 나에게 달이라는 이름을 지어줬다",
        Tier.M0,
        "core",
    )
    assert [hit.id for hit in memory.search("달이라는 이름")] == [founder]
    assert memory.self.beliefs()[0].confidence == pytest.approx(0.55)
    assert {event.detail["notice"] for event in memory.ledger.notices()} == {"founder_changed", "belief_lost_support"}


def test_strength_grows_by_recall_and_falls_without(memory, word, core, clock):
    """Never above 1, never below a tenth."""
    (founder,) = core(NAMED)
    word(memory.self.propose.island("유대", [founder], by="민지"))
    for _ in range(20):
        memory.remind(founder)
    memory.sleep(duties=["reflect"])
    strong = memory.self.islands()[0].strength
    assert 0.75 < strong < 1.0
    clock.advance(days=90)
    memory.sleep(duties=["reflect"])
    assert memory.self.islands()[0].strength == pytest.approx(strong / 2, rel=0.01)
    clock.advance(days=4000)
    memory.sleep(duties=["reflect"])
    assert memory.self.islands()[0].strength == pytest.approx(0.1)


def test_a_word_of_any_memory_is_no_reason_to_be_of_one_island():
    cello = Island("i-1", "첼로", "🎻", "", ("m1",), 0.0, topics=("첼로", "기억"))
    assert island_for(["기억", "두부"], [cello]) is None
    assert island_for(["기억", "첼로"], [cello]) == cello
