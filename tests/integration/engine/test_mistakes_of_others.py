"""Mistakes seen in published memory systems of this kind, each one shown not to be ours."""

from __future__ import annotations

import math

import pytest

from celestial_engine import CelestialMemory, CelestialMemoryFunction
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.errors import InvalidImportanceError, NotFoundError
from celestial_engine.testing.fakes import FakeClock, bag_of_words

DAY = 86_400.0


def open_at(path, clock, **more):
    return CelestialMemory(str(path), rebalance_interval=None, clock=clock, **more)


def test_promoted_memories_survive_a_restart(tmp_path, clock):
    """The best memories lived in RAM; after a restart they were gone."""
    with open_at(tmp_path / "m.db", clock, embed_fn=bag_of_words) as memory:
        for n in range(40):
            memory.store(f"서울의 커피 가게 {n}", importance=1.0)
        for _ in range(60):
            memory.recall("서울의 커피 가게", limit=30)
        before = memory.stats()
        assert before["zones"][0]["count"] == 20, "Core is really filled"
        assert before["zones"][1]["count"] >= 10
    with open_at(tmp_path / "m.db", clock, embed_fn=bag_of_words) as memory:
        assert memory.stats() == before


def test_a_recall_that_moves_a_memory_counts(memory, clock):
    """The move re-read the row and lost the recall that had caused it."""
    item = memory.store("잊었던 기억", importance=0.5)
    clock.advance(days=3)
    memory.rebalance()
    assert memory.get(item.id).zone == 4
    (hit,) = memory.recall("잊었던 기억")
    again = memory.get(item.id)
    assert hit.zone == again.zone == 2
    assert hit.recall_count == again.recall_count == 1
    assert again.last_recalled_at == clock.now


def test_freshness_is_gone_in_days_not_in_years():
    """Freshness was off by a factor of a thousand."""
    fn = CelestialMemoryFunction()
    item = CelestialItem("m", "t", 0.0, 0.0)
    assert fn.calculate(item, DAY).freshness_score == pytest.approx(-0.95)


def test_a_million_recalls_do_not_break_the_scale():
    """R(10^6) was 2.0."""
    assert CelestialMemoryFunction().recall_score(10**6) < 1.0


def test_nan_is_not_one(memory):
    with pytest.raises(InvalidImportanceError):
        memory.store("x", importance=math.nan)


def test_a_question_of_several_words_finds(memory):
    """The whole question was searched as one substring."""
    memory.store("파이썬은 1991년에 만들어졌다", importance=0.8)
    assert [hit.content for hit in memory.recall("파이썬 역사")] == ["파이썬은 1991년에 만들어졌다"]


def test_percent_is_not_a_wildcard(memory):
    memory.store("alpha")
    assert memory.recall("%") == []
    assert memory.recall("_") == []


def test_vectors_find_in_every_zone(embedded, clock):
    """The search walked from the innermost zone outward and stopped at `limit`."""
    wanted = embedded.store("zebra giraffe elephant", importance=0.0)
    clock.advance(days=2)
    embedded.rebalance()
    assert embedded.get(wanted.id).zone == 4
    for n in range(60):
        embedded.store(f"meeting notes number {n}", importance=1.0)
    assert embedded.recall("an elephant and a giraffe", limit=5)[0].id == wanted.id


def test_hot_but_irrelevant_does_not_win(memory):
    hot = memory.store("회의는 매주 월요일이다", importance=1.0)
    for _ in range(50):
        memory.recall("회의 월요일")
    cold = memory.store("커피 원두는 에티오피아산이다", importance=0.0)
    hits = memory.recall("커피 원두 회의")
    assert [hit.id for hit in hits] == [cold.id, hot.id]


def test_users_do_not_meet(tmp_path, clock):
    """user_id was dropped on the way to the database: one user recalled and deleted another's memory."""
    with open_at(tmp_path / "m.db", clock) as memory:
        secret = memory.of("alice").store("앨리스의 비밀 일기")
        assert memory.of("bob").recall("비밀 일기") == []
        bob = memory.of("bob")
        for call in (bob.get, bob.forget, bob.pin, bob.explain, bob.browse.find_id):
            with pytest.raises(NotFoundError):
                call(secret.id)
        with pytest.raises(NotFoundError):
            memory.of("bob").update(secret.id, content="bob was here")
        assert memory.of("bob").list() == []
        assert list(memory.of("bob").transfer.export()) == []
        assert memory.of("bob").ledger.history() == []
        assert memory.of("bob").stats()["total"] == 0
        assert memory.of("alice").get(secret.id).recall_count == 0
    with open_at(tmp_path / "m.db", clock) as memory:
        assert memory.recall("비밀 일기") == []
        assert len(memory.of("alice").recall("비밀 일기")) == 1
        assert memory.of("alice", "another").recall("비밀 일기") == []


def test_a_rebalance_does_not_move_everybody_back_and_forth(memory, clock):
    """10,000 memories: 4,970 moves in every cycle, because evicted ones came straight back."""
    memory.store_many([f"memory {n}" for n in range(3000)], importance=0.9)
    assert memory.stats()["zones"][2]["count"] == 1000
    clock.advance(hours=3)
    memory.store_many([f"younger {n}" for n in range(500)], importance=0.9)
    memory.rebalance()
    assert memory.stats()["zones"][2]["count"] == 1000
    second = memory.rebalance()
    assert (second.moved, second.evicted, second.visited) == (0, 0, 0)


def test_core_is_not_a_vacuous_promise(embedded):
    """30 memories of importance 1.0 all landed in Outer, so the limit of Core was never tried."""
    for n in range(30):
        embedded.store(f"한강 공원 산책 {n}", importance=1.0)
    for _ in range(60):
        embedded.recall("한강 공원 산책", limit=30)
    zones = embedded.stats()["zones"]
    assert zones[0]["count"] == 20
    assert zones[1]["count"] == 10


def test_korean_has_importance(memory):
    """The rules gave every Korean text 0.0."""
    urgent = memory.store("내일까지 꼭 제출해야 해. 마감이 급하고 회의 일정도 중요해!")
    plain = memory.store("그냥 그런 날")
    assert urgent.importance_source == "rules"
    assert urgent.arbitrary_importance >= 0.45 > plain.arbitrary_importance


def test_store_then_stats_in_a_new_process_is_not_empty(tmp_path):
    """The command line forgot everything between two commands."""
    import subprocess
    import sys

    script = (
        "import sys; from celestial_engine import CelestialMemory\n"
        "with CelestialMemory(sys.argv[1], rebalance_interval=None) as m:\n"
        "    m.store('kept', importance=1.0)\n"
        "    for _ in range(30): m.recall('kept')\n"
        "    print(m.stats()['total'])\n"
    )
    counts = [
        subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / "m.db")],
            capture_output=True, text=True, check=True, timeout=60,
        ).stdout.strip()
        for _ in range(2)
    ]  # fmt: skip
    assert counts == ["1", "2"]


def test_a_fake_clock_is_the_only_clock():
    """No stage reads the real time behind the caller's back."""
    clock = FakeClock(1000.0)
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock) as memory:
        item = memory.store("x")
        clock.advance(days=1)
        memory.recall("x")
        memory.forget(item.id)
        times = [event.at for event in memory.ledger.history()]
        assert set(times) == {1000.0, 1000.0 + DAY}
