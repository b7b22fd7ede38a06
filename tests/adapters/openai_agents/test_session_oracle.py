"""A session in the memory gives back what the SDK's own SQLiteSession gives back, whatever is done to both."""

from __future__ import annotations

import asyncio
import inspect

from agents.memory import Session, SessionSettings, SQLiteSession
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from celestial_engine import CelestialMemory
from celestial_engine.adapters import CelestialSession
from celestial_engine.testing.fakes import FakeClock

TEXT = st.text(st.sampled_from('ab 가나\n\t"\\{}é😀.'), max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.floats(-10, 10) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
ITEMS = st.one_of(
    st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "system"]), "content": TEXT}),
    st.fixed_dictionaries(
        {"type": st.just("function_call"), "call_id": TEXT, "name": TEXT, "arguments": TEXT, "status": st.none()}
    ),
    st.fixed_dictionaries({"type": st.just("function_call_output"), "call_id": TEXT, "output": TEXT}),
    st.fixed_dictionaries(
        {"role": st.just("user"), "content": st.lists(st.fixed_dictionaries({"text": TEXT}), max_size=2)}
    ),
    st.dictionaries(TEXT, JSON, max_size=3),
    # Texts that get records of their own: one, several, white space alone.
    st.integers(49_990, 50_010).map(lambda size: {"role": "user", "content": "x" * size}),
    st.sampled_from((60_000, 600_000)).map(lambda size: {"type": "image", "parts": [{"data": "ab c" * (size // 4)}]}),
    st.just(300_000).map(lambda size: {"role": "user", "content": " " * size}),
)
NAMES = ("one", "두 번째")


class SessionMachine(RuleBasedStateMachine):
    """Two sessions each, on a clock that stands still, goes on, or is put back."""

    @initialize(limit=st.none() | st.integers(-1, 4))
    def start(self, limit):
        self.clock = FakeClock()
        self.memory = CelestialMemory(":memory:", rebalance_interval=None, clock=self.clock)
        chosen = SessionSettings(limit=limit)
        self.ours = {name: CelestialSession(name, self.memory, session_settings=chosen) for name in NAMES}
        self.theirs = {name: SQLiteSession(name, session_settings=chosen) for name in NAMES}
        self.loop = asyncio.new_event_loop()

    def teardown(self):
        if hasattr(self, "memory"):
            self.loop.run_until_complete(self.loop.shutdown_default_executor())
            self.loop.close()
            self.memory.close()
            for session in self.theirs.values():
                session.close()

    def both(self, name, act):
        ours, theirs = (self.loop.run_until_complete(act(kind[name])) for kind in (self.ours, self.theirs))
        assert ours == theirs

    @rule(
        name=st.sampled_from(NAMES),
        items=st.lists(ITEMS, max_size=4),
        seconds=st.sampled_from((0, 0.001, 60, -60, -86_400)),
    )
    def add(self, name, items, seconds):
        self.clock.advance(seconds=seconds)
        self.both(name, lambda session: session.add_items(items))

    @rule(name=st.sampled_from(NAMES))
    def pop(self, name):
        self.both(name, lambda session: session.pop_item())

    @rule(name=st.sampled_from(NAMES), limit=st.none() | st.integers(-1, 12))
    def get(self, name, limit):
        self.both(name, lambda session: session.get_items(limit))

    @rule(name=st.sampled_from(NAMES))
    def clear(self, name):
        self.both(name, lambda session: session.clear_session())

    @rule()
    def night_falls(self):
        self.clock.advance(days=1)
        self.memory.rebalance()
        self.memory.night.sleep_everybody()

    @invariant()
    def both_are_the_same(self):
        for name in NAMES if hasattr(self, "ours") else ():
            self.both(name, lambda session: session.get_items(-1))


TestSessions = SessionMachine.TestCase
TestSessions.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)


def test_it_is_a_session(memory):
    """Of the protocol, with the signatures that the runner calls."""
    session = CelestialSession("a chat", memory)
    assert isinstance(session, Session)
    for name in ("get_items", "add_items", "pop_item", "clear_session"):
        ours, theirs = (
            [*inspect.signature(getattr(kind, name)).parameters] for kind in (CelestialSession, SQLiteSession)
        )
        assert ours == theirs[: len(ours)]
