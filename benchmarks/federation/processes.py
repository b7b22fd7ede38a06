"""Eight real processes on loopback: mean and worst user's reward, together and alone, and a newcomer."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import mean, median, stdev
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.measure import say
from benchmarks.selfplay.users import PERSONALITIES
from celestial_engine.core.learning.seeded_random import mixed

_USERS = 8
_EVERY = 25  # turns of each user between two rounds
_STOP_EVERY = 50
_LIVED_BEFORE = 1_500  # turns of self-play that the others have adopted when a newcomer comes
_AS_GOOD = 0.98  # of the reward of those of its kind


class Process:
    """The parent's end of a node."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "benchmarks.federation.node"]
        self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.address = ("", "")  # URL and key

    def ask(self, command: str, **given: Any) -> None:
        """Sends a command; its answer is read by `answer`, so that several nodes can work at once."""
        assert self._child.stdin is not None
        self._child.stdin.write(json.dumps({"command": command, **given}) + "\n")
        self._child.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self._child.stdout is not None
        line = self._child.stdout.readline()
        if not line:
            raise RuntimeError(f"a node ended with {self._child.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def do(self, command: str, **given: Any) -> dict[str, Any]:
        self.ask(command, **given)
        return self.answer()

    def close(self) -> None:
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.close()
        self._child.wait(60)
        self._child.stdout.close()


class Rewards:
    """The rewards of both experiments so far, a row of users for every seed."""

    def __init__(self) -> None:
        self.together: dict[bool, list[list[float]]] = {False: [], True: []}
        self.newcomers: dict[tuple[bool, int], list[list[float]]] = {}
        self.others: list[float] = []  # what those of a newcomer's kind earn on the same held-out turns
        self.cpu_ms: list[float] = []  # of every round

    def figures(self, turns: int) -> dict[str, Any]:
        stops = sorted({stop for _, stop in self.newcomers})
        newcomer: dict[str, Any] = {
            str(stop): compared(
                f"newcomer, {stop} turns", *(self.newcomers[shares, stop] for shares in (False, True))
            )
            for stop in stops
        }
        goal = _AS_GOOD * mean(self.others)
        for shares, name in ((False, "alone"), (True, "together")):
            reached = [stop for stop in stops if mean(map(mean, self.newcomers[shares, stop])) >= goal]
            newcomer[f"rounds to match, {name}"] = reached[0] // _EVERY if reached else None
        newcomer["others"] = round(mean(self.others), 4)
        cpu = {"cpu ms, median": round(median(self.cpu_ms), 1), "cpu ms, most": round(max(self.cpu_ms), 1)}
        say(", ".join(f"{name}: {value}" for name, value in newcomer.items() if not isinstance(value, dict)))
        say(f"a round of a node, its own process: {cpu}")
        return {
            "together": compared(f"eight processes, {turns} turns", self.together[False], self.together[True]),
            "newcomer": newcomer,
            "round": cpu,
        }


def processes(seeds: Sequence[int], turns: int) -> dict[str, Any]:
    """Both experiments, seed by seed; the figures so far are printed after every seed."""
    rewards, figures = Rewards(), {}
    with _started() as village:
        for number, seed in enumerate(seeds, 1):
            _together(village, seed, turns, rewards)
            _newcomers(village, seed, turns, rewards)
            say(f"{number} of {len(seeds)} seeds")
            figures = rewards.figures(turns)
    return figures


def _together(nodes: Sequence[Process], seed: int, turns: int, rewards: Rewards) -> None:
    """Eight different users who start at the same time."""
    for shares in (False, True):
        with _lives(nodes, [(place % len(PERSONALITIES), mixed(seed, place), 0) for place in range(_USERS)]):
            if shares:
                _introduce(nodes)
            for _ in range(_EVERY, turns + 1, _EVERY):
                _all(nodes, "live", turns=_EVERY)
                if shares:
                    rewards.cpu_ms += [node.do("round")["cpu_ms"] for node in nodes]
            rewards.together[shares].append([answer["reward"] for answer in _all(nodes, "marks")])


def _newcomers(nodes: Sequence[Process], seed: int, turns: int, rewards: Rewards) -> None:
    """Seven processes that have lived 1,500 turns, and an eighth that starts with nothing: each kind in turn."""
    curves: dict[tuple[bool, int], list[float]] = {}
    kinds = [place % len(PERSONALITIES) for place in range(_USERS - 1)]
    *village, one = nodes
    with _lives(village, [(kind, mixed(seed, place, 77), _LIVED_BEFORE) for place, kind in enumerate(kinds)]):
        _introduce(village)
        for kind in range(len(PERSONALITIES)):
            same = [node for node, its_kind in zip(village, kinds, strict=True) if its_kind == kind]
            newcomer = mixed(seed, 500 + kind)
            rewards.others.append(mean(answer["reward"] for answer in _all(same, "marks", seed=newcomer)))
            for shares in (False, True):
                with _lives([one], [(kind, newcomer, 0)]):
                    for stop, reward in _joined(village, one, turns, rewards.cpu_ms, shares=shares):
                        curves.setdefault((shares, stop), []).append(reward)
    for key, row in curves.items():
        rewards.newcomers.setdefault(key, []).append(row)


def _joined(
    village: Sequence[Process], one: Process, turns: int, cpu: list[float], *, shares: bool
) -> Iterator[tuple[int, float]]:
    """Yields the newcomer's reward at every stop. The others only answer: their clocks follow its own."""
    if shares:
        one.do("join", peers=[node.address for node in village])
        _all(village, "join", peers=[one.address])
    now = _all(village, "clock")[0]["now"]
    for turn in range(_EVERY, turns + 1, _EVERY):
        one.do("live", turns=_EVERY)
        if shares:
            now += 600.0
            _all([*village, one], "clock", now=now)
            answer = one.do("round")
            if answer["accepted"] != len(village):
                raise RuntimeError(f"the others did not answer: {answer}")
            cpu.append(answer["cpu_ms"])
        if turn % _STOP_EVERY == 0:
            yield turn, one.do("marks")["reward"]
    if shares:
        _all(village, "drop", key=one.address[1])


def _introduce(nodes: Sequence[Process]) -> None:
    for node in nodes:
        node.do("join", peers=[other.address for other in nodes if other is not node])


def _all(nodes: Sequence[Process], command: str, **given: Any) -> list[dict[str, Any]]:
    """Runs a command in all nodes at once."""
    for node in nodes:
        node.ask(command, **given)
    return [node.answer() for node in nodes]


@contextmanager
def _started() -> Iterator[list[Process]]:
    with ExitStack() as stack:
        nodes = []
        for _ in range(_USERS):
            nodes.append(Process())
            stack.callback(nodes[-1].close)
        yield nodes


@contextmanager
def _lives(nodes: Sequence[Process], people: Sequence[tuple[int, int, int]]) -> Iterator[None]:
    """Begins a life for every (kind, seed, turns lived before), each on a new database."""
    with TemporaryDirectory(prefix="celestial-gossip-") as folder:
        for place, (node, (kind, seed, lived_before)) in enumerate(zip(nodes, people, strict=True)):
            database = str(Path(folder) / f"node{place}.db")
            node.ask("start", database=database, kind=kind, seed=seed, lived_before=lived_before)
        for node in nodes:
            answer = node.answer()
            node.address = (answer["url"], answer["key"])
        yield
        _all(nodes, "end")


def compared(name: str, alone: Sequence[Sequence[float]], shared: Sequence[Sequence[float]]) -> dict[str, float]:
    """Means and worst users; the error is that of the paired differences of seeds."""
    differences = [mean(ours) - mean(mine) for ours, mine in zip(shared, alone, strict=True)]
    error = stdev(differences) / math.sqrt(len(differences)) if len(differences) > 1 else math.nan
    row = {
        "alone": mean(map(mean, alone)),
        "together": mean(map(mean, shared)),
        "gain": mean(differences),
        "error": error,
        "worst alone": mean(map(min, alone)),
        "worst together": mean(map(min, shared)),
    }
    say(f"{name}: " + ", ".join(f"{label} {value:+.4f}" for label, value in row.items()))
    return {label: round(value, 5) for label, value in row.items()}
