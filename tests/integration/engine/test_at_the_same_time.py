"""Several at work on one memory: nobody waits for long, and nothing is lost."""

from __future__ import annotations

import sqlite3
import threading

from celestial_engine import CelestialMemory, Settings, StorageSettings


def test_opening_waits_for_nobody(tmp_path, clock):
    """A memory that another process is writing to can be opened and read."""
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None) as memory:
        memory.store("x")
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    try:
        with CelestialMemory(
            path, rebalance_interval=None, settings=Settings(storage=StorageSettings(busy_timeout=0.05))
        ) as memory:
            assert memory.stats()["total"] == 1
    finally:
        blocker.close()


def test_recall_answers_even_if_it_cannot_be_counted(tmp_path, caplog):
    path = str(tmp_path / "m.db")
    with CelestialMemory(
        path, rebalance_interval=None, settings=Settings(storage=StorageSettings(busy_timeout=0.05))
    ) as memory:
        memory.store("커피를 좋아한다")
        blocker = sqlite3.connect(path, isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        try:
            assert [hit.content for hit in memory.recall("커피")] == ["커피를 좋아한다"]
        finally:
            blocker.close()
        assert "without being reinforced" in caplog.text


def test_several_threads(tmp_path):
    """Every store and every recall of every thread counts."""
    with CelestialMemory(
        str(tmp_path / "m.db"),
        rebalance_interval=0.01,
        settings=Settings(storage=StorageSettings(durability="normal")),
    ) as memory:
        shared = memory.store("shared memory")
        failures: list[BaseException] = []

        def work(number: int) -> None:
            try:
                for n in range(20):
                    memory.store(f"thread {number} memory {n}")
                    memory.recall("shared", limit=1)
                    memory.stats()
            except BaseException as error:  # noqa: BLE001
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures
        assert memory.get(shared.id).recall_count == 120
        assert memory.stats()["total"] == 121
        assert memory.maintenance.check() == []
