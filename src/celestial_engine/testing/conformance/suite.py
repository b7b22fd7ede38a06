"""The suite that every store must pass. Subclass it in a test module and create a store:

    class TestMyStore(StoreConformance):
        def make_store(self) -> ItemStore:
            return MyStore()

Each test says in its first line what it promises. Plain asserts: pytest is not needed to import this.
"""

from __future__ import annotations

from celestial_engine.testing.conformance.archives import ArchivePromises
from celestial_engine.testing.conformance.filters import FilterPromises
from celestial_engine.testing.conformance.grants import GrantPromises, RateLimitPromises
from celestial_engine.testing.conformance.ideas import IdeaPromises
from celestial_engine.testing.conformance.items import ItemPromises
from celestial_engine.testing.conformance.jobs import JobPromises, SpendingPromises
from celestial_engine.testing.conformance.ledger import LedgerPromises
from celestial_engine.testing.conformance.lessons import GossipPromises, LessonPromises
from celestial_engine.testing.conformance.night import NightPromises
from celestial_engine.testing.conformance.orbits import OrbitPromises
from celestial_engine.testing.conformance.pictures import PicturePromises
from celestial_engine.testing.conformance.presence import PresencePromises
from celestial_engine.testing.conformance.request_keys import RequestKeyPromises
from celestial_engine.testing.conformance.search import SearchPromises
from celestial_engine.testing.conformance.self_state import SelfPromises
from celestial_engine.testing.conformance.sessions import SessionPromises
from celestial_engine.testing.conformance.sync import SyncPromises
from celestial_engine.testing.conformance.vectors import VectorPromises
from celestial_engine.testing.conformance.writers import WriterPromises


class StoreConformance(
    SessionPromises,
    ArchivePromises,
    FilterPromises,
    GrantPromises,
    GossipPromises,
    IdeaPromises,
    ItemPromises,
    JobPromises,
    LedgerPromises,
    LessonPromises,
    NightPromises,
    OrbitPromises,
    PicturePromises,
    PresencePromises,
    RateLimitPromises,
    RequestKeyPromises,
    SearchPromises,
    SelfPromises,
    SpendingPromises,
    SyncPromises,
    VectorPromises,
    WriterPromises,
):
    """All tests of the store port: one class per group of a session, and for the groups outside sessions."""
