"""The composition root: settings become concrete stores. Nobody else imports one."""

from __future__ import annotations

from celestial_engine.config import StorageConfig
from celestial_engine.ports import ItemStore
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.storage.sqlite.connections import Durability


def open_store(config: StorageConfig) -> ItemStore:
    return SqliteStore(
        config.path,
        durability=Durability(config.durability),
        busy_timeout=config.busy_timeout,
        max_bytes=config.max_bytes,
    )
