"""Memories that have learned something, for tests of learning together."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field

from celestial_engine import CelestialMemory
from celestial_engine.core.federation.messages import BadMessageError
from celestial_engine.core.learning.credit import PendingTurn
from celestial_engine.core.learning.learned_policy import Learned
from celestial_engine.core.learning.network import Network
from celestial_engine.core.learning.rewards import Reward, RewardKind
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.turn.policy import Action, Phase
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


def remember_turns(memory: CelestialMemory, count: int = 20, reward: float = 1.0) -> None:
    """Stores rewarded turns; `taught` policies expect good rewards, so they predict these better than nobody does."""
    chance = random.Random(count)
    with memory.parts.store.write(memory.owner) as session:
        for number in range(count):
            state = tuple(chance.random() for _ in range(10))
            turn = PendingTurn(f"turn{number}", None, 1.0, Action.SAVE, Phase.RULES, state, Action.SAVE, Action.SAVE)
            session.lessons.add_turn(memory.owner, turn, 500)
            session.lessons.credit_turn(memory.owner, turn.turn_id, Reward(reward, RewardKind.GIVEN))


@dataclass
class Village:
    """Memories by name; `captured` holds every byte that went from one to another, `tamper` changes answers."""

    clock: FakeClock
    memories: dict[str, CelestialMemory] = field(default_factory=dict)
    captured: list[bytes] = field(default_factory=list)
    silent: set[str] = field(default_factory=set)
    tamper: dict[str, Change] = field(default_factory=dict)
    _halves: tuple[set[str], ...] = ()

    def cut_between(self, *halves: set[str]) -> None:
        """Lets messages pass within each of these only; without any, everywhere."""
        self._halves = halves

    def exchange(self, url: str, message: bytes, timeout: float) -> bytes:
        name = url.rpartition("/")[2]
        self.captured.append(message)
        sender = next(n for n, memory in self.memories.items() if memory.federation.key() == message[12:44].hex())
        if name in self.silent or any((name in half) is not (sender in half) for half in self._halves):
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
