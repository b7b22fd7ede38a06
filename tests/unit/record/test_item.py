"""The one record: its JSON form, and what it refuses to be read from."""

from __future__ import annotations

import json
import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine import CelestialItem
from celestial_engine.core.record.coordinate import (
    AgentCoordinate,
    ContentType,
    Document,
    Emotion,
    EmotionCoordinate,
    Links,
    Resolution,
    SpaceCoordinate,
    TimeCoordinate,
    Validity,
)
from celestial_engine.core.record.forgetting import Departure, DepartureReason, Protection, State
from celestial_engine.core.record.item import Category, Trust
from celestial_engine.core.record.labels import Address, Attribute, Lifetime, Subject
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import InvalidImportanceError, InvalidItemError

text = st.text(st.characters(codec="utf-8"), max_size=20)
number = st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | number | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)


def maybe(strategy):
    return st.none() | strategy


texts = st.lists(text, max_size=3).map(tuple)
items = st.builds(
    CelestialItem,
    id=text,
    content=text,
    created_at=number,
    last_recalled_at=number,
    recall_count=st.integers(0, 10**9),
    arbitrary_importance=st.floats(0, 1),
    zone=st.integers(-1, 4),
    metadata=st.dictionaries(text, json_values, max_size=3),
    embedding=maybe(st.lists(number, max_size=4)),
    total_score=number,
    importance_source=text,
    context_score=st.floats(0, 1),
    tier=st.sampled_from(Tier),
    expires_at=maybe(number),
    state=st.sampled_from(State),
    protection=st.sampled_from(Protection),
    departure=maybe(st.builds(Departure, st.sampled_from(DepartureReason), number, number)),
    mention_count=st.integers(0, 9),
    user_rating=maybe(st.integers(1, 5)),
    category=maybe(st.sampled_from(Category)),
    keywords=texts,
    tags=texts,
    resolution=st.builds(Resolution, maybe(text), st.lists(st.tuples(text, text, text), max_size=2).map(tuple)),
    document=st.builds(
        Document, st.sampled_from(ContentType), maybe(text), maybe(text), maybe(st.integers(0, 9)),
        st.booleans(), st.booleans(), maybe(st.dictionaries(text, json_values, max_size=2)),
    ),
    time=st.builds(TimeCoordinate, maybe(text), maybe(st.integers(0, 9)), maybe(number)),
    space=st.builds(SpaceCoordinate, maybe(text), maybe(text), texts, maybe(st.integers(0, 9))),
    agent=st.builds(AgentCoordinate, maybe(text), maybe(text), maybe(text), maybe(text)),
    emotion=st.builds(
        EmotionCoordinate, st.lists(st.sampled_from(Emotion), max_size=3).map(tuple), number, maybe(number), number,
        number, texts,
    ),
    state_since=maybe(number),
    validity=st.builds(Validity, maybe(number), maybe(number), maybe(text)),
    influence_count=st.integers(0, 9),
    links=st.builds(Links, maybe(text), texts, texts, texts, maybe(text)),
    lifetime=maybe(st.sampled_from(Lifetime)),
    address=maybe(st.builds(Address, st.sampled_from(Subject), st.sampled_from(Attribute), maybe(text))),
    source=st.sampled_from(Source),
    trust=st.sampled_from(Trust),
    owner=st.just(Owner("누구", "agent")),
)  # fmt: skip


@given(items)
def test_json_round_trip(item):
    """Through JSON text and back, whole or sparse, nothing changes."""
    for sparse in (False, True):
        wire = json.dumps(item.to_dict(sparse=sparse), ensure_ascii=False, allow_nan=False)
        assert CelestialItem.from_dict(json.loads(wire)) == item


def test_the_json_names_every_facet():
    """The export is a public format: a renamed field must be noticed."""
    item = CelestialItem("m1", "text", 1.0, 2.0)
    assert list(item.to_dict()) == [
        "id", "content", "created_at", "last_recalled_at", "recall_count", "arbitrary_importance", "zone", "metadata",
        "embedding", "total_score", "importance_source", "context_score", "tier", "tier_reason", "expires_at", "state",
        "protection", "departure", "state_since", "idle_since", "validity", "mention_count", "influence_count", "user_rating", "category",
        "lifetime", "address", "keywords", "given", "tags", "resolution", "document", "time",
        "space", "agent", "emotion", "links", "source", "trust", "owner",
    ]  # fmt: skip


def test_create_is_fresh_and_clamps():
    before = time.time()
    item = CelestialItem.create("기억", importance=7.5)
    assert before <= item.created_at == item.last_recalled_at <= time.time()
    assert (item.arbitrary_importance, item.zone, item.recall_count, item.metadata) == (1.0, -1, 0, {})
    assert CelestialItem.create("x", importance=-1).arbitrary_importance == 0.0
    assert CelestialItem.create("x").id != CelestialItem.create("x").id


def test_create_does_not_take_nan_for_one():
    with pytest.raises(InvalidImportanceError):
        CelestialItem.create("x", importance=math.nan)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tier": "M77"}, "record.tier must be one of M30, M90, M365, M0, got 'M77'"),
        ({"content": 5}, "record.content must be text, not int"),
        ({"recall_count": True}, "record.recall_count must be a whole number, not bool"),
        ({"recall_count": 1.5}, "record.recall_count must be a whole number, not float"),
        ({"surprise": 1}, "unknown fields: surprise"),
        ({"emotion": {"tags": ["bliss"]}}, "record.emotion.tags must be one of joy"),
        ({"links": []}, "record.links must be an object with string keys, not list"),
        ({"embedding": "abc"}, "record.embedding must be a list, not str"),
        ({"resolution": {"triples": [["a", "b"]]}}, "must have 3 entries, not 2"),
        ({"metadata": [1]}, "record.metadata must be an object with string keys, not list"),
    ],
)
def test_records_that_are_not_ours_are_refused(change, said):
    wire = CelestialItem("m1", "text", 1.0, 2.0).to_dict() | change
    with pytest.raises(InvalidItemError, match="not a memory record") as caught:
        CelestialItem.from_dict(wire)
    assert said in str(caught.value)


@pytest.mark.parametrize("garbage", [None, [], "text", 5, {}])
def test_garbage_is_refused(garbage):
    with pytest.raises(InvalidItemError):
        CelestialItem.from_dict(garbage)
