"""The law a memory lives by: its function, its zones, and what happens when another one comes."""

from __future__ import annotations

from celestial_engine import CelestialMemory, MemoryFunctionConfig, State, ZoneConfig
from celestial_engine.testing.fakes import bag_of_words


def test_other_settings_place_everybody_anew(tmp_path, clock):
    """Stored courses belong to a memory function; with another one they are all worked out again."""
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as memory:
        items = [memory.store(f"memory {n}", importance=n / 10) for n in range(11)]
    config = MemoryFunctionConfig(w_arbitrary=0.9, w_recall=0.05)
    with CelestialMemory(path, memory_fn_config=config, rebalance_interval=None, clock=clock) as memory:
        memory.rebalance()
        assert [memory.get(item.id).zone for item in items] == [3, 3, 2, 2, 1, 1, 0, 0, 0, 0, 0]
        assert memory.rebalance().visited == 0
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as memory:
        assert memory.rebalance().visited == 0, "who says nothing lives by the law that is there"
        assert memory.explain(items[0].id).config == config
    default = MemoryFunctionConfig()
    with CelestialMemory(path, memory_fn_config=default, rebalance_interval=None, clock=clock) as memory:
        memory.rebalance()
        assert {memory.get(item.id).zone for item in items} == {2, 3}
        assert [event.type.value for event in memory.ledger.history() if event.item_id is None][-1] == "law_changed"


def test_a_look_with_other_settings_harms_nobody(tmp_path, clock):
    """An application that never forgets and has zones of its own; somebody opens its file with the defaults."""
    path = str(tmp_path / "m.db")
    zones = [ZoneConfig(0, "here", 2, 0.0), ZoneConfig(1, "there", None, float("-inf"))]
    with CelestialMemory(path, zones, auto_forget_days=None, rebalance_interval=None, clock=clock) as app:
        items = [app.store(f"memory {n}", importance=0.5) for n in range(6)]
        clock.advance(days=200)
        with CelestialMemory(path, rebalance_interval=None, clock=clock) as visitor:
            visitor.rebalance()
            assert visitor.stats()["total"] == 6
            assert len(visitor.stats()["zones"]) == 2
        assert app.stats()["total"] == 6
        assert all(app.get(item.id).state is State.ACTIVE for item in items)


def test_a_law_that_changes_under_a_running_engine_is_obeyed(tmp_path, clock):
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as first:
        first.store("x", importance=0.2)
        with CelestialMemory(path, auto_forget_days=None, rebalance_interval=None, clock=clock):
            pass
        clock.advance(days=300)
        assert first.rebalance().forgotten == 0


def test_own_zones(clock):
    zones = [ZoneConfig(0, "here", 2, 0.0), ZoneConfig(1, "there", None, float("-inf"))]
    with CelestialMemory(":memory:", zones=zones, rebalance_interval=None, clock=clock) as memory:
        for n in range(5):
            memory.store(f"memory {n}", importance=n / 10)
        assert sorted(item.content for item in memory.list(zone=0)) == ["memory 3", "memory 4"]


def test_who_had_to_make_room_is_told(clock):
    zones = [ZoneConfig(0, "here", 1, 0.0), ZoneConfig(1, "there", None, float("-inf"))]
    with CelestialMemory(":memory:", zones=zones, rebalance_interval=None, clock=clock) as memory:
        alpha = memory.store("alpha", importance=0.5)
        beta = memory.store("beta", importance=0.9)
        moved = memory.ledger.history(alpha.id)[0]
        assert (moved.type.value, moved.detail) == ("moved", {"zone": 1, "by": beta.id})


def test_context_pulls_toward_core_and_lets_go(clock):
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, embed_fn=bag_of_words) as memory:
        item = memory.store("한강 공원 산책", importance=1.0)
        for _ in range(20):
            memory.recall("한강 공원 산책")
        assert memory.get(item.id).zone == 0
        clock.advance(minutes=30)
        memory.rebalance()
        assert memory.get(item.id).zone == 1
