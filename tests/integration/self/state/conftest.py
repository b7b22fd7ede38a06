"""Fixtures: a memory on a file, the user's consent, and core memories."""

from __future__ import annotations

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.record.lifetimes import Tier


@pytest.fixture
def memory(tmp_path, clock):
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None, clock=clock) as opened:
        yield opened


@pytest.fixture
def word(memory):
    def word(proposal):
        return memory.self.approve(proposal.id, memory.self.approval_token(proposal.id), by="민지", channel="cli")

    return word


@pytest.fixture
def core(memory, word):
    def core(*texts):
        items = [memory.store(text, tier=Tier.M365) for text in texts]
        for item in items:
            word(memory.self.propose.core(item.id, by="민지"))
        return [item.id for item in items]

    return core
