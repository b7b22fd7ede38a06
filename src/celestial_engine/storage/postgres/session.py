"""Sessions: the groups of the store port over one transaction. Rarely used groups are imported on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celestial_engine.storage.postgres.groups.items import PostgresItems, PostgresItemWriter
from celestial_engine.storage.postgres.groups.ledger import PostgresLedger, PostgresLedgerWriter
from celestial_engine.storage.postgres.groups.search import PostgresSearch
from celestial_engine.storage.postgres.groups.vectors import PostgresVectors, PostgresVectorWriter
from celestial_engine.storage.postgres.transaction import PostgresTransaction
from celestial_engine.storage.sqlite.items.orbits import SqliteOrbits, SqliteOrbitWriter
from celestial_engine.storage.sqlite.items.presence import SqlitePresence, SqlitePresenceWriter
from celestial_engine.storage.sqlite.items.self_state import SqliteSelf, SqliteSelfWriter
from celestial_engine.storage.sqlite.items.session import SharedWriterGroups

if TYPE_CHECKING:
    from celestial_engine.storage.postgres.groups.archives import PostgresArchives
    from celestial_engine.storage.postgres.groups.request_keys import PostgresRequestKeyWriter


class _Groups(SharedWriterGroups):
    """The groups that are the same in every session. A reader's transaction refuses to write, whatever is called."""

    __slots__ = ("search",)

    def __init__(self, transaction: PostgresTransaction) -> None:
        super().__init__(transaction)
        self.search = PostgresSearch(transaction)

    @property
    def archives(self) -> PostgresArchives:
        from celestial_engine.storage.postgres.groups.archives import PostgresArchives

        return PostgresArchives(self._tx)

    @property
    def keys(self) -> PostgresRequestKeyWriter:
        from celestial_engine.storage.postgres.groups.request_keys import PostgresRequestKeyWriter

        return PostgresRequestKeyWriter(self._tx)


class PostgresReader(_Groups):
    """Reads within one transaction."""

    __slots__ = ("items", "ledger", "orbits", "presence", "self", "vectors")

    def __init__(self, transaction: PostgresTransaction) -> None:
        super().__init__(transaction)
        self.items = PostgresItems(transaction)
        self.vectors = PostgresVectors(transaction)
        self.orbits = SqliteOrbits(transaction)
        self.presence = SqlitePresence(transaction)
        self.ledger = PostgresLedger(transaction)
        self.self = SqliteSelf(transaction)


class PostgresWriter(_Groups):
    """Reads and writes within one transaction."""

    __slots__ = ("items", "ledger", "orbits", "presence", "self", "vectors")

    def __init__(self, transaction: PostgresTransaction) -> None:
        super().__init__(transaction)
        self.ledger = PostgresLedgerWriter(transaction)
        self.self = SqliteSelfWriter(transaction)
        # A change stores the previous version in the ledger, and a purge clears ledger and self.
        self.items = PostgresItemWriter(transaction, self.ledger, self.self)
        self.vectors = PostgresVectorWriter(transaction)
        self.orbits = SqliteOrbitWriter(transaction)
        self.presence = SqlitePresenceWriter(transaction)
