"""One process of the benchmark: a real memory with a simulated user, served to its peers on loopback.

Commands come as lines of JSON on stdin, each is answered by one line: the parent decides when turns are lived and
when a round is run, so that a run does not depend on how busy the machine is. A process lives several lives, one
after the other, each on a database of its own: between "start" and "end".
"""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn

from benchmarks.federation.users import User
from benchmarks.selfplay.play import examined
from benchmarks.selfplay.users import PERSONALITIES, Mood, Said, Topic, mood, talks, words_for
from celestial_engine import CelestialMemory, GossipConfig, Settings
from celestial_engine.core.learning.learned_policy import Learned
from celestial_engine.core.learning.network import PlainArithmetic
from celestial_engine.core.learning.seeded_random import mixed, uniforms
from celestial_engine.core.turn.conversation import Action, Utterance
from celestial_engine.surfaces.gossip.app import GossipApp
from celestial_engine.testing.fakes import FakeClock

_PAUSE_SECONDS = 30.0
_EXAMINED_TURNS = 500


class SimulatedNode:
    """A memory, its simulated user, and the door for its peers."""

    def __init__(self, database: Path, kind: int, seed: int, lived_before: int) -> None:
        self.person, self.seed = PERSONALITIES[kind], seed
        self.clock = FakeClock()
        self.memory = CelestialMemory(
            database, rebalance_interval=None, clock=self.clock, embedder="none",
            settings=Settings(gossip=GossipConfig(updates_a_release=5)),
        )  # fmt: skip
        if lived_before:
            earlier = User(self.person, mixed(seed, 77))
            earlier.live(lived_before)
            self.memory.policy.adopt(earlier.learned, lived_before)
        self._life = self._lived()
        listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        config = uvicorn.Config(GossipApp(self.memory), log_level="critical", lifespan="off", ws="none")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([listener],), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join()
        self.memory.close()

    def run(self, command: str, given: dict[str, Any]) -> dict[str, Any]:
        match command:
            case "live":
                for _ in range(given["turns"]):
                    next(self._life)
                return {}
            case "join":
                self.memory.federation.join()
                for url, key in given["peers"]:
                    self.memory.federation.add_peer(url, key)
                return {}
            case "drop":
                self.memory.federation.remove_peer(given["key"])
                return {}
            case "round":
                began = time.process_time()
                result = self.memory.federation.round()
                cpu_ms = 1_000.0 * (time.process_time() - began)
                return {"accepted": result.accepted, "rejected": result.rejected, "cpu_ms": cpu_ms}
            case "clock":
                self.clock.now = given.get("now", self.clock.now)
                return {"now": self.clock.now}
            case "marks":
                return {"reward": self._reward(given.get("seed", self.seed))}
            case "status":
                status = self.memory.federation.status()
                shares = {peer.key: peer.share for peer in status.peers}
                return {
                    "on": status.candidate_on,
                    "declined": status.declined,
                    "trust": status.trust,
                    "shares": shares,
                }
        raise ValueError(command)

    def hello(self) -> dict[str, Any]:
        return {"url": self.url, "key": self.memory.federation.key()}

    def _reward(self, seed: int) -> float:
        """The mean reward of what decides now, on turns that nobody learned from, without exploration."""
        exam = talks((self.person,), mixed(seed, 1), examined=True)
        return examined(self._acting(), exam, seed, PlainArithmetic(), _EXAMINED_TURNS).mean_reward

    def _acting(self) -> Learned:
        lessons, owner = self.memory.parts.lessons, self.memory.owner
        own = lessons.lesson(owner).learned
        candidate = lessons.candidate(owner)
        return candidate.learned if candidate is not None and candidate.decides else own

    def _lived(self) -> Iterator[None]:
        """The turns of a life, as in self-play, but decided, stored and rewarded by the engine."""
        chance = uniforms(mixed(self.seed, 2))
        for number, talk in enumerate(talks((self.person,), mixed(self.seed, 0))):
            history: list[Utterance] = []
            opening, remaining = "", list(talk)
            while remaining:
                said = remaining.pop(0).after(opening)
                observed = self.memory.observe(said.text, history, session_id=f"talk{number}")
                if observed.problem is not None:
                    raise RuntimeError(observed.problem)
                done = observed.decision.action
                history.append(Utterance(said.text, action=done))
                self.clock.advance(seconds=_PAUSE_SECONDS)
                answer = mood(said, done, next(chance))
                opening = words_for(answer, said.language, next(chance))
                if answer is Mood.DISINTEREST:  # a "whatever" is a turn of its own
                    remaining.insert(0, Said(opening, Topic.SMALL_TALK, Action.SKIP, said.language))
                    opening = ""
                yield


def main() -> None:
    node: SimulatedNode | None = None
    for line in sys.stdin:
        given = json.loads(line)
        command = given.pop("command")
        answer: dict[str, Any] = {}
        if command == "start":
            node = SimulatedNode(Path(given["database"]), given["kind"], given["seed"], given["lived_before"])
            answer = node.hello()
        elif node is None:
            raise ValueError(command)
        elif command == "end":
            node.close()
        else:
            answer = node.run(command, given)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
