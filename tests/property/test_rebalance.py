"""Rebalancing by crossing times gives what scoring everybody again would give."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from celestial_engine import CelestialItem, CelestialMemoryFunction, Owner, ZoneConfig
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.core.record.importance import Evaluation
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.flow.departures import forget
from celestial_engine.flow.night.rebalance import rebalance
from celestial_engine.flow.turn import recall, store
from celestial_engine.ports import ItemFilter
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.testing.in_memory.store import DictStore

T0 = 1_750_000_000
OWNERS = (Owner("a"), Owner("b"))

# Few slots, so that zones overflow all the time.
ZONES = (
    ZoneConfig(0, "core", 1, 0.50),
    ZoneConfig(1, "inner", 2, 0.30),
    ZoneConfig(2, "outer", 3, 0.10),
    ZoneConfig(3, "belt", None, -0.10),
    ZoneConfig(4, "cloud", None, -math.inf),
)

hundredths = st.integers(0, 100).map(lambda number: number / 100)
steps = st.one_of(
    st.tuples(st.just("store"), hundredths, st.integers(0, 60), st.sampled_from(OWNERS)),
    st.tuples(st.just("recall"), st.integers(0, 30), hundredths),
    st.tuples(st.just("recall all"), st.integers(0, 1), hundredths),
    st.tuples(st.just("forget"), st.integers(0, 30)),
    st.tuples(st.just("pin"), st.integers(0, 30), st.booleans()),
    st.tuples(st.just("update"), st.integers(0, 30), hundredths),
    st.tuples(st.just("restore"), st.integers(0, 30)),
    st.tuples(st.just("pass"), st.sampled_from([1, 600, 1800, 3600, 20_000, 86_400, 7 * 86_400, 45 * 86_400])),
    st.tuples(st.just("rebalance")),
)


def seats_by_scoring_everybody(items, function, now):
    """The definition: best first, each in the innermost zone that its score allows and that has room."""
    free = {zone.zone_id: math.inf if zone.max_slots is None else zone.max_slots for zone in function.zones.configs}
    seats = {}
    for item in sorted(items, key=lambda item: (-round(function.score(item, now), 12), -int(item.id))):
        zone = function.calculate(item, now).target_zone
        while free[zone] == 0:
            zone += 1
        free[zone] -= 1
        seats[item.id] = zone
    return seats


def check_seats(items_store, law, now):
    for owner in OWNERS:
        with items_store.read() as session:
            items = session.items.newest(owner, ItemFilter(), None)
        expected = seats_by_scoring_everybody(items, law.function, now)
        assert {item.id: item.zone for item in items} == expected
        overlooked = [
            item
            for item in items
            if item.zone == law.function.zones.outermost
            and item.protection is Protection.NONE
            and law.stale_after is not None
            and item.last_recalled_at + law.stale_after.total_seconds() <= now
        ]
        assert not overlooked, "idle for too long and still there"


def run(items_store, history, stale_after=None):
    law = Law(CelestialMemoryFunction(zones=ZONES), stale_after)
    now = float(T0)
    names = []
    for number, (kind, *values) in enumerate([*history, ("rebalance",)]):
        if kind == "store":
            importance, count, owner = values
            item = CelestialItem(
                str(number), f"memory {number}", now, now, count, importance, owner=owner, tier=Tier.M30,
                source=Source.CONVERSATION, embedding=[1.0, 0.0],
            )  # fmt: skip
            store.store(items_store, law, item, now)
            names.append((owner, item.id))
        elif kind == "pass":
            now += values[0]
        elif kind == "rebalance":
            rebalance(items_store, law, now)
            check_seats(items_store, law, now)
            quiet = rebalance(items_store, law, now)
            assert (quiet.moved, quiet.visited) == (0, 0), "a second rebalance has nothing to do"
        elif names:
            owner, item_id = names[values[0] % len(names)]
            with items_store.read() as session:
                item = session.items.get(owner, item_id)
            if kind.startswith("recall") and item is not None:
                chosen = [item_id] if kind == "recall" else [name for who, name in names if who == owner]
                angle = values[1]
                recall.reinforce(items_store, law, owner, chosen, [angle, math.sqrt(1 - angle * angle)], now)
            elif kind == "forget" and item is not None and item.state.in_orbit:
                forget.forget(items_store, law, owner, item_id, now)
            elif kind == "pin" and item is not None and item.state.in_orbit:
                store.protect(items_store, law, owner, item_id, pinned=values[1], now=now)
            elif kind == "update" and item is not None and item.state.in_orbit:
                change = store.ItemChange(importance=Evaluation(values[1], "given"))
                store.update(items_store, law, owner, item_id, change, now)
            elif kind == "restore" and item is not None and not item.state.in_orbit:
                forget.restore(items_store, law, owner, item_id, now)
        check_capacity(items_store, law)
    return law, now


def check_capacity(items_store, law):
    """At every moment, not only after a rebalance."""
    for owner in OWNERS:
        with items_store.read() as session:
            counts = session.orbits.zone_counts(owner, [0, 1, 2])
        assert all(counts[zone.zone_id] <= zone.max_slots for zone in law.function.zones.bounded)


@settings(max_examples=150)
@given(st.lists(steps, min_size=5, max_size=60))
def test_crossing_times_equal_full_scoring_in_dictionaries(history):
    run(DictStore(), history)


@settings(max_examples=150)
@given(st.lists(steps, min_size=5, max_size=60), st.sampled_from([1, 30, 90, 120]))
def test_the_idle_are_forgotten_when_their_time_has_come(history, days):
    run(DictStore(), history, timedelta(days=days))


@settings(max_examples=60)
@given(st.lists(steps, min_size=5, max_size=60))
def test_crossing_times_equal_full_scoring_in_sqlite(history):
    items_store = SqliteStore()
    try:
        run(items_store, history, timedelta(days=90))
        assert items_store.check() == []
    finally:
        items_store.close()


@settings(max_examples=50)
@given(st.lists(steps, min_size=20, max_size=60), st.integers(1, 120))
def test_small_visits_end_where_one_large_visit_ends(history, days):
    """A rebalance that is interrupted and continued gives the same seats as one in one go."""
    whole, pieces = DictStore(), DictStore()
    law, now = run(whole, history)
    run(pieces, history)
    now += days * 86_400
    rebalance(whole, law, now)
    while rebalance(pieces, law, now, most=1).visited:
        pass
    check_seats(whole, law, now)
    check_seats(pieces, law, now)


@given(st.lists(hundredths, min_size=1, max_size=12))
def test_nobody_better_is_evicted_for_a_newcomer(importances):
    """In a full zone the lowest leaves, and that may be the newcomer."""
    items_store, law = DictStore(), Law(CelestialMemoryFunction(zones=ZONES), None)
    for number, importance in enumerate(importances):
        item = CelestialItem(str(number), "text", T0, T0, 0, importance)
        store.store(items_store, law, replace(item), float(T0))
    with items_store.read() as session:
        items = session.items.newest(Owner(), ItemFilter(), None)
    seated = sorted(item.arbitrary_importance for item in items if item.zone == 2)
    waiting = sorted(
        item.arbitrary_importance for item in items if item.zone == 3 and item.arbitrary_importance >= 0.4
    )
    assert not seated or not waiting or waiting[-1] <= seated[0]
