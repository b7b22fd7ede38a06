"""Every store keeps every promise of the store port."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from tests import postgres_server

from celestial_engine.ports import ItemStore
from celestial_engine.storage.sqlite import SqliteStore
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
