"""CelestialStore: what LangGraph promises of a store, and what a memory adds to it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone

import pytest
from langgraph.store.base import GetOp, InvalidNamespaceError, ListNamespacesOp, MatchCondition, PutOp, SearchOp

from celestial_engine import CelestialMemory, ItemFilter, Settings, State
from celestial_engine.adapters import CelestialStore
from celestial_engine.core.guard.secrets import GuardPolicy
from celestial_engine.errors import CelestialError, InvalidInputError, SecretError

TEA = ("users", "mina", "drinks")


def keys(found):
    return [item.key for item in found]


def test_what_is_put_is_got(store, clock):
    put_at = clock()
    store.put(TEA, "tea", {"text": "green tea", "cups": 3, "with": ["milk", None, True], "at": {"hour": 7.5}})
    clock.advance(minutes=5)
    item = store.get(TEA, "tea")
    assert item.value == {"text": "green tea", "cups": 3, "with": ["milk", None, True], "at": {"hour": 7.5}}
    assert (item.namespace, item.key) == (TEA, "tea")
    assert item.created_at == item.updated_at == datetime.fromtimestamp(put_at, timezone.utc)


def test_a_new_value_replaces_the_old_one_and_keeps_its_age(memory, store, clock):
    store.put(TEA, "tea", {"text": "green tea"})
    first = store.get(TEA, "tea")
    clock.advance(minutes=5)
    store.put(TEA, "tea", {"text": "black tea"})
    second = store.get(TEA, "tea")
    assert second.value == {"text": "black tea"}
    assert second.created_at == first.created_at < second.updated_at
    assert len(memory.list()) == 1
    assert store.search(TEA, query="black tea")[0].key == "tea"


def test_the_callers_later_changes_do_not_reach_the_store(store):
    value = {"cups": [1]}
    store.put(TEA, "tea", value)
    value["cups"].append(2)
    assert store.get(TEA, "tea").value == {"cups": [1]}


def test_a_deleted_item_is_gone_and_can_be_restored_by_hand(memory, store):
    store.put(TEA, "tea", {"text": "green tea"})
    store.delete(TEA, "tea")
    assert store.get(TEA, "tea") is None
    assert store.search(("users",)) == store.search(("users",), query="green tea") == []
    assert store.list_namespaces() == []
    (gone,) = memory.departures.cliff()
    memory.restore(gone.id)
    assert store.get(TEA, "tea").value == {"text": "green tea"}


def test_deleting_what_is_not_there_is_fine(store):
    store.delete(TEA, "tea")
    store.put(TEA, "tea", {"n": 1})
    store.delete(TEA, "tea")
    store.delete(TEA, "tea")
    store.put(TEA, "tea", {"n": 2})
    assert store.get(TEA, "tea").value == {"n": 2}


def test_items_are_memories_and_other_memories_are_left_alone(memory, store):
    own = memory.store("Mina likes green tea", metadata={"langgraph": "a word"}, tags=["drinks"])
    before = memory.get(own.id)
    store.put(TEA, "tea", {"text": "Mina likes green tea"})
    assert {item.content for item in memory.recall("green tea", 5)} == {"Mina likes green tea"}
    assert len(memory.list()) == 2
    assert keys(store.search(())) == ["tea"]
    assert keys(store.search((), query="green tea")) == ["tea"]
    store.delete(TEA, "tea")
    after = memory.get(own.id)
    assert (after.content, after.metadata, after.tags) == (before.content, before.metadata, before.tags)
    assert [item.id for item in memory.list()] == [own.id]


def test_neither_a_year_nor_its_nights_let_an_item_go(memory, store, clock):
    store.put(TEA, "tea", {"text": "Mina likes green tea"})
    store.put(("users", "jiho"), "tea", {"text": "Mina likes green tea"})
    for _ in range(14):
        clock.advance(days=30)
        memory.sleep()
        memory.rebalance()
    assert (
        store.get(TEA, "tea").value == store.get(("users", "jiho"), "tea").value == {"text": "Mina likes green tea"}
    )
    assert len(store.search((), query="green tea")) == 2


def test_the_night_does_not_merge_a_memory_into_an_item(memory, store, clock):
    own = memory.store("Mina likes green tea very much")
    store.put(TEA, "tea", {"text": "Mina likes green tea very much"})
    clock.advance(days=1)
    memory.sleep()
    assert memory.get(own.id).state is State.ACTIVE


def test_ttl_ends_an_item_and_reading_sets_it_anew(memory, store, clock):
    store.put(TEA, "tea", {"text": "green tea"}, ttl=10)
    clock.advance(minutes=9)
    assert store.get(TEA, "tea") is not None
    clock.advance(minutes=9)
    assert keys(store.search(TEA, query="green tea")) == ["tea"]
    clock.advance(minutes=9)
    assert store.get(TEA, "tea", refresh_ttl=False) is not None
    clock.advance(minutes=2)
    assert store.get(TEA, "tea") is None
    assert store.search(TEA) == store.search(TEA, query="green tea") == []
    assert len(memory.list()) == 1
    assert store.sweep_ttl() == 1
    assert memory.list() == []
    assert store.sweep_ttl() == 0


def test_a_namespace_ends_with_its_last_item(store, clock):
    store.put(("short",), "k", {}, ttl=1)
    store.put(("long",), "k", {})
    clock.advance(minutes=1)
    assert store.list_namespaces() == [("long",)]


def test_a_new_put_may_give_and_take_a_ttl(memory, store, clock):
    store.put(TEA, "tea", {"n": 1})
    created = store.get(TEA, "tea").created_at
    store.put(TEA, "tea", {"n": 2}, ttl=1)
    assert store.get(TEA, "tea").created_at == created
    store.put(TEA, "tea", {"n": 3}, ttl=None)
    clock.advance(days=1)
    assert store.get(TEA, "tea").value == {"n": 3}
    assert len(memory.list()) == 1


def test_what_is_over_may_be_put_anew(memory, store, clock):
    store.put(TEA, "tea", {"n": 1}, ttl=1)
    clock.advance(minutes=2)
    store.put(TEA, "tea", {"n": 2})
    item = store.get(TEA, "tea")
    assert item.value == {"n": 2}
    assert item.created_at == datetime.fromtimestamp(clock(), timezone.utc)
    assert len(memory.list()) == 1


def test_defaults_of_ttl(memory, clock):
    store = CelestialStore(memory, ttl={"default_ttl": 5, "refresh_on_read": False}, clock=clock)
    store.put(TEA, "tea", {"n": 1})
    clock.advance(minutes=4)
    assert store.get(TEA, "tea") is not None
    clock.advance(minutes=2)
    assert store.get(TEA, "tea") is None


def test_a_batch_reads_what_was_there_and_the_last_put_wins(store):
    store.put(TEA, "a", {"n": 1})
    got, put, again, found, named = store.batch(
        [
            GetOp(TEA, "a"),
            PutOp(TEA, "a", {"n": 2}),
            PutOp(TEA, "a", {"n": 3}),
            SearchOp(("users",)),
            ListNamespacesOp((MatchCondition("prefix", ("users",)),)),
        ]
    )
    assert got.value == found[0].value == {"n": 1}
    assert (put, again, named) == (None, None, [TEA])
    assert store.get(TEA, "a").value == {"n": 3}


def test_async_does_the_same(store):
    async def run():
        await store.aput(TEA, "tea", {"text": "green tea"})
        return (
            await store.aget(TEA, "tea"),
            await store.asearch(TEA, query="green tea"),
            await store.alist_namespaces(),
            await store.adelete(TEA, "tea"),
            await store.aget(TEA, "tea"),
        )

    item, found, namespaces, _, gone = asyncio.run(run())
    assert item.value == {"text": "green tea"}
    assert keys(found) == ["tea"]
    assert (namespaces, gone) == ([TEA], None)


def test_owners_have_stores_of_their_own(memory, clock):
    hers, his = (CelestialStore(memory, user_id=user, clock=clock) for user in ("mina", "jiho"))
    hers.put(TEA, "tea", {"text": "green tea"})
    assert his.get(TEA, "tea") is None
    assert his.search(()) == his.search((), query="green tea") == his.list_namespaces() == []
    his.delete(TEA, "tea")
    assert hers.get(TEA, "tea").value == {"text": "green tea"}


def test_many_threads_put_one_key_once(memory, clock):
    gate = threading.Barrier(8)

    def put(number):
        gate.wait()
        CelestialStore(memory, clock=clock).put(TEA, "tea", {"n": number})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(put, range(8)))
    assert len(memory.list(where=ItemFilter(session_id='langgraph:["users", "mina", "drinks"]'))) == 1


_PUT_IN_A_PROCESS = """
import sys, time
from celestial_engine import CelestialMemory
from celestial_engine.adapters import CelestialStore
path, start, who = sys.argv[1], float(sys.argv[2]), sys.argv[3]
with CelestialMemory(path, rebalance_interval=None) as memory:
    store = CelestialStore(memory)
    time.sleep(max(0.0, start - time.time()))
    for number in range(10):
        store.put(("users", "mina"), f"key {number}", {"who": who})
        if number % 3 == 0:
            store.delete(("users", "mina"), f"key {number}")
            store.put(("users", "mina"), f"key {number}", {"who": who})
