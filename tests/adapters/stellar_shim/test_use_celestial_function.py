"""stellar-memory's own class with our memory function, and what it exports coming over to the shim."""

from __future__ import annotations

import json
import shutil
import sys
import time

import pytest

from celestial_engine import CelestialMemoryFunction, MemoryFunctionConfig
from celestial_engine.compat.stellar import StellarConfig, StellarMemory, use_celestial_function
from celestial_engine.compat.stellar.memory_function import MemoryFunction
from celestial_engine.errors import InvalidInputError

DAY = 86_400.0


@pytest.fixture
def theirs(stellar_source, tmp_path, monkeypatch):
    """The real package, without the `celestial_engine` that its distribution also brings."""
    shutil.copytree(stellar_source / "stellar_memory", tmp_path / "lib" / "stellar_memory")
    monkeypatch.syspath_prepend(tmp_path / "lib")
    monkeypatch.chdir(tmp_path)  # its feedback database and event log lie where it stands
    import stellar_memory

    yield stellar_memory
    for name in [name for name in sys.modules if name.split(".")[0] == "stellar_memory"]:
        del sys.modules[name]


@pytest.fixture
def memory(theirs):
    from stellar_memory.config import EventLoggerConfig, TunerConfig

    config = theirs.StellarConfig(
        db_path=":memory:",
        event_logger=EventLoggerConfig(enabled=False),
        tuner=TunerConfig(enabled=False),
    )
    stellar = theirs.StellarMemory(config)
    yield stellar
    stellar.stop()


def test_its_class_scores_by_our_function(memory):
    use_celestial_function(memory)
    item = memory.store("the launch is on Friday", importance=0.8)
    weights = memory.config.memory_function
    ours = CelestialMemoryFunction(
        MemoryFunctionConfig(weights.w_recall, weights.w_freshness, weights.w_arbitrary, weights.w_context)
    )
    item.last_recalled_at = time.time() - 7 * DAY
    memory.reorbit()
    freshness = ours.freshness_score(item.last_recalled_at, time.time())
    expected = weights.w_freshness * (1 + freshness) + weights.w_arbitrary * 0.8
    assert memory.get(item.id).total_score == pytest.approx(expected, abs=1e-6)


def test_day_7_and_day_60_differ_where_its_own_function_sees_none(memory):
    """By its own everything older than three hours is equally stale."""
    week, months = memory.store("a week ago"), memory.store("two months ago")
    now = time.time()
    week.last_recalled_at, months.last_recalled_at = now - 7 * DAY, now - 60 * DAY
    own = memory._memory_fn.calculate
    assert own(week, now).total == own(months, now).total
    use_celestial_function(memory)
    assert memory._memory_fn.calculate(week, now).total > memory._memory_fn.calculate(months, now).total


def test_its_storage_search_and_stats_keep_working(memory):
    use_celestial_function(memory)
    item = memory.store("python is a language", importance=0.9)
    assert [hit.id for hit in memory.recall("python")] == [item.id]
    assert memory.stats().total_memories == 1
    assert json.loads(memory.export_json())["count"] == 1
    assert memory.forget(item.id)


def test_undoing_gives_its_own_function_back(memory):
    now = time.time()
    item = memory.store("anything")
    item.last_recalled_at = now - 7 * DAY
    before = memory._memory_fn.calculate(item, now)
    undo = use_celestial_function(memory)
    assert memory._memory_fn.calculate(item, now) != before
    undo()
    assert memory._memory_fn.calculate(item, now) == before


def test_another_memory_of_its_class_is_not_touched(memory, theirs):
    other = theirs.StellarMemory(memory.config)
    use_celestial_function(memory)
    assert "calculate" not in vars(other._memory_fn)
    other.stop()


def test_what_its_scheduler_and_import_use_is_the_same_object(memory):
    """If a version keeps the function elsewhere, this tells before anybody is surprised."""
    assert memory._scheduler._memory_fn is memory._memory_fn
    with pytest.raises(InvalidInputError):
        use_celestial_function(object())


def test_an_export_of_the_real_package_comes_over_whole(memory):
    for number in range(30):
        memory.store(f"fact number {number}", importance=number / 30, metadata={"n": number})
    memory.recall("fact number 7")
    with StellarMemory(StellarConfig(db_path=":memory:")) as shim:
        assert shim.import_json(memory.export_json()) == 30
        there = {item["id"]: item for item in json.loads(memory.export_json())["items"]}
        for item in shim.all_items():
            told = there[item.id]
            assert (item.content, item.metadata, item.created_at) == (
                told["content"], told["metadata"], told["created_at"],
            )  # fmt: skip
            assert item.recall_count == told["recall_count"]


def test_the_real_package_reads_an_export_of_the_shim(memory):
    with StellarMemory(StellarConfig(db_path=":memory:")) as shim:
        stored = shim.store("돌아갈 수도 있다", importance=0.7)
        assert memory.import_json(shim.export_json()) == 1
    assert memory.get(stored.id).content == "돌아갈 수도 있다"


def test_a_configuration_of_the_real_package_opens_the_shim(theirs):
    with StellarMemory(theirs.StellarConfig(db_path=":memory:")) as shim:
        assert shim.unheeded == ()
        assert shim.stats().zone_capacities == {0: 20, 1: 100, 2: 1000, 3: None, 4: None}


def test_fresh_memories_score_alike_in_both(memory):
    """The scales are the same: what differs is how a score falls."""
    item, now = memory.store("just now", importance=0.6), time.time()
    item.last_recalled_at = now
    own = memory._memory_fn.calculate(item, now)
    ours = MemoryFunction(memory.config.memory_function, memory.config.zones).calculate(item, now)
    assert ours.total == pytest.approx(own.total)
    assert ours.target_zone == own.target_zone
