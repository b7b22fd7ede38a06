"""The thin public classes, used without the facade."""

from __future__ import annotations

import math
from importlib import import_module

import pytest

import celestial_engine
from celestial_engine import (
    CelestialItem,
    Rebalancer,
    ZoneConfig,
    ZoneManager,
)
from celestial_engine.errors import InvalidInputError
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


def test_a_memory_is_placed_with_the_score_it_is_given():
    """A full zone sends away the lowest of the given scores, and keeps them until somebody computes them again."""
    config = [ZoneConfig(0, "core", 2, 0.5), ZoneConfig(1, "belt", None, -math.inf, 0.5)]
    clock = FakeClock()
    with ZoneManager(config, clock=clock) as zones:
        placed = {}
        for score in (0.9, 0.6, 0.8):
            item = CelestialItem.create(f"scored {score}", importance=0.5)
            item.created_at = item.last_recalled_at = clock.now
            zones.place(item, 0, score)
            placed[score] = item
        assert zones.stats() == {0: (2, 2), 1: (1, None)}
        held = {item.id: (item.zone, round(item.total_score, 6)) for item in zones.get_all_items()}
        assert held == {placed[0.9].id: (0, 0.9), placed[0.8].id: (0, 0.8), placed[0.6].id: (1, 0.6)}
        assert (placed[0.9].zone, placed[0.9].total_score) == (0, 0.9)
        # one that comes in lower than the others goes outward itself, one that comes back higher displaces
        assert zones.move(placed[0.6].id, 1, 0, 0.85)
        assert {item.id for item in zones.get_all_items() if item.zone == 0} == {placed[0.9].id, placed[0.6].id}
        with pytest.raises(InvalidInputError, match="score"):
            zones.place(placed[0.9], 0, float("nan"))
        Rebalancer(zones.law().function, zones).rebalance(clock.now + 60)
        assert {round(item.total_score, 2) for item in zones.get_all_items()} == {0.12}


def test_the_storage_of_a_zone_knows_the_scores_of_its_memories():
    storage = celestial_engine.InMemoryStorage(3)
    for score in (0.05, -0.05, 0.01):
        item = CelestialItem.create(f"scored {score}", importance=1.0)
        item.total_score = score
        storage.store(item)
    assert storage.get_lowest_score_item().content == "scored -0.05"
    storage.close()


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


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("models", ("CelestialItem", "ScoreBreakdown", "ZoneConfig", "RebalanceResult")),
        ("memory_function", ("CelestialMemoryFunction", "MemoryFunctionConfig")),
        ("zones", ("DEFAULT_ZONES", "ZoneConfig")),
        ("zone_manager", ("ZoneManager",)),
        ("rebalancer", ("Rebalancer",)),
        ("importance", ("ImportanceEvaluator", "DefaultEvaluator", "RuleBasedEvaluator", "LLMEvaluator")),
        ("storage", ("ZoneStorage",)),
        ("storage.base", ("ZoneStorage",)),
        ("storage.memory", ("InMemoryStorage",)),
        ("storage.sqlite", ("SqliteStorage",)),
        ("adapters.openai", ("OpenAIAdapter",)),
        ("adapters.anthropic", ("AnthropicAdapter",)),
    ],
)
def test_the_modules_of_the_original_design(module, names):
    """Each name is in the module where the design has it, and is the same object as in the package."""
    found = import_module(f"celestial_engine.{module}")
    for name in names:
        public = getattr(celestial_engine, name, None)
        assert getattr(found, name) is not None
        assert public is None or getattr(found, name) is public
    with pytest.raises(ImportError):
        exec(f"from celestial_engine.{module} import NothingOfThisName")
