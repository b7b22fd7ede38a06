"""What learning together costs: the CPU of a round with eight peers, and of a recall beside one without."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from benchmarks.federation.users import User
from benchmarks.measure import say
from benchmarks.selfplay.users import PERSONALITIES
from celestial_engine import CelestialMemory
from celestial_engine.core.federation.messages import MESSAGE_BYTES
from celestial_engine.core.learning.seeded_random import mixed

_PEERS = 8
_ROUNDS = 40
_MEMORIES = 500
_RECALLS = 300


@dataclass
class _Loopback:
    """Hands messages over in this process; `elsewhere` is the CPU time of the peers, which is not the node's."""

    memories: dict[str, CelestialMemory]
    elsewhere: float = 0.0
    sizes: set[int] = field(default_factory=set)

    def exchange(self, url: str, message: bytes, timeout: float) -> bytes:
        began = time.thread_time()
        answer = self.memories[url.rpartition("/")[2]].federation.receive(message)
        self.elsewhere += time.thread_time() - began
        self.sizes |= {len(message), len(answer)}
        return answer


def speed(seed: int) -> dict[str, Any]:
    """One node with eight peers; a round is its own one and the answers to the eight others'."""
    with ExitStack() as stack:
        memories = {f"n{place}": _taught(stack, seed, place) for place in range(_PEERS + 1)}
        alone = _taught(stack, seed, 0)
        transport = _Loopback(memories)
        for memory in memories.values():
            memory.federation.join()
            for name, other in memories.items():
                if other is not memory:
                    memory.federation.add_peer(f"http://127.0.0.1:1/{name}", other.federation.key())
        node, others = memories["n0"], [memory for name, memory in memories.items() if name != "n0"]
        node.federation.round(transport)
        rounds: dict[str, list[float]] = {"usual": [], "after lessons": [], "all updates new": []}
        for number in range(_ROUNDS):
            kind = "usual"
            if number % 4 == 2:  # the peers are compared on the new turns too
                kind = "after lessons"
                for memory in (node, alone):
                    _live(memory, seed + number, 20)
            elif number % 4 == 3:  # nothing of what was compared before can be used again
                kind = "all updates new"
                for place, memory in enumerate(others):
                    _live(memory, seed + number + 100 * place, 60)
            rounds[kind].append(_round(node, others, transport))
        for memory in (node, alone):
            memory.store_many([f"Note {number} about tea, bicycles and the sea" for number in range(_MEMORIES)])
        ratio = _ratio(lambda: node.recall("bicycles by the sea"), lambda: alone.recall("bicycles by the sea"))
        candidate_on = node.federation.status().candidate_on
    figures = {
        **{f"round, {kind}, cpu ms": round(median(times), 1) for kind, times in rounds.items()},
        "round, most, cpu ms": round(max(map(max, rounds.values())), 1),
        "message bytes": MESSAGE_BYTES,
        "sizes sent": sorted(transport.sizes),
        "recall with / without": round(ratio, 3),
        "candidate decides": candidate_on,
    }
    say(", ".join(f"{name}: {value}" for name, value in figures.items()))
    return figures


def _taught(stack: ExitStack, seed: int, place: int) -> CelestialMemory:
    memory = stack.enter_context(CelestialMemory(":memory:", rebalance_interval=None, embedder="none"))
    user = User(PERSONALITIES[place % len(PERSONALITIES)], mixed(seed, place, 77))
    user.live(300)
    memory.policy.adopt(user.learned, 300)
    _live(memory, seed + place, 100)
    return memory


def _live(memory: CelestialMemory, seed: int, turns: int) -> None:
    """Turns about which the rules are unsure, each rewarded: this many lessons."""
    for number in range(turns):
        turn = memory.observe(f"We might go to the lake number {seed * 1_000 + number} again some day")
        memory.feedback(turn.decision.turn_id, reward=0.5 if number % 3 else -0.5)


def _round(node: CelestialMemory, others: list[CelestialMemory], transport: _Loopback) -> float:
    """CPU milliseconds of the node: its own round, less the work of its peers, and its answers to their messages."""
    transport.elsewhere, began = 0.0, time.process_time()
    node.federation.round(transport)
    own = time.process_time() - began - transport.elsewhere
    answering = _Answering(node)
    for other in others:
        other.federation.round(answering)
    return 1_000.0 * (own + answering.spent)


@dataclass
class _Answering:
    """Lets a peer reach the measured node only."""

    node: CelestialMemory
    spent: float = 0.0

    def exchange(self, url: str, message: bytes, timeout: float) -> bytes:
        from celestial_engine.ports import PeerUnreachableError

        if not url.endswith("/n0"):
            raise PeerUnreachableError("not measured")
        began = time.thread_time()
        answer = self.node.federation.receive(message)
        self.spent += time.thread_time() - began
        return answer


def _ratio(one: Callable[[], object], other: Callable[[], object]) -> float:
    """The median CPU time of the first call beside that of the second, in turn."""
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(2 * _RECALLS):
        began = time.process_time()
        (one if number % 2 else other)()
        times[number % 2].append(time.process_time() - began)
    return median(times[1]) / median(times[0])
