"""The suite that every store must pass. Subclass it in a test module and say how a store is made:

    class TestMyStore(StoreConformance):
        def make_store(self) -> ItemStore:
            return MyStore()

Each test says in its first line what it promises. Plain asserts: pytest is not needed to import this.
"""

from __future__ import annotations

from celestial_engine.testing.conformance.candidates import FindingPromises
from celestial_engine.testing.conformance.filters import FilterPromises
from celestial_engine.testing.conformance.grants import GrantPromises
from celestial_engine.testing.conformance.idempotency_keys import AskedPromises
from celestial_engine.testing.conformance.imagination import ImaginingPromises
from celestial_engine.testing.conformance.learning import LearningPromises
from celestial_engine.testing.conformance.ledger import LedgerPromises
from celestial_engine.testing.conformance.lives import LifePromises
from celestial_engine.testing.conformance.nights import NightPromises
from celestial_engine.testing.conformance.orbits import OrbitPromises
from celestial_engine.testing.conformance.pictures import PicturePromises
from celestial_engine.testing.conformance.records import RecordPromises
from celestial_engine.testing.conformance.retention_view import ShelfPromises
from celestial_engine.testing.conformance.self_state import SelfPromises
from celestial_engine.testing.conformance.spending import SpendingPromises


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
