"""Whatever is done to it, the store holds what LangGraph's own InMemoryStore holds."""

from __future__ import annotations

import asyncio

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from langgraph.store.base import GetOp, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from celestial_engine import CelestialMemory
from celestial_engine.adapters import CelestialStore
from celestial_engine.testing.fakes import FakeClock

labels = st.sampled_from(["a", "b", "A", "가", "b c"])
namespaces = st.lists(labels, min_size=1, max_size=3).map(tuple)
prefixes = st.lists(labels, max_size=2).map(tuple)
keys = st.sampled_from(["k", "K", "열쇠", "k k"])
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(-5, 5, allow_nan=False)
    | st.sampled_from(["", "x", "차"])
)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["n", "m"]), inner, max_size=2),
    max_leaves=4,
)
values = st.dictionaries(st.sampled_from(["n", "m", "text"]), json_values, max_size=3)
numbers = st.integers(-5, 5)
filters = st.dictionaries(
    st.sampled_from(["n", "m", "text"]),
    scalars
    | st.dictionaries(st.sampled_from(["$eq", "$ne"]), scalars, min_size=1)
    | st.dictionaries(st.sampled_from(["n", "m"]), scalars, min_size=1, max_size=1),
    max_size=2,
)


def shown(items):
    return sorted((item.namespace, item.key, repr(item.value)) for item in items)


class Stores(RuleBasedStateMachine):
    @initialize()
    def open(self):
        self.clock = FakeClock()
        self.memory = CelestialMemory(":memory:", rebalance_interval=None, clock=self.clock)
        self.own = self.memory.store("a memory that nobody put", pinned=True)
        self.ours = CelestialStore(self.memory, clock=self.clock)
        self.theirs = InMemoryStore()

    def teardown(self):
        if hasattr(self, "memory"):
            self.memory.close()

    @rule(namespace=namespaces, key=keys, value=values)
    def put(self, namespace, key, value):
        self.ours.put(namespace, key, value)
        self.theirs.put(namespace, key, value)

    @rule(namespace=namespaces, key=keys, value=values)
    def put_asynchronously(self, namespace, key, value):
        asyncio.run(self.ours.aput(namespace, key, value))
        self.theirs.put(namespace, key, value)

    @rule(namespace=namespaces, key=keys)
    def delete(self, namespace, key):
        self.ours.delete(namespace, key)
        self.theirs.delete(namespace, key)

    @rule(steps=st.lists(st.tuples(namespaces, keys, st.none() | values), max_size=4))
    def batch(self, steps):
        ops = [op for namespace, key, value in steps for op in (GetOp(namespace, key), PutOp(namespace, key, value))]
        for ours, theirs in zip(self.ours.batch(ops), self.theirs.batch(ops), strict=True):
            assert (ours is None) is (theirs is None)
            assert ours is None or ours.value == theirs.value

    @rule(minutes=st.integers(1, 10_000_000))
    def time_goes_by(self, minutes):
        self.clock.advance(minutes=minutes)
        self.memory.rebalance()

    @rule(namespace=namespaces, key=keys)
    def get(self, namespace, key):
        ours, theirs = self.ours.get(namespace, key), self.theirs.get(namespace, key)
        assert (ours and ours.value) == (theirs and theirs.value)

    @rule(prefix=prefixes, wanted=filters)
    def search(self, prefix, wanted):
        ours = self.ours.search(prefix, filter=wanted, limit=1000)
        assert shown(ours) == shown(self.theirs.search(prefix, filter=wanted, limit=1000))

    @rule(prefix=prefixes, field=st.sampled_from(["n", "m"]), bounds=st.dictionaries(
        st.sampled_from(["$gt", "$gte", "$lt", "$lte"]), numbers, min_size=1))  # fmt: skip
    def search_in_a_range(self, prefix, field, bounds):
        """The oracle cannot compare what is no number, so it is asked for the items whose field is one."""
        ours = self.ours.search(prefix, filter={field: bounds}, limit=1000)
        candidates = self.theirs.search(prefix, limit=1000)
        comparable = InMemoryStore()
        for item in candidates:
            if isinstance(item.value.get(field), (int, float)):
                comparable.put(item.namespace, item.key, item.value)
        assert shown(ours) == shown(comparable.search(prefix, filter={field: bounds}, limit=1000))

    @rule(prefix=prefixes, limit=st.integers(1, 3))
    def pages(self, prefix, limit):
        everything, offset = [], 0
        while page := self.ours.batch([SearchOp(prefix, limit=limit, offset=offset)])[0]:
            assert len(page) <= limit
            everything += page
            offset += limit
        assert shown(everything) == shown(self.theirs.search(prefix, limit=1000))

    @rule(prefix=st.none() | prefixes, suffix=st.none() | prefixes, depth=st.none() | st.integers(1, 3))
    def namespaces(self, prefix, suffix, depth):
        held = InMemoryStore()  # the oracle keeps namespaces that hold nothing any more
        for item in self.theirs.search((), limit=1000):
            held.put(item.namespace, item.key, item.value)
        ask = {"prefix": prefix, "suffix": suffix, "max_depth": depth, "limit": 1000}
        assert self.ours.list_namespaces(**ask) == held.list_namespaces(**ask)

    @invariant()
    def other_memories_are_left_alone(self):
        if hasattr(self, "memory"):
            assert len(self.memory.list(1000)) == 1 + len(self.theirs.search((), limit=1000))
            now = self.memory.get(self.own.id)
            assert (now.content, now.metadata, now.state) == (self.own.content, {}, self.own.state)


TestStores = Stores.TestCase
TestStores.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
