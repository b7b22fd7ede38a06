from __future__ import annotations

import pytest

from celestial_engine.adapters import CelestialStore


@pytest.fixture
def store(memory, clock):
    return CelestialStore(memory, clock=clock)
