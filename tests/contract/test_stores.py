"""Every store keeps every promise of the store port."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from tests import postgres_server

from celestial_engine.core.ledger.chain import Head
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.ports import ItemStore
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE
from celestial_engine.testing.conformance.suite import StoreConformance
from celestial_engine.testing.in_memory.store import DictStore


class TestDictStore(StoreConformance):
    def make_store(self) -> ItemStore:
        return DictStore()


class TestSqliteInMemory(StoreConformance):
    def make_store(self) -> ItemStore:
        return SqliteStore(":memory:")


class TestSqliteFile(StoreConformance):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self._paths = (str(tmp_path / f"{number}.db") for number in itertools.count())

    def make_store(self) -> ItemStore:
        return SqliteStore(next(self._paths))


class TestPostgres(StoreConformance):
    @pytest.fixture(autouse=True)
    def _server(self, postgres: postgres_server.Server) -> None:
        self._postgres = postgres

    def make_store(self) -> ItemStore:
        from celestial_engine.storage.postgres import PostgresStore

        return PostgresStore(self._postgres.url(), clock=lambda callers: callers)


@pytest.mark.parametrize("make_store", [DictStore, SqliteStore])
def test_positions_have_no_gaps_on_one_machine(make_store):
    """PostgreSQL's positions only rise; these two count."""
    store = make_store()
    with store.write_whole_store() as session:
        for owner, name in ((SOMEBODY, "m1"), (SOMEBODY_ELSE, "m2"), (SOMEBODY, "m3")):
            session.ledger.record(Event(EventType.STORED, owner, NOON, name))
    with store.read() as session:
        written = session.ledger.written(0, 9)
        assert [(one.position, one.entry.item_id, one.entry.number) for one in written] == [
            (1, "m1", 1),
            (2, "m2", 1),
            (3, "m3", 2),
        ]
        assert session.ledger.written(1, 1) == [written[1]]
        assert session.ledger.last_written() == Head(3, written[2].entry.hash)
    store.close()
