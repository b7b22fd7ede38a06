"""Every text that SQLite keeps, PostgreSQL keeps: NUL, lone surrogates, and what stands for them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celestial_engine import CelestialMemory
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.storage.postgres.text import escaped, unescaped
from celestial_engine.testing.conformance.base import a_course, an_item

ODD = [
    "a\0b",
    "\0",
    "\ud800",
    "x\udfffy",
    "\ufdd0",
    "\ufdd00000",
    "\ufdd0\0\ud83d",
    "커피\0를",
    "😀",
    "e\u0301",
    "%s ? :x",
]


@given(st.text(alphabet=st.characters(exclude_categories=()) | st.sampled_from("\0\ud800\udfff\ufdd00a")))
@settings(max_examples=300)
def test_what_is_escaped_comes_back(text):
    stored = escaped(text)
    assert unescaped(stored) == text
    assert "\0" not in stored
    stored.encode()


@pytest.mark.parametrize("text", ODD, ids=ascii)
def test_odd_texts_survive(url, opened, text):
    store = opened(url)
    item = replace(
        an_item(f"id {text}", f"coffee {text}"), metadata={f"k{text}": [text]}, tags=(text.strip() or "t",)
    )
    with store.write(LOCAL_OWNER) as session:
        session.items.add(item, a_course())
    with store.read() as session:
        assert session.items.get(LOCAL_OWNER, item.id) == item
        assert session.items.ids_starting(LOCAL_OWNER, "id ", 5) == [item.id]
        assert [match.item_id for match in session.search.by_words(LOCAL_OWNER, "coffee", 5).matches] == [item.id]
    with store.write(LOCAL_OWNER) as session:
        session.items.rewrite(replace(item, content="tea"), a_course())
        session.items.purge(LOCAL_OWNER, item.id)
    assert store.check() == []


def test_a_nul_through_the_engine(url):
    with CelestialMemory(url, rebalance_interval=None) as memory:
        stored = memory.store("나는 \0커피를 좋아한다", metadata={"a": "\0"})
        assert memory.get(stored.id).content == "나는 \0커피를 좋아한다"
        assert [hit.id for hit in memory.recall("커피")] == [stored.id]


def test_long_words_and_names(url, opened):
    """Keys of PostgreSQL's indexes are limited to some 2,700 bytes; texts are not."""
    store = opened(url)
    long = "가" * 100_000
    tag = "".join(chr(0xAC00 + number * 37 % 11_000) for number in range(5_000))  # nothing to compress
    item = replace(an_item("m1", f"{'x' * 50_000} {long}"), tags=(tag,))
    with store.write(LOCAL_OWNER) as session:
        session.items.add(item, a_course())
    with store.read() as session:
        assert session.items.get(LOCAL_OWNER, "m1") == item
        assert session.items.newest(LOCAL_OWNER, ItemFilter(tags=(tag,)), 5) == [item]
        assert session.items.newest(LOCAL_OWNER, ItemFilter(tags=(tag[:-1],)), 5) == []
    assert store.check() == []
    store.repair()
    assert store.check() == []