"""


def test_two_processes_put_every_key_once(tmp_path):
    """The store decides which of two real processes creates an item; no lock of one process can."""
    path, start = str(tmp_path / "memory.db"), time.time() + 3
    CelestialMemory(path, rebalance_interval=None).close()
    processes = [
        subprocess.Popen([sys.executable, "-c", _PUT_IN_A_PROCESS, path, str(start), who]) for who in ("one", "two")
    ]
    assert [process.wait(timeout=120) for process in processes] == [0, 0]
    with CelestialMemory(path, rebalance_interval=None) as memory:
        keys = [item.metadata["langgraph"]["name"] for item in memory.list(100)]
        assert sorted(keys) == sorted(set(keys)), "a key has two memories"
        assert len(keys) == 10
        assert memory.ledger.verify().ok


def test_a_key_is_put_deleted_and_put_again(memory, clock):
    """The same value, at the same moment, after a deletion: it is there again."""
    store = CelestialStore(memory, clock=clock)
    for _ in range(3):
        store.put(TEA, "tea", {"n": 1})
        assert store.get(TEA, "tea").value == {"n": 1}
        store.delete(TEA, "tea")
        assert store.get(TEA, "tea") is None


def test_what_two_processes_put_at_once_is_shown_once_and_tidied_up(tmp_path, clock):
    """Two memories on one file stand for two processes; the second never saw the first's put."""
    path = tmp_path / "memory.db"
    with (
        CelestialMemory(path, rebalance_interval=None, clock=clock) as one,
        CelestialMemory(path, rebalance_interval=None, clock=clock) as two,
    ):
        store = CelestialStore(one, clock=clock)
        store.put(TEA, "tea", {"n": 1})
        (item,) = one.list()
        clock.advance(seconds=1)
        metadata = {"langgraph": {**item.metadata["langgraph"], "value": {"n": 2}}}
        two.store(item.content, metadata=metadata, tags=item.tags, session_id=item.time.session_id)
        assert store.get(TEA, "tea").value == {"n": 2}
        assert [found.value for found in store.search(TEA)] == [{"n": 2}]
        store.put(TEA, "tea", {"n": 3})
        assert [found.metadata["langgraph"]["value"] for found in one.list()] == [{"n": 3}]


