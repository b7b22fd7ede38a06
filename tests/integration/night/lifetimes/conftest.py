"""Fixtures: the duties of a night one by one, and observed conversations."""

from __future__ import annotations

from functools import partial

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.engine.night import distil_sources
from celestial_engine.flow.night import promote
from celestial_engine.testing.fakes import FakeClock


class Night:
    """Runs single duties on one memory, planned and applied as sleep does."""

    def __init__(self, memory: CelestialMemory, clock: FakeClock) -> None:
        self._memory = memory
        self._clock = clock

    def plan(self, stage, **more):
        with self._memory.parts.store.read() as session:
            return stage.plan(session, self._memory.owner, self._clock(), **more)

    def do(self, stage, *given, plan=None):
        memory = self._memory
        return stage.carry_out(
            memory.parts.store, memory.parts.law(), memory.owner, plan or self.plan(stage), self._clock(), *given
        )

    def promote(self, plan=None):
        return self.do(promote, partial(distil_sources, self._memory.parts), plan=plan)


@pytest.fixture
def night_of(clock):
    return lambda memory: Night(memory, clock)


@pytest.fixture
def night(memory, night_of):
    return night_of(memory)


@pytest.fixture
def heard():
    """Store texts as turns of a conversation, for a month."""

    def heard(memory, *texts):
        return [memory.store(text, source=Source.CONVERSATION, tier=Tier.M30) for text in texts]

    return heard


@pytest.fixture
def kinds():
    """The events of a memory, newest first."""
    return lambda memory, item_id: [event.type for event in memory.ledger.history(item_id)]


@pytest.fixture
def cafe():
    """Three memories with the same statement."""
    return (
        "2월 15일 삐돌이가 카페에서 아메리카노 마심",
        "2월 18일 삐돌이가 카페에서 라떼 마심",
        "2월 22일 삐돌이가 스타벅스 감",
    )
