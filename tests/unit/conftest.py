from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import pairwise

import pytest

from celestial_engine.core.learning.network import Network
from celestial_engine.core.learning.seeded_random import uniforms


@pytest.fixture(scope="session")
def random_network() -> Callable[[tuple[int, ...], int], Network]:
    """Create a network of these sizes, reproducible by seed."""

    def make(sizes: tuple[int, ...], seed: int) -> Network:
        chance = uniforms(seed)
        layers = (
            array("d", (next(chance) - 0.5 for _ in range(units * (inputs + 1)))) for inputs, units in pairwise(sizes)
        )
        return Network(sizes, tuple(layers))

    return make