def test_it_is_all_there_after_reopening(tmp_path, clock):
    path = tmp_path / "memory.db"
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as memory:
        CelestialStore(memory, clock=clock).put(TEA, "tea", {"text": "green tea"})
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as memory:
        assert CelestialStore(memory, clock=clock).get(TEA, "tea").value == {"text": "green tea"}


def test_secrets_are_redacted_in_values_and_refused_as_names(clock):
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock) as memory:
        store = CelestialStore(memory, clock=clock)
        store.put(TEA, "wifi", {"password": "hunter2", "place": "home"})
        assert store.get(TEA, "wifi").value["place"] == "home"
        assert "hunter2" not in str(store.get(TEA, "wifi").value)
    strict = GuardPolicy(email="redact")
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, settings=Settings(guard=strict)) as memory:
        store = CelestialStore(memory, clock=clock)
        with pytest.raises(SecretError):
            store.put(("users",), "mina@example-mail.com", {})
        assert memory.list() == []


@pytest.mark.parametrize(
    "op",
    [
        PutOp(TEA, "k", {"x": float("nan")}),
        PutOp(TEA, "k", {"x": object()}),
        PutOp(TEA, "k", {1: 2}),
        PutOp(TEA, "k", "text"),
        PutOp(TEA, "k", {"x": "\ud800"}),
        PutOp(TEA, "k", {"x": "y" * (1 << 18)}),
        PutOp(TEA, "", {}),
        PutOp(TEA, 5, {}),
        PutOp((), "k", {}),
        PutOp(TEA, "k", {}, index="title"),
        PutOp(TEA, "k", {}, index=[1]),
        PutOp(TEA, "k", {}, ttl=0),
        PutOp(TEA, "k", {}, ttl=-1),
        PutOp(TEA, "k", {}, ttl=float("inf")),
        PutOp(TEA, "k", {}, ttl=True),
        SearchOp(TEA, filter={"n": {"$regex": "x"}}),
        SearchOp(TEA, filter={"n": {"$gt": 1, "plain": 2}}),
        SearchOp(TEA, filter=["n"]),
        SearchOp(TEA, limit=-1),
        SearchOp(TEA, offset=-1),
        ListNamespacesOp((MatchCondition("middle", ("a",)),)),
        "get",
    ],
    ids=repr,
)
def test_bad_operations_are_refused_and_nothing_of_their_batch_is_done(memory, store, op):
    with pytest.raises(CelestialError) as told:
        store.batch([PutOp(TEA, "good", {"n": 1}), op])
    assert isinstance(told.value, ValueError)
    assert memory.list() == []


