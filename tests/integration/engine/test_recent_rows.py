"""Rows that are kept for the next question are never older than the last change."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.browse.table import TableFilter, TableSort
from celestial_engine.engine.browsing import recent_rows


def rows_of(memory):
    with memory.parts.store.read() as session:
        return session.pictures.memory_rows(memory.owner)


@pytest.mark.parametrize(
    "change",
    [
        lambda memory, item: memory.store("Another one"),
        lambda memory, item: memory.store_many(["a", "b"]),
        lambda memory, item: memory.update(item, content="Mina lives in Porto"),
        lambda memory, item: memory.update(item, tier="M30"),
        lambda memory, item: memory.update(item, tags=["home"]),
        lambda memory, item: memory.pin(item),
        lambda memory, item: memory.rate(item, 5),
        lambda memory, item: memory.recall("Mina"),
        lambda memory, item: memory.remind(item),
        lambda memory, item: memory.forget(item),
        lambda memory, item: (memory.forget(item), memory.restore(item)),
        lambda memory, item: memory.departures.erase([item]),
        lambda memory, item: memory.observe("My cat is called Plum"),
        lambda memory, item: memory.sleep(force=True, allow_large=True),
    ],
)
def test_every_change_is_seen_at_once(memory, change):
    item = memory.store("Mina lives in Busan").id
    memory.store("Mina lives in Busan.")
    assert memory.browse._rows() == rows_of(memory)
    memory.browse.subjects()
    change(memory, item)
    assert memory.browse._rows() == rows_of(memory)
    fresh = CelestialMemory(item_store=memory.parts.store, rebalance_interval=None, clock=memory.parts.clock)
    assert memory.browse.subjects() == fresh.browse.subjects()


def test_they_are_read_once_and_for_one_owner_at_a_time(memory, monkeypatch):
    memory.store("Mina lives in Busan")
    memory.of("ana").store("Ana keeps bees")
    first = memory.browse._rows()
    assert memory.of("local").browse._rows() is first
    assert [row.content for row in memory.of("ana").browse._rows()] == ["Ana keeps bees"]
    page, _ = memory.browse.table(TableFilter(), TableSort.CREATED)
    assert page.total == 1
    again = memory.browse._rows()
    monkeypatch.setattr(recent_rows, "_SECONDS", 0.0)
    assert memory.browse._rows() is not again
    monkeypatch.setattr(recent_rows, "_SECONDS", 20.0)
    monkeypatch.setattr(recent_rows, "MOST_ROWS", 0)
    memory.store("Too many to keep")
    assert memory.browse._rows() is not memory.browse._rows()


def test_what_is_prepared_is_what_the_next_question_gets(memory):
    memory.store("My sister Sora lives in Lisbon.")
    memory.browse.prepare()
    rows = memory.browse._rows()
    directory = memory.browse._directory()
    assert memory.browse._rows() is rows
    assert memory.browse._directory() is directory
    memory.store("My sister Sora moved to Porto.")
    assert memory.browse._directory() is not directory


def test_threads_that_ask_at_once_read_once(memory):
    """The first one reads; the others wait for it."""
    memory.store("My sister Sora lives in Lisbon.")
    together = Barrier(4)

    def ask(_: int) -> int:
        together.wait()
        return id(memory.browse._directory())

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(ask, range(4)))) == 1
