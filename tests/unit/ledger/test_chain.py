"""The chain of the ledger, as pure values."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.ledger.chain import (
    GENESIS,
    Fault,
    Head,
    Wrong,
    canonical,
    checked,
    digest,
    event_of,
    linked,
    sealed,
)
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import InvalidInputError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
EVENTS = st.builds(
    Event,
    st.sampled_from(EventType),
    st.builds(Owner, st.sampled_from(["local", "민아"]), st.sampled_from(["default", "x"])),
    st.floats(-1e11, 1e11),
    st.none() | TEXTS,
    st.dictionaries(TEXTS, st.integers() | TEXTS, max_size=3),
    st.none() | TEXTS,
    st.none() | st.text(min_size=1, max_size=4),
    st.lists(TEXTS, max_size=2).map(tuple),
    st.none() | st.dictionaries(TEXTS, st.integers(), min_size=1, max_size=2),
)


def chain_of(events):
    entries, head = [], Head(0, GENESIS)
    for number, event in enumerate(events, 1):
        entries.append(linked(head, number, event, None))
        head = Head(number, entries[-1].hash)
    return entries


def fault_of(entries):
    return next((fault for _, fault in checked(entries) if fault is not None), None)


@given(st.lists(EVENTS, max_size=6))
def test_what_was_chained_holds_and_reads_back(events):
    entries = chain_of(events)
    assert fault_of(entries) is None
    assert [event_of(entry) for entry in entries] == events
    assert [event_of(entry).number for entry in entries] == list(range(1, len(events) + 1))


@given(st.lists(EVENTS, min_size=1, max_size=5), st.data())
def test_any_change_of_any_field_is_seen_there(events, data):
    entries = chain_of(events)
    place = data.draw(st.integers(0, len(entries) - 1))
    field = data.draw(st.sampled_from(entries[0]._fields[1:]))
    other = data.draw(st.none() | st.text(max_size=3) | st.floats() | st.binary(max_size=3))
    value = getattr(entries[place], field)
    if value == other and type(value) is type(other):
        return
    changed = [*entries[:place], entries[place]._replace(**{field: other}), *entries[place + 1 :]]
    assert fault_of(changed) == Fault(place + 1, Wrong.EDITED)


@given(st.lists(EVENTS, min_size=2, max_size=6), st.data())
def test_a_removed_entry_is_missed(events, data):
    entries = chain_of(events)
    place = data.draw(st.integers(0, len(entries) - 2))
    assert fault_of(entries[:place] + entries[place + 1 :]) == Fault(place + 1, Wrong.MISSING)


@given(JSON)
def test_canonical_json_does_not_depend_on_order(value):
    assert canonical({"a": 1, "b": value}) == canonical({"b": value, "a": 1})
    assert "\n" not in canonical(value)


def test_the_hash_depends_on_everything_before_it():
    first, second = chain_of([Event(EventType.STORED, Owner(), 1.0, "a"), Event(EventType.STORED, Owner(), 2.0, "b")])
    assert digest(first.hash, second) == second.hash != digest(GENESIS, second)
    # A published value: if this changes, every ledger in the world is broken.
    assert first.hash == "1cfe42a807f89bfeaad3a3b20fef4d264dccac9ef84af0592e6e586c91912569"


def test_minus_nothing_is_nothing():
    event = Event(EventType.STORED, Owner(), 0.0)
    assert linked(Head(0, GENESIS), 1, replace(event, at=-0.0), None).hash == chain_of([event])[0].hash


def test_a_seal_needs_its_salt():
    assert sealed(b"a", "text") != sealed(b"b", "text")


@pytest.mark.parametrize(
    "bad", ["", "1", "x:y", f"-1:{GENESIS}", f"1:{GENESIS[1:]}", f"1:{'g' * 64}", f"²:{GENESIS}", None]
)
def test_heads_are_read_strictly(bad):
    with pytest.raises(InvalidInputError):
        Head.read(bad)


def test_heads_come_back():
    assert Head.read(str(Head(7, GENESIS))) == Head(7, GENESIS)
    assert Head.read(f" 7:{'A' * 64}\n") == Head(7, "a" * 64)
