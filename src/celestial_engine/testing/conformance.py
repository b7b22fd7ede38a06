"""The suite that every store must pass. Subclass it in a test module and say how a store is made:

    class TestMyStore(StoreConformance):
        def make_store(self) -> ItemStore:
            return MyStore()

Each test says in its first line what it promises. Plain asserts: pytest is not needed to import this.
"""

from __future__ import annotations

from celestial_engine.testing.asked import AskedPromises
from celestial_engine.testing.filtering import FilterPromises
from celestial_engine.testing.finding import FindingPromises
from celestial_engine.testing.grants import GrantPromises
from celestial_engine.testing.imagining import ImaginingPromises
from celestial_engine.testing.learning import LearningPromises
from celestial_engine.testing.ledger import LedgerPromises
from celestial_engine.testing.lives import LifePromises
from celestial_engine.testing.nights import NightPromises
from celestial_engine.testing.orbits import OrbitPromises
from celestial_engine.testing.pictures import PicturePromises
from celestial_engine.testing.records import RecordPromises
from celestial_engine.testing.selfhood import SelfPromises
from celestial_engine.testing.shelves import ShelfPromises
from celestial_engine.testing.spending import SpendingPromises


class StoreConformance(
    RecordPromises,
    FindingPromises,
    FilterPromises,
    OrbitPromises,
    LedgerPromises,
    ShelfPromises,
    SpendingPromises,
    NightPromises,
    LifePromises,
    GrantPromises,
    LearningPromises,
    ImaginingPromises,
    SelfPromises,
    AskedPromises,
    PicturePromises,
):
    """All promises of the store port."""
