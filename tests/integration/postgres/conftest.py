from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from tests.postgres_server import Server

if TYPE_CHECKING:
    from celestial_engine.storage.postgres import PostgresStore


@pytest.fixture
def url(postgres: Server) -> str:
    """The address of an empty database."""
    return postgres.url()


@pytest.fixture
def opened() -> Iterator[Callable[..., PostgresStore]]:
    """Opens stores that are closed after the test."""
    from celestial_engine.storage.postgres import PostgresStore

    stores: list[PostgresStore] = []

    def open_store(address: str, **settings: Any) -> PostgresStore:
        stores.append(PostgresStore(address, **settings))
        return stores[-1]

    yield open_store
    for store in stores:
        store.close()
