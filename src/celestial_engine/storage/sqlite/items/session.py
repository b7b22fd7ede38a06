"""Sessions on the database: the groups of the store port over one transaction.

Rarely used groups are imported and created on first use, so that commands start fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from celestial_engine.storage.sqlite.items.items import SqliteItems, SqliteItemWriter
from celestial_engine.storage.sqlite.items.ledger import SqliteLedger, SqliteLedgerWriter
from celestial_engine.storage.sqlite.items.orbits import SqliteOrbits, SqliteOrbitWriter
from celestial_engine.storage.sqlite.items.presence import SqlitePresence, SqlitePresenceWriter
from celestial_engine.storage.sqlite.items.search import SqliteSearch
from celestial_engine.storage.sqlite.items.self_state import SqliteSelf, SqliteSelfWriter
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.items.vectors import SqliteVectors, SqliteVectorWriter

if TYPE_CHECKING:
    from celestial_engine.storage.sqlite.items.archives import SqliteArchives, SqliteArchiveWriter
    from celestial_engine.storage.sqlite.items.gossip import SqliteGossip, SqliteGossipWriter
    from celestial_engine.storage.sqlite.items.ideas import SqliteIdeas, SqliteIdeaWriter
    from celestial_engine.storage.sqlite.items.lessons import SqliteLessons, SqliteLessonWriter
    from celestial_engine.storage.sqlite.items.night import SqliteNight
    from celestial_engine.storage.sqlite.items.pictures import SqlitePictures
    from celestial_engine.storage.sqlite.items.request_keys import SqliteRequestKeys, SqliteRequestKeyWriter
    from celestial_engine.storage.sqlite.items.sync import SqliteSync, SqliteSyncWriter


class SharedGroups:
    """The groups that are the same in every session, of any database."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    @property
    def transaction(self) -> Transaction:
        return self._tx

    @property
    def night(self) -> SqliteNight:
        from celestial_engine.storage.sqlite.items.night import SqliteNight

        return SqliteNight(self._tx)

    @property
    def pictures(self) -> SqlitePictures:
        from celestial_engine.storage.sqlite.items.pictures import SqlitePictures

        return SqlitePictures(self._tx)


class SharedWriterGroups(SharedGroups):
    """The groups that are the same in every session that writes, of any database."""

    __slots__ = ()

    @property
    def lessons(self) -> SqliteLessonWriter:
        from celestial_engine.storage.sqlite.items.lessons import SqliteLessonWriter

        return SqliteLessonWriter(self._tx)

    @property
    def ideas(self) -> SqliteIdeaWriter:
        from celestial_engine.storage.sqlite.items.ideas import SqliteIdeaWriter

        return SqliteIdeaWriter(self._tx)

    @property
    def gossip(self) -> SqliteGossipWriter:
        from celestial_engine.storage.sqlite.items.gossip import SqliteGossipWriter

        return SqliteGossipWriter(self._tx)

    @property
    def sync(self) -> SqliteSyncWriter:
        from celestial_engine.storage.sqlite.items.sync import SqliteSyncWriter

        return SqliteSyncWriter(self._tx)


class SqliteReader(SharedGroups):
    """Reads within one transaction."""

    __slots__ = ("items", "ledger", "orbits", "presence", "search", "self", "vectors")

    def __init__(self, transaction: Transaction) -> None:
        super().__init__(transaction)
        self.search = SqliteSearch(transaction)
        self.items = SqliteItems(transaction)
        self.vectors = SqliteVectors(transaction)
        self.orbits = SqliteOrbits(transaction)
        self.presence = SqlitePresence(transaction)
        self.ledger = SqliteLedger(transaction)
        self.self = SqliteSelf(transaction)

    @property
    def archives(self) -> SqliteArchives:
        from celestial_engine.storage.sqlite.items.archives import SqliteArchives

        return SqliteArchives(self._tx)

    @property
    def lessons(self) -> SqliteLessons:
        from celestial_engine.storage.sqlite.items.lessons import SqliteLessons

        return SqliteLessons(self._tx)

    @property
    def ideas(self) -> SqliteIdeas:
        from celestial_engine.storage.sqlite.items.ideas import SqliteIdeas

        return SqliteIdeas(self._tx)

    @property
    def keys(self) -> SqliteRequestKeys:
        from celestial_engine.storage.sqlite.items.request_keys import SqliteRequestKeys

        return SqliteRequestKeys(self._tx)

    @property
    def gossip(self) -> SqliteGossip:
        from celestial_engine.storage.sqlite.items.gossip import SqliteGossip

        return SqliteGossip(self._tx)

    @property
    def sync(self) -> SqliteSync:
        from celestial_engine.storage.sqlite.items.sync import SqliteSync

        return SqliteSync(self._tx)


class SqliteWriter(SharedWriterGroups):
    """Reads and writes within one immediate transaction."""

    __slots__ = ("items", "ledger", "orbits", "presence", "search", "self", "vectors")

    def __init__(self, transaction: Transaction) -> None:
        super().__init__(transaction)
        self.search = SqliteSearch(transaction)
        self.ledger = SqliteLedgerWriter(transaction)
        self.self = SqliteSelfWriter(transaction)
        # A change stores the previous version in the ledger, and a purge clears ledger and self.
        self.items = SqliteItemWriter(transaction, self.ledger, self.self)
        self.vectors = SqliteVectorWriter(transaction)
        self.orbits = SqliteOrbitWriter(transaction)
        self.presence = SqlitePresenceWriter(transaction)

    @property
    def archives(self) -> SqliteArchiveWriter:
        from celestial_engine.storage.sqlite.items.archives import SqliteArchiveWriter

        return SqliteArchiveWriter(self._tx)

    @property
    def keys(self) -> SqliteRequestKeyWriter:
        from celestial_engine.storage.sqlite.items.request_keys import SqliteRequestKeyWriter

        return SqliteRequestKeyWriter(self._tx)
