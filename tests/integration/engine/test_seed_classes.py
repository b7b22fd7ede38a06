"""The thin public classes, used without the facade."""

from __future__ import annotations

import celestial_engine
from celestial_engine import (
    CelestialItem,
    Rebalancer,
    ZoneManager,
)
from celestial_engine.testing.fakes import FakeClock


def test_zone_manager_by_hand():
    with ZoneManager() as zones:
        items = [CelestialItem.create(f"memory {n}", importance=n / 30) for n in range(25)]
        for item in items:
            zones.place(item, 0)
        assert zones.stats()[0] == (20, 20)
        assert zones.stats()[1] == (5, 100)
        lowest = min(items, key=lambda item: item.arbitrary_importance)
        assert zones.move(lowest.id, 1, 3)
        assert not zones.move(lowest.id, 1, 3), "it is not there any more"
        assert not zones.move("nobody", 0, 1)
        assert len(zones.get_all_items()) == 25
        assert [item.content for item in zones.search("memory 7", limit=1)] == ["memory 7"]
        assert zones.enforce_capacity() == 0
        last = CelestialItem.create("old", importance=0.0)
        last.last_recalled_at -= 100 * 86_400
        zones.place(last, 4)
        assert zones.forget_stale(90 * 86_400, last.created_at) == 1


def test_zone_storages_by_hand(tmp_path):
    storage = celestial_engine.SqliteStorage(str(tmp_path / "m.db"), 3)
    try:
        item = CelestialItem.create("커피", importance=0.5)
        storage.store(item)
        assert storage.get(item.id).content == "커피"
        assert storage.count() == 1
        assert [hit.id for hit in storage.search("커피")] == [item.id]
        assert storage.get_lowest_score_item().id == item.id
        assert storage.remove(item.id)
        assert not storage.remove(item.id)
        assert storage.get_all() == []
        assert storage.get_lowest_score_item() is None
    finally:
        storage.close()
    ram = celestial_engine.InMemoryStorage()
    ram.store(CelestialItem.create("x"))
    assert ram.count() == 1
    ram.close()


def test_rebalancer_by_hand():
    clock = FakeClock()
    with ZoneManager(clock=clock) as zones:
        item = CelestialItem.create("x", importance=0.5)
        item.created_at = item.last_recalled_at = clock.now
        zones.place(item, 2)
        rebalancer = Rebalancer(zones.law().function, zones)
        result = rebalancer.rebalance(clock.now + 2 * 86_400)
        assert (result.moved, result.total_items) == (1, 1)
        assert zones.stats()[4][0] == 1
