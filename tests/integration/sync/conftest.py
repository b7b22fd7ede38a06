"""Devices of one owner, each with a database of its own, and a clock that the test sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from celestial_engine import CelestialMemory

NOON = 1_750_000_000.0


class Clock:
    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def tick(self, seconds: float = 60.0) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def device(tmp_path: Path, clock: Clock) -> Iterator[Callable[..., CelestialMemory]]:
    opened: list[CelestialMemory] = []

    def open_device(name: str, **more: Any) -> CelestialMemory:
        given = {"rebalance_interval": None, "clock": clock, "embedder": "none", **more}
        memory = CelestialMemory(tmp_path / f"{name}.db", **given)
        memory.sync.status(name=name)
        opened.append(memory)
        return memory

    yield open_device
    for memory in opened:
        memory.close()


# What each device works out for itself: heat, vectors, and clocks that count days with the owner.
_LOCAL = ("zone", "total_score", "context_score", "embedding", "idle_since", "expires_at", "departure", "state_since")


def contents(memory: CelestialMemory) -> dict[str, dict[str, Any]]:
    """Every memory of a device, without what each device works out for itself."""
    found = {}
    for record in memory.transfer.export():
        reason = None if record["departure"] is None else record["departure"]["reason"]
        found[record["id"]] = {key: value for key, value in record.items() if key not in _LOCAL} | {"reason": reason}
    return found
