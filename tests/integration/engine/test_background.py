"""The rebalance that runs by itself: in a thread, under a lease, caught up after a pause."""

from __future__ import annotations

import threading

from celestial_engine import (
    CelestialMemory,
)
from celestial_engine.testing.fakes import FakeClock


def test_it_rebalances_in_the_background(tmp_path):
    clock = FakeClock()
    done = threading.Event()
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=0.01, clock=clock) as memory:
        item = memory.store("x", importance=0.9)
        clock.advance(days=2)
        for _ in range(6_000):
            if memory.get(item.id).zone == 3:
                break
            done.wait(0.01)
        assert memory.get(item.id).zone == 3


def test_five_engines_on_one_file_rebalance_once_and_catch_up(tmp_path):
    """One does the work of all; a run that nobody did is caught up at the next start."""
    clock = FakeClock()
    path = str(tmp_path / "m.db")
    engines = [CelestialMemory(path, rebalance_interval=None, clock=clock) for _ in range(5)]
    try:
        engines[0].store("x", importance=0.9)
        assert sum(engine.maintenance.rebalance_if_due() is not None for engine in engines) == 1
        clock.advance(seconds=299)
        assert not any(engine.maintenance.rebalance_if_due() for engine in engines)
        clock.advance(seconds=1)
        assert sum(engine.maintenance.rebalance_if_due() is not None for engine in engines) == 1
    finally:
        for engine in engines:
            engine.close()
    clock.advance(days=30)
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as memory:
        caught_up = memory.maintenance.rebalance_if_due()
        assert caught_up is not None
        assert caught_up.moved == 1


def test_a_failing_rebalance_is_logged_and_tried_again(tmp_path, caplog):
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None) as memory:
        rebalancer = memory._schedule
        memory.parts.store.close()
        rebalancer.tick()
        assert "rebalance failed" in caplog.text


def test_an_engine_nobody_closed_ends_its_thread(tmp_path):
    import gc

    CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=0.01)
    for _ in range(6_000):
        gc.collect()
        if not any(thread.name == "rebalancer" for thread in threading.enumerate()):
            return
        threading.Event().wait(0.01)
    raise AssertionError("the thread outlived its engine")
