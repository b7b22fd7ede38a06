"""Stopwatches, percentiles and figures."""

from __future__ import annotations

import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

_CORES = os.sched_getaffinity(0) if hasattr(os, "sched_setaffinity") else set()


@dataclass(frozen=True)
class Limit:
    """The limit of a figure; `of` names the statistic it applies to."""

    value: float
    of: str = "p95"


@dataclass(frozen=True)
class Timing:
    """Many runs of one operation, in milliseconds of wall time and of CPU time."""

    name: str
    memories: int
    wall_ms: Sequence[float]
    cpu_ms: Sequence[float]
    limit: Limit | None = None
    note: str = ""

    @property
    def p50(self) -> float:
        return percentile(self.wall_ms, 50)

    @property
    def p95(self) -> float:
        return percentile(self.wall_ms, 95)

    @property
    def cpu_p50(self) -> float:
        return percentile(self.cpu_ms, 50)

    @property
    def cpu_p95(self) -> float:
        return percentile(self.cpu_ms, 95)

    @property
    def per_second(self) -> float:
        return 1000 * len(self.wall_ms) / sum(self.wall_ms)

    @property
    def share_of_limit(self) -> float | None:
        return None if self.limit is None else getattr(self, self.limit.of) / self.limit.value


@dataclass(frozen=True)
class Fact:
    """One number that is not a time."""

    name: str
    memories: int
    value: float
    unit: str
    limit: float | None = None
    note: str = ""

    @property
    def share_of_limit(self) -> float | None:
        return None if self.limit is None else self.value / self.limit


Figure = Timing | Fact


@dataclass
class Stopwatch:
    """Collects the times of single calls."""

    wall_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)

    def time(self, call: Callable[..., T], *args: Any, **named: Any) -> T:
        wall, cpu = time.perf_counter(), time.process_time()
        result = call(*args, **named)
        self.cpu_ms.append((time.process_time() - cpu) * 1000)
        self.wall_ms.append((time.perf_counter() - wall) * 1000)
        return result

    @property
    def seconds(self) -> float:
        return sum(self.wall_ms) / 1000

    def timing(self, name: str, memories: int, limit: Limit | None = None, note: str = "") -> Timing:
        return Timing(name, memories, tuple(self.wall_ms), tuple(self.cpu_ms), limit, note)


class Clock:
    """A clock for the engine that moves only when advanced."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


def percentile(values: Sequence[float], percent: float) -> float:
    """Nearest-rank percentile: always a measured value."""
    ranked = sorted(values)
    return ranked[max(0, math.ceil(percent / 100 * len(ranked)) - 1)]


def on_one_core(watch_seconds: float = 0.2) -> bool:
    """Pin this process to the least busy core, if the system allows it."""
    if not _CORES:
        return False
    before = _idle_ticks()
    time.sleep(watch_seconds)
    after = _idle_ticks()
    os.sched_setaffinity(0, {max(_CORES, key=lambda core: after.get(core, 0) - before.get(core, 0))})
    return True


def _idle_ticks() -> dict[int, int]:
    """The idle time of each core on Linux; empty on other systems."""
    counts = Path("/proc/stat")
    if not counts.exists():
        return {}
    lines = [line.split() for line in counts.read_text().splitlines()]
    return {int(line[0][3:]): int(line[4]) for line in lines if re.fullmatch(r"cpu\d+", line[0])}


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def shown(things: Iterable[T], doing: str, total: int, every_seconds: float = 15.0) -> Iterable[T]:
    """Yield the items, and print the progress every few seconds."""
    spoken = time.monotonic()
    for number, thing in enumerate(things, 1):
        yield thing
        if time.monotonic() - spoken > every_seconds:
            spoken = time.monotonic()
            say(f"  {doing}: {number:,} of {total:,}")
