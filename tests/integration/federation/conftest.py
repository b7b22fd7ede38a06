"""A village: several memories in one process that exchange messages without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from tests.gossip_nodes import Village, remember_turns, taught

from celestial_engine import CelestialMemory, Settings
from celestial_engine.core.federation.settings import GossipConfig
from celestial_engine.testing.fakes import FakeClock


@pytest.fixture
def village(clock: FakeClock) -> Iterator[Callable[..., Village]]:
    with ExitStack() as stack:

        def build(count: int = 7, **config: object) -> Village:
            made = Village(clock)
            settings = Settings(gossip=GossipConfig(**config))  # type: ignore[arg-type]
            for number in range(count):
                memory = CelestialMemory(":memory:", rebalance_interval=None, clock=clock, settings=settings)
                made.memories[f"n{number}"] = stack.enter_context(memory)
                memory.policy.adopt(taught(number), 100)
                remember_turns(memory)
            made.introduce()
            return made

        yield build
