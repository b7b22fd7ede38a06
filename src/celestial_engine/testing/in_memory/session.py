"""A session on dictionaries: the groups of the store port over one transaction."""

from __future__ import annotations

from celestial_engine.testing.in_memory.archives import DictArchives
from celestial_engine.testing.in_memory.gossip import DictGossip
from celestial_engine.testing.in_memory.ideas import DictIdeas
from celestial_engine.testing.in_memory.items import DictItems
from celestial_engine.testing.in_memory.ledger import DictLedger
from celestial_engine.testing.in_memory.lessons import DictLessons
from celestial_engine.testing.in_memory.night import DictNight
from celestial_engine.testing.in_memory.orbits import DictOrbits
from celestial_engine.testing.in_memory.pictures import DictPictures
from celestial_engine.testing.in_memory.presence import DictPresence
from celestial_engine.testing.in_memory.request_keys import DictRequestKeys
from celestial_engine.testing.in_memory.search import DictSearch
from celestial_engine.testing.in_memory.self_state import DictSelf
from celestial_engine.testing.in_memory.sync import DictSync
from celestial_engine.testing.in_memory.transaction import Transaction
from celestial_engine.testing.in_memory.vectors import DictVectors


class DictSession:
    """A session for reading and writing; a read-only transaction refuses every change."""

    def __init__(self, transaction: Transaction) -> None:
        self.ledger = DictLedger(transaction)
        self.archives = DictArchives(transaction)
        self.self = DictSelf(transaction)
        self.lessons = DictLessons(transaction)
        self.ideas = DictIdeas(transaction)
        self.keys = DictRequestKeys(transaction)
        self.gossip = DictGossip(transaction)
        self.sync = DictSync(transaction)
        others = (self.self, self.lessons, self.ideas, self.keys, self.sync)
        self.items = DictItems(transaction, self.ledger, self.archives, others)
        self.search = DictSearch(transaction)
        self.vectors = DictVectors(transaction)
        self.orbits = DictOrbits(transaction)
        self.presence = DictPresence(transaction)
        self.night = DictNight(transaction)
        self.pictures = DictPictures(transaction, self.ledger)
