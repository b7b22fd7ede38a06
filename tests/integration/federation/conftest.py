"""A village: several memories in one process that exchange messages without a network."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import pytest

from celestial_engine import CelestialMemory, Settings
from celestial_engine.core.federation.messages import BadMessageError
from celestial_engine.core.federation.settings import GossipConfig
from celestial_engine.core.learning.learned_policy import Learned
from celestial_engine.core.learning.network import Network
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.ports import PeerUnreachableError
from celestial_engine.testing.fakes import FakeClock

Change = Callable[[bytes], bytes]


def taught(seed: int, strength: float = 0.01, towards: float = 0.01) -> Learned:
    """A policy that has learned something: partly what all have learned, partly its own."""
    chance, start = random.Random(seed), Learned.starting(LearningSettings())
    layers = tuple(
        array("d", (weight + towards + chance.gauss(0.0, strength) for weight in layer))
        for layer in start.network.layers
    )
    return Learned(Network(start.network.sizes, layers), start.reranker, updates=100, trust=0.5)


@dataclass
class Village:
    """Memories by name; `captured` holds every byte that went from one to another, `tamper` changes answers."""

    clock: FakeClock
    memories: dict[str, CelestialMemory] = field(default_factory=dict)
    captured: list[bytes] = field(default_factory=list)
    silent: set[str] = field(default_factory=set)
    tamper: dict[str, Change] = field(default_factory=dict)

    def exchange(self, url: str, message: bytes, timeout: float) -> bytes:
        name = url.rpartition("/")[2]
        self.captured.append(message)
        if name in self.silent:
            raise PeerUnreachableError("silent")
        try:
            answer = self.memories[name].federation.receive(message)
        except BadMessageError as error:
            raise PeerUnreachableError(error.rejection.value) from None
        answer = self.tamper.get(name, lambda raw: raw)(answer)
        self.captured.append(answer)
        return answer

    def introduce(self) -> None:
        """Everybody joins and adds everybody else."""
        for memory in self.memories.values():
            memory.federation.join()
            for name, other in self.memories.items():
                if other is not memory:
                    memory.federation.add_peer(f"http://127.0.0.1:1/{name}", other.federation.key())

    def rounds(self, count: int = 1) -> None:
        for _ in range(count):
            for name, memory in self.memories.items():
                if name not in self.silent:
                    memory.federation.round(self)
            self.clock.advance(seconds=60)


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
            made.introduce()
            return made

        yield build
