"""A question's entry is packed without losing a letter, and unpacked bytes of anybody else raise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.ledger.chain import START, linked
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.core.record.recall_event import DisplacedMemory, RecalledMemory, parts_of, recall_event
from celestial_engine.storage.sqlite.packed_recall import packed, packed_references, references, unpacked

IDS = st.lists(st.text(min_size=1, max_size=40), min_size=2, max_size=12, unique=True)


@given(IDS, st.data())
def test_what_is_packed_comes_back_letter_by_letter(ids, data):
    recalled = data.draw(st.integers(1, len(ids)))
    contexts = st.floats(-2, 2, allow_nan=False)
    hits = [RecalledMemory(one, data.draw(st.integers(-1, 9)), data.draw(contexts)) for one in ids[:recalled]]
    moved = [
        DisplacedMemory(one, data.draw(st.integers(0, 9)), data.draw(st.sampled_from(ids[:recalled])))
        for one in ids[recalled:]
    ]
    event = recall_event(LOCAL_OWNER, 1.0, hits, moved)
    entry = linked(START, 1, event, None)
    if len(ids) == 1 or event.item_id is not None:
        assert references(entry) == []
        return
    numbers = {one: data.draw(st.integers(1, 10**6)) * 100 + place for place, one in enumerate(ids)}
    raw = packed(entry, numbers)
    if raw is None:  # -0.0 has no number of its own
        assert "-0.0" in entry.detail
        return
    assert unpacked(raw, {number: one for one, number in numbers.items()}) == (entry.detail, entry.host)
    assert list(packed_references(raw)) == [numbers[one] for one in ids]
    assert [part.item_id for part in parts_of(event)] == ids
    assert [part.type for part in parts_of(event)] == [
        EventType.RECALLED if place < recalled else EventType.MOVED for place in range(len(ids))
    ]


def test_other_entries_are_not_packed():
    """A host's own references, an entry about one memory, and a recall with more in it stay as they are."""
    for event in (
        Event(EventType.HOST, LOCAL_OWNER, 1.0, None, {"name": "x"}, memory_refs=("a", "b")),
        Event(EventType.RECALLED, LOCAL_OWNER, 1.0, "a", {"zone": 1, "context": 0.5}),
        Event(EventType.RECALLED, LOCAL_OWNER, 1.0, None, {"zone": [1, 2]}, memory_refs=("a", "b")),
        Event(
            EventType.RECALLED, LOCAL_OWNER, 1.0, None, {"context": [0.5, 0.12345], "zone": [1, 2]},
            memory_refs=("a", "b"),
        ),
        Event(
            EventType.RECALLED, LOCAL_OWNER, 1.0, None, {"context": [0.5, 0.1], "zone": [1, 2]},
            memory_refs=("a", "b"), persona_id="thesis",
        ),
    ):  # fmt: skip
        assert packed(linked(START, 1, event, None), {"a": 1, "b": 2}) is None


@given(st.binary(max_size=60))
def test_foreign_bytes_raise(raw):
    try:
        unpacked(raw, {})
    except (ValueError, KeyError):
        return
    pytest.fail("no names were given")
