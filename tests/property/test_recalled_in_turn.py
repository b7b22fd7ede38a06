"""Recalling several memories at once seats them exactly as recalling them one after the other."""

from __future__ import annotations

import math
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.memory_function import CelestialMemoryFunction
from celestial_engine.core.orbit.zones import ZoneConfig
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.flow.base.placement import add
from celestial_engine.flow.turn.recall import reinforce
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.testing.conformance.base import NOON, an_item
from celestial_engine.testing.in_memory.store import DictStore

ZONES = [
    ZoneConfig(0, "core", 1, 0.3),
    ZoneConfig(1, "inner", 2, 0.2, 0.3),
    ZoneConfig(2, "outer", 2, 0.05, 0.2),
    ZoneConfig(3, "cloud", None, -math.inf, 0.05),
]
LAW = Law(CelestialMemoryFunction(zones=ZONES))


def memory_store():
    return SqliteStore(":memory:")


def filled(make, importances, ages):
    store = make()
    with store.write(LOCAL_OWNER) as session:
        for number, (importance, age) in enumerate(zip(importances, ages, strict=True)):
            item = replace(
                an_item(f"m{number}", owner=LOCAL_OWNER),
                arbitrary_importance=importance,
                created_at=NOON - age,
                last_recalled_at=NOON - age,
            )
            add(session, LAW, item, NOON)
    return store


def outcome(store, size):
    with store.read() as session:
        zones = {f"m{n}": session.items.get(LOCAL_OWNER, f"m{n}").zone for n in range(size)}
        counts = {f"m{n}": session.items.get(LOCAL_OWNER, f"m{n}").recall_count for n in range(size)}
        histories = {f"m{n}": session.ledger.events(LOCAL_OWNER, f"m{n}", 500) for n in range(size)}
        told = {
            item_id: (events[0].detail["zone"], sum(event.type is EventType.RECALLED for event in events))
            for item_id, events in histories.items()
        }
    store.close()
    return zones, counts, told


@given(st.data())
def test_all_at_once_is_one_after_the_other(data):
    size = data.draw(st.integers(1, 9))
    importances = data.draw(st.lists(st.sampled_from([0.0, 0.2, 0.5, 0.8, 1.0]), min_size=size, max_size=size))
    ages = data.draw(st.lists(st.sampled_from([0.0, 3e4, 2e5, 3e6, 9e6]), min_size=size, max_size=size))
    ids = data.draw(st.lists(st.sampled_from([f"m{n}" for n in range(size)]), unique=True, max_size=6))
    check(DictStore, importances, ages, ids)


def test_in_a_database():
    """The second takes the seat of the first, which is recalled too."""
    check(memory_store, [0.0, 0.2, 0.0, 0.2, 0.2], [0.0, 0.0, 0.0, 0.0, 30_000.0], ["m3", "m4", "m0", "m1"])


def entries(store):
    with store.read() as session:
        return session.ledger.total()


def check(make, importances, ages, ids):
    at_once, in_turn = filled(make, importances, ages), filled(make, importances, ages)
    before = entries(at_once)
    reinforce(at_once, LAW, LOCAL_OWNER, ids, None, NOON + 60)
    assert entries(at_once) == before + bool(ids)
    for item_id in ids:
        reinforce(in_turn, LAW, LOCAL_OWNER, [item_id], None, NOON + 60)
    assert outcome(at_once, len(ages)) == outcome(in_turn, len(ages))
