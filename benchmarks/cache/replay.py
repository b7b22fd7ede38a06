"""Replay a trace, and record the rank of the needed memories just before each question."""

from __future__ import annotations

import heapq
import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from benchmarks.cache.policies import Life, Worth
from benchmarks.cache.traces import Ask, Trace
from celestial_engine.core.orbit.memory_function import CelestialMemoryFunction


@dataclass(frozen=True)
class Ranks:
    """The ranks (from 0) of what a question needs among all stored memories, and the size of the corpus."""

    places: tuple[int, ...]
    corpus: int

    def share(self, slots: float) -> float:
        """The share of needed memories within the slots: a number, or below 1 a fraction of the corpus."""
        return sum(place < slots_of(slots, self.corpus) for place in self.places) / len(self.places)


@dataclass(frozen=True)
class Seated:
    """The share in Core, Inner and Outer by bounds and slots, of the needed memories and of all."""

    needed: float
    everything: float


def slots_of(slots: float, corpus: int) -> int:
    return math.ceil(slots * corpus) if slots < 1 else int(slots)


def ranks(traces: Iterable[Trace], worths: Mapping[str, Worth]) -> dict[str, list[Ranks]]:
    """The ranks of every question by policy. All see the same recalls, so one replay serves all."""
    found: dict[str, list[Ranks]] = {name: [] for name in worths}
    for trace in traces:
        for ask, lives in _replayed(trace):
            for name, worth in worths.items():
                found[name].append(Ranks(_places(worth, lives, ask), len(trace.stored_at)))
    return found


def seated(traces: Iterable[Trace], function: CelestialMemoryFunction) -> Seated:
    """Zones by score and bound, like the engine: too low a score gets no slot, even if some are free."""
    needed, everything = [], []
    for trace in traces:
        for ask, lives in _replayed(trace):
            scores = {life.number: function.score(life, ask.at) for life in lives}
            inside = [number for number, score in scores.items() if score >= function.zones.capacity_floor()]
            seats = set(heapq.nlargest(function.zones.slots, inside, key=lambda number: (scores[number], number)))
            needed.append(len(seats & ask.needed) / len(ask.needed))
            everything.append(len(seats) / len(lives))
    return Seated(fmean(needed), fmean(everything))


def clairvoyant(traces: Iterable[Trace], slots: float) -> list[float]:
    """Belady's cache: when full, it evicts what is needed latest; evicted memories return when recalled."""
    shares = []
    for trace in traces:
        cache = _FarsightedCache(slots_of(slots, len(trace.stored_at)), trace.asks)
        stored = 0
        for place, ask in enumerate(trace.asks):
            while stored < len(trace.stored_at) and trace.stored_at[stored] < ask.at:
                cache.enter(stored, place - 1)
                stored += 1
            if ask.needed:
                shares.append(len(cache.inside & ask.needed) / len(ask.needed))
            # The next need of what was needed now has changed: update its entry, recalled or not.
            for number in sorted(ask.recalled | (ask.needed & cache.inside)):
                cache.enter(number, place)
    return shares


def mean_share(found: Sequence[Ranks], slots: float) -> float:
    return fmean(each.share(slots) for each in found)


def gain(found: Sequence[Ranks], base: Sequence[Ranks], slots: float) -> tuple[float, float]:
    """The mean gain in share within the slots over the base, per question, and its standard error."""
    differences = [one.share(slots) - other.share(slots) for one, other in zip(found, base, strict=True)]
    return fmean(differences), stdev(differences) / math.sqrt(len(differences))


class _FarsightedCache:
    """Knows the index of the question that will need a memory next."""

    def __init__(self, slots: int, asks: Sequence[Ask]) -> None:
        self.inside: set[int] = set()
        self._slots = slots
        self._leaving: list[tuple[float, int]] = []  # heap by latest need; outdated entries stay in it
        self._needs: dict[int, list[int]] = {}
        for place, ask in enumerate(asks):
            for number in ask.needed:
                self._needs.setdefault(number, []).append(place)

    def enter(self, number: int, now: int) -> None:
        self.inside.add(number)
        heapq.heappush(self._leaving, (-self._next_need(number, now), number))
        while len(self.inside) > self._slots:
            need, latest = heapq.heappop(self._leaving)
            if latest in self.inside and -need == self._next_need(latest, now):
                self.inside.remove(latest)

    def _next_need(self, number: int, now: int) -> float:
        places = self._needs.get(number, [])
        index = bisect_right(places, now)
        return places[index] if index < len(places) else math.inf


def _replayed(trace: Trace) -> Iterable[tuple[Ask, list[Life]]]:
    """Yield each question that needs something, with the state of all memories before its recall."""
    lives: list[Life] = []
    for ask in trace.asks:
        while len(lives) < len(trace.stored_at) and trace.stored_at[len(lives)] < ask.at:
            number = len(lives)
            at = trace.stored_at[number]
            lives.append(Life(number, at, trace.importance[number], at))
        if ask.needed:
            yield ask, lives
        for number in ask.recalled:
            lives[number].recalled(ask.at)


def _places(worth: Worth, lives: Sequence[Life], ask: Ask) -> tuple[int, ...]:
    """Sort by value; among equals the newer comes first, as in the zones."""
    ranked = sorted(((worth(life, ask.at), life.number) for life in lives), reverse=True)
    return tuple(place for place, (_, number) in enumerate(ranked) if number in ask.needed)
