"""CelestialStore: what is found by meaning, by filters and by namespace, and in which order."""

from __future__ import annotations

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.adapters import CelestialStore
from celestial_engine.testing.fakes import bag_of_words

TEA = ("users", "mina", "drinks")


def keys(found):
    return [item.key for item in found]


def test_search_by_meaning_with_and_without_an_embedder(clock):
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, embed_fn=bag_of_words) as embedded:
        store = CelestialStore(embedded, clock=clock)
        store.put(TEA, "tea", {"text": "Mina likes green tea", "strong": False})
        store.put(TEA, "coffee", {"text": "Mina drinks coffee at work", "strong": True})
        store.put(("other",), "tea", {"text": "green tea is sold out"})
        found = store.search(("users",), query="which green tea does she like?")
        assert found[0].key == "tea"
        assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)
        assert all(item.namespace == TEA for item in found)
        assert keys(store.search(("users",), query="what does Mina drink?", filter={"strong": True})) == ["coffee"]


def test_korean_is_found(store):
    store.put(("메모", "미나"), "테니스", {"내용": "민수는 화요일마다 테니스를 친다"})
    (found,) = store.search(("메모",), query="민수는 언제 테니스를 쳐?")
    assert (found.namespace, found.key) == (("메모", "미나"), "테니스")
    assert found.value == {"내용": "민수는 화요일마다 테니스를 친다"}


def test_a_filter_asks_further_until_enough_are_found(store):
    for number in range(60):
        store.put(TEA, str(number), {"text": f"green tea number {number}", "rare": number < 3})
    assert sorted(keys(store.search(TEA, query="green tea", filter={"rare": True}, limit=3))) == ["0", "1", "2"]


def test_index_says_what_an_item_is_found_by(store):
    store.put(TEA, "a", {"title": "jasmine", "body": "nothing to see"}, index=["title"])
    store.put(TEA, "b", {"title": "orchid"}, index=False)
    assert keys(store.search(TEA, query="jasmine")) == ["a"]
    (by_title,) = store.search(TEA, query="jasmine")
    # The nearest values are returned, also those that share no word: but not for the words of the body.
    assert all(item.score < by_title.score / 2 for item in store.search(TEA, query="nothing to see"))
    assert store.search(TEA, query="orchid") == []
    assert sorted(keys(store.search(TEA))) == ["a", "b"]


def test_index_of_the_store_holds_for_every_put(memory, clock):
    store = CelestialStore(memory, index=["notes[*].text"], clock=clock)
    store.put(TEA, "a", {"notes": [{"text": "jasmine"}, {"text": "orchid"}], "aside": "violet"})
    assert keys(store.search(TEA, query="orchid")) == ["a"]
    assert store.search(TEA, query="violet") == []


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"n": 2}, ["b"]),
        ({"n": {"$gt": 1}}, ["b", "c"]),
        ({"n": {"$gte": 1, "$lt": 3}}, ["a", "b"]),
        ({"n": {"$ne": 2}}, ["a", "c", "d"]),
        ({"n": {"$eq": None}}, ["d"]),
        ({"day": {"$gt": "2026-01-15"}}, ["b", "c"]),
        ({"who": {"name": "Mina"}}, ["a"]),
        ({"who": {"age": {"$lte": 30}}}, ["b"]),
        ({"list": [1, {"$gt": 1}]}, ["c"]),
        ({"n": {"$gt": "many"}}, []),
    ],
)
def test_filters(store, wanted, found):
    store.put(TEA, "a", {"n": 1, "day": "2026-01-01", "who": {"name": "Mina", "age": 31}})
    store.put(TEA, "b", {"n": 2, "day": "2026-02-01", "who": {"name": "Jiho", "age": 30}})
    store.put(TEA, "c", {"n": 3, "day": "2026-03-01", "list": [1, 2]})
    store.put(TEA, "d", {"other": "x"})
    assert sorted(keys(store.search(TEA, filter=wanted))) == found


def test_pages_hold_everything_once(store):
    for number in range(25):
        store.put((*TEA, str(number % 3)), str(number), {"n": number})
    pages = [keys(store.search(TEA, limit=7, offset=offset)) for offset in range(0, 28, 7)]
    assert [len(page) for page in pages] == [7, 7, 7, 4]
    assert sorted((key for page in pages for key in page), key=int) == [str(number) for number in range(25)]
    assert pages[0][0] == "24"  # the newest first


def test_namespaces(store):
    for namespace in (("a", "x", "1"), ("a", "y", "1"), ("b", "x", "1"), ("a",)):
        store.put(namespace, "k", {})
    assert store.list_namespaces() == [("a",), ("a", "x", "1"), ("a", "y", "1"), ("b", "x", "1")]
    assert store.list_namespaces(prefix=("a", "*", "1")) == [("a", "x", "1"), ("a", "y", "1")]
    assert store.list_namespaces(suffix=("x", "1")) == [("a", "x", "1"), ("b", "x", "1")]
    assert store.list_namespaces(prefix=("a",), max_depth=2) == [("a",), ("a", "x"), ("a", "y")]
    assert store.list_namespaces(limit=1, offset=1) == [("a", "x", "1")]


def test_labels_that_look_alike_stay_apart(store):
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    for label in (composed, decomposed, "CAFE", "cafe"):
        store.put((label,), "k", {"label": label})
        store.put(("keys",), label, {"label": label})
    for label in (composed, decomposed, "CAFE", "cafe"):
        assert store.get((label,), "k").value == store.get(("keys",), label).value == {"label": label}
    assert len(store.list_namespaces()) == 5
