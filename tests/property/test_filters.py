"""Any filter on any memories gives exactly what a look at every single memory gives."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celestial_engine.core.orbit.memory_function import Course
from celestial_engine.core.record.bqi import RhythmPhase
from celestial_engine.core.record.coordinate import (
    AgentCoordinate,
    Document,
    Emotion,
    EmotionCoordinate,
    SpaceCoordinate,
    TimeCoordinate,
)
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import BqiFilter, ItemFilter
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.testing.in_memory.store import DictStore

START = datetime(2025, 10, 12, tzinfo=timezone.utc)
ME, OTHER = Owner("me"), Owner("other")
NAMES = st.sampled_from([None, "a", "b", "A", "가", unicodedata.normalize("NFD", "가")])
TAGS = st.lists(st.sampled_from(["x", "X", "y", "기억"]), max_size=3).map(tuple)
WORDS = st.lists(st.sampled_from(["hope", "risk", "clarity"]), max_size=2)
NUMBERS = st.sampled_from([0.0, 0.05, 0.1, 0.3, 0.31, 0.5, 0.7, 0.7499999, 0.75, 0.95, 0.97, 1.0])
MOMENTS = st.one_of(st.none(), st.integers(0, 40).map(lambda minute: START + timedelta(minutes=minute)))


@st.composite
def memories(draw: st.DrawFn, number: int) -> CelestialItem:
    phase = draw(st.sampled_from([None, "integration", "planning", "of another kind"]))
    return CelestialItem(
        id=f"m{number}",
        content=draw(st.sampled_from(["coffee in the morning", "tea at night", "커피를 마신다"])),
        created_at=(START + timedelta(minutes=draw(st.integers(0, 40)))).timestamp(),
        last_recalled_at=0.0,
        zone=draw(st.integers(0, 4)),
        arbitrary_importance=draw(NUMBERS),
        tier=draw(st.sampled_from([Tier.M30, Tier.M90])),
        state=draw(st.sampled_from([State.ACTIVE, State.ACTIVE, State.FADED, State.INACTIVE, State.CLIFF])),
        tags=draw(TAGS),
        embedding=draw(st.sampled_from([None, [1.0, 0.0], [0.6, 0.8], [0.0, 1.0]])),
        time=TimeCoordinate(draw(NAMES)),
        space=SpaceCoordinate(project=draw(NAMES), domain=draw(NAMES)),
        agent=AgentCoordinate(persona_id=draw(NAMES), role=draw(NAMES)),
        emotion=EmotionCoordinate(tags=tuple(draw(st.sets(st.sampled_from([Emotion.JOY, Emotion.FEAR]))))),
        document=Document(
            bqi_snapshot=None if phase is None else {"rhythm_phase": phase, "emotion": {"keywords": draw(WORDS)}}
        ),
        owner=draw(st.sampled_from([ME, ME, ME, OTHER])),
    )


@st.composite
def collections(draw: st.DrawFn) -> list[CelestialItem]:
    return [draw(memories(number)) for number in range(draw(st.integers(0, 12)))]


@st.composite
def filters(draw: st.DrawFn) -> ItemFilter:
    chosen = draw(st.sets(st.integers(0, 12), max_size=3))  # few, so that something is left to find
    asked = iter(range(13))

    def maybe(strategy: st.SearchStrategy) -> object:
        return draw(strategy) if next(asked) in chosen else None

    start, end = sorted((draw(MOMENTS) or START, draw(MOMENTS) or START + timedelta(hours=1)))
    time_range = maybe(st.sampled_from([(start, end), (None, end), (start, None), (None, None)]))
    return ItemFilter(
        states=maybe(st.lists(st.sampled_from(list(State)), unique=True).map(tuple)) or (State.ACTIVE, State.FADED),
        zone=maybe(st.integers(0, 4)),
        tier=maybe(st.sampled_from(list(Tier))),
        time_range=time_range,
        session_id=maybe(NAMES),
        persona_id=maybe(NAMES),
        role=maybe(NAMES),
        domain=maybe(NAMES),
        project=maybe(NAMES),
        tags=maybe(TAGS) or (),
        min_importance=maybe(NUMBERS),
        emotion=maybe(st.sampled_from(list(Emotion))),
        bqi=maybe(st.builds(BqiFilter, st.sampled_from([None, *RhythmPhase]), WORDS.map(tuple))),
    )


def fits(item: CelestialItem, where: ItemFilter) -> bool:
    """The same question, asked plainly."""

    def same(wanted: str | None, had: str | None) -> bool:
        return wanted is None or (
            had is not None and unicodedata.normalize("NFC", wanted) == unicodedata.normalize("NFC", had)
        )

    made = datetime.fromtimestamp(item.created_at, timezone.utc)
    start, end = where.time_range or (None, None)
    snapshot = item.document.bqi_snapshot or {}
    bqi = where.bqi or BqiFilter()
    return (
        item.state in where.states
        and (where.zone is None or item.zone == where.zone)
        and (where.tier is None or item.tier is where.tier)
        and (start is None or made >= start)
        and (end is None or made <= end)
        and same(where.session_id, item.time.session_id)
        and same(where.persona_id, item.agent.persona_id)
        and same(where.role, item.agent.role)
        and same(where.domain, item.space.domain)
        and same(where.project, item.space.project)
        and {tag.lower() for tag in where.tags} <= {tag.lower() for tag in item.tags}
        and (where.min_importance is None or item.arbitrary_importance >= where.min_importance)
        and (where.emotion is None or where.emotion in item.emotion.tags)
        and (bqi.rhythm_phase is None or snapshot.get("rhythm_phase") == bqi.rhythm_phase.value)
        and (not bqi.emotions or bool({*bqi.emotions} & {*snapshot.get("emotion", {}).get("keywords", ())}))
    )


@pytest.mark.parametrize("make_store", [DictStore, SqliteStore])
@settings(max_examples=150)
@given(items=collections(), changed=collections(), asked=st.lists(filters(), min_size=1, max_size=5))
def test_filters_agree_with_a_look_at_every_memory(make_store, items, changed, asked):
    """Lists and searches, after stores, rewrites and purges, of one owner among two."""
    store = make_store()
    now = {item.id: item for item in items}
    with store.write_whole_store() as session:
        for item in items:
            session.items.add(item, Course(0, 0.0, None))
        for item in changed:
            if item.id in now:
                now[item.id] = replace(item, owner=now[item.id].owner)
                session.items.rewrite(now[item.id], Course(0, 0.0, None))
        for item in items[8:]:
            session.items.purge(item.owner, item.id)
            del now[item.id]
    order = {item.id: place for place, item in enumerate(items)}
    mine = [item for item in now.values() if item.owner == ME]
    mine.sort(key=lambda item: (item.created_at, order[item.id]), reverse=True)
    with store.read() as session:
        for where in asked:
            expected = [item.id for item in mine if fits(item, where)]
            assert [item.id for item in session.items.newest(ME, where, None)] == expected
            assert [item.id for item in session.items.newest(ME, where, 2)] == expected[:2]
            searched = [item for item in mine if fits(item, where) and item.state.in_orbit]
            near = {item.id for item in searched if item.embedding not in (None, [0.0, 1.0])}
            assert {match.item_id for match in session.search.by_vector(ME, [1.0, 0.0], 20, where)} == near
            coffee = {item.id for item in searched if "coffee" in item.content}
            assert {match.item_id for match in session.search.by_words(ME, "coffee", 20, where).matches} == coffee
            sessions = {item.time.session_id for item in mine if fits(item, where)} - {None}
            assert {unicodedata.normalize("NFC", name) for name in session.items.session_ids(ME, where)} == {
                unicodedata.normalize("NFC", name) for name in sessions
            }
    assert store.check() == []
    store.close()
