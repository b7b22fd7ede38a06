"""The index of filters where it takes another way: many memories looked at by lists instead of one by one."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from celestial_engine.core.forgetting import State
from celestial_engine.core.item import CelestialItem
from celestial_engine.core.item_filter import ItemFilter
from celestial_engine.core.memory_function import Course
from celestial_engine.core.owner import LOCAL_OWNER
from celestial_engine.storage.sqlite import SqliteStore, facets

NOON = 1_750_000_000.0


@pytest.mark.parametrize("looked_at", [0, 50, 20_000])
def test_every_way_gives_the_same(monkeypatch, looked_at):
    """However few rows may be looked at one by one, the same memories are chosen."""
    monkeypatch.setattr(facets, "_LOOKED_AT", looked_at)
    store = SqliteStore()
    items = [
        CelestialItem(
            f"m{number}",
            "coffee",
            NOON + number * 7 % 300,
            NOON,
            zone=4 if number % 10 else number % 3,
            arbitrary_importance=number / 300,
            state=State.FADED if number % 11 == 0 else State.CLIFF if number % 13 == 0 else State.ACTIVE,
            embedding=[1.0, 0.0],
        )
        for number in range(300)
    ]
    with store.write() as session:
        for item in items:
            session.add(item, Course(0, 0.0, None))
    middle = (datetime.fromtimestamp(NOON + 50, timezone.utc), datetime.fromtimestamp(NOON + 250, timezone.utc))
    for where in (
        ItemFilter(zone=4),
        ItemFilter(zone=0),
        ItemFilter(zone=1, min_importance=0.33),
        ItemFilter(zone=4, min_importance=0.512, time_range=middle),
        ItemFilter(min_importance=0.777),
        ItemFilter(time_range=middle),
        ItemFilter(zone=4, states=(State.CLIFF,)),
        ItemFilter(zone=4, states=tuple(State)),
    ):
        chosen = [item for item in items if where.accepts(item)]
        newest = sorted(chosen, key=lambda item: (item.created_at, int(item.id[1:])), reverse=True)
        with store.read() as session:
            listed = [item.id for item in session.newest(LOCAL_OWNER, where, None)]
            near = session.by_vector(LOCAL_OWNER, [1.0, 0.0], 300, where)
        assert listed == [item.id for item in newest]
        assert {match.item_id for match in near} == {item.id for item in chosen if item.state.in_orbit}
    store.close()
