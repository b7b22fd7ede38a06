"""Sessions on the database: the groups of the store port over one transaction."""

from __future__ import annotations

from celestial_engine.storage.sqlite.items.archives import SqliteArchives, SqliteArchiveWriter
from celestial_engine.storage.sqlite.items.ideas import SqliteIdeas, SqliteIdeaWriter
from celestial_engine.storage.sqlite.items.items import SqliteItems, SqliteItemWriter
from celestial_engine.storage.sqlite.items.ledger import SqliteLedger, SqliteLedgerWriter
from celestial_engine.storage.sqlite.items.lessons import SqliteLessons, SqliteLessonWriter
from celestial_engine.storage.sqlite.items.night import SqliteNight
from celestial_engine.storage.sqlite.items.orbits import SqliteOrbits, SqliteOrbitWriter
from celestial_engine.storage.sqlite.items.pictures import SqlitePictures
from celestial_engine.storage.sqlite.items.request_keys import SqliteRequestKeys, SqliteRequestKeyWriter
from celestial_engine.storage.sqlite.items.search import SqliteSearch
from celestial_engine.storage.sqlite.items.self_state import SqliteSelf, SqliteSelfWriter
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.items.vectors import SqliteVectors, SqliteVectorWriter

_GROUPS = (
    "items", "search", "vectors", "orbits", "archives", "ledger", "self", "lessons", "ideas", "night", "pictures",
    "keys",
)  # fmt: skip


class SqliteReader:
    """Reads within one transaction."""

    __slots__ = _GROUPS

    def __init__(self, transaction: Transaction) -> None:
        self.items = SqliteItems(transaction)
        self.search = SqliteSearch(transaction)
        self.vectors = SqliteVectors(transaction)
        self.orbits = SqliteOrbits(transaction)
        self.archives = SqliteArchives(transaction)
        self.ledger = SqliteLedger(transaction)
        self.self = SqliteSelf(transaction)
        self.lessons = SqliteLessons(transaction)
        self.ideas = SqliteIdeas(transaction)
        self.night = SqliteNight(transaction)
        self.pictures = SqlitePictures(transaction)
        self.keys = SqliteRequestKeys(transaction)


class SqliteWriter:
    """Reads and writes within one immediate transaction."""

    __slots__ = _GROUPS

    def __init__(self, transaction: Transaction) -> None:
        self.ledger = SqliteLedgerWriter(transaction)
        self.self = SqliteSelfWriter(transaction)
        # A change keeps the earlier version for the ledger, and a purge reaches into both.
        self.items = SqliteItemWriter(transaction, self.ledger, self.self)
        self.search = SqliteSearch(transaction)
        self.vectors = SqliteVectorWriter(transaction)
        self.orbits = SqliteOrbitWriter(transaction)
        self.archives = SqliteArchiveWriter(transaction)
        self.lessons = SqliteLessonWriter(transaction)
        self.ideas = SqliteIdeaWriter(transaction)
        self.night = SqliteNight(transaction)
        self.pictures = SqlitePictures(transaction)
        self.keys = SqliteRequestKeyWriter(transaction)