@pytest.mark.parametrize("namespace", [("a.b",), ("",), ("a", 5), ("a\x00",)])
def test_bad_namespaces_are_langgraphs_own_error(store, namespace):
    for op in (PutOp(namespace, "k", {}), GetOp(namespace, "k"), SearchOp(namespace)):
        with pytest.raises(InvalidNamespaceError):
            store.batch([op])


@pytest.mark.parametrize(
    "settings",
    [{"ttl": {"sweep_interval_minutes": 5}}, {"ttl": {"default_ttl": -1}}, {"index": "text"}, {"index": [5]}],
)
def test_bad_settings_are_refused(memory, settings):
    with pytest.raises(InvalidInputError):
        CelestialStore(memory, **settings)


def test_only_a_memory_is_adapted():
    with pytest.raises(InvalidInputError, match="must be a CelestialMemory"):
        CelestialStore({})


def test_nothing_is_scanned_to_find_one_item(memory, store, monkeypatch):
    """A lookup reads the one memory it is about, however many there are."""
    memory.store_many(f"an aside, number {number}" for number in range(300))
    for number in range(50):
        store.put(TEA, str(number), {"n": number})
    read = []
    listed = memory.list

    def counted(*args, **kwargs):
        read.append(listed(*args, **kwargs))
        return read[-1]

    monkeypatch.setattr(memory, "list", counted)
    monkeypatch.setattr(memory.browse, "page", None)
    assert store.get(TEA, "7").value == {"n": 7}
    store.put(TEA, "7", {"n": 8})
    assert [len(items) for items in read] == [1, 1]


def test_the_documented_snippet_runs(memory, snippets):
    (code,) = snippets("LangGraph")
    told = {"memory": memory}
    exec(code, told)
    told["store"].put(TEA, "tea", {"n": 1})
    assert told["store"].get(TEA, "tea").value == {"n": 1}


def test_the_example_keeps_notes_apart(example):
    said = example("langgraph")
    assert said[5] == "agent: The garden gate opens at seven."
    assert said[7] == "agent: 민수는 매주 화요일에 테니스를 친다."
    assert said[9] == "agent: I do not know."
