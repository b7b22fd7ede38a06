"""Our epsilon beside that of dp-accounting, for the same releases of the Gaussian mechanism."""

from __future__ import annotations

import math

import pytest
from dp_accounting import GaussianDpEvent
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant

from celestial_engine.core.federation.privacy import epsilon
from celestial_engine.core.federation.settings import GossipConfig

# dp-accounting looks at the orders it is given, ours at all of them.
FINE_ORDERS = [1.0 + math.exp(step / 100) for step in range(-700, 1_000)]
NOISE, RELEASES, DELTAS = (1.0, 2.0, 5.0, 11.6, 20.0), (1, 2, 18, 100, 1_000), (1e-6, 1e-5, 1e-3)


def theirs(accountant: RdpAccountant | PLDAccountant, noise: float, releases: int, delta: float) -> float:
    return float(accountant.compose(GaussianDpEvent(noise), releases).get_epsilon(delta))


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("releases", RELEASES)
@pytest.mark.parametrize("noise", NOISE)
def test_epsilon_is_that_of_dp_accounting(noise: float, releases: int, delta: float) -> None:
    ours = epsilon(noise, releases, delta)
    assert ours == pytest.approx(theirs(RdpAccountant(FINE_ORDERS), noise, releases, delta), rel=1e-4)
    # With its own list of orders theirs is the same or a little more, never less.
    assert ours <= theirs(RdpAccountant(), noise, releases, delta) + 1e-9


@pytest.mark.parametrize(("noise", "releases"), [(1.0, 1), (5.0, 1), (5.0, 18), (11.6, 100)])
def test_epsilon_is_not_below_the_exact_one(noise: float, releases: int) -> None:
    """Privacy loss distributions are exact for this mechanism; Renyi divergence promises a little less."""
    exact = theirs(PLDAccountant(), noise, releases, 1e-5)
    assert exact <= epsilon(noise, releases, 1e-5) <= 1.1 * exact


def test_the_documented_budget_is_theirs_too() -> None:
    config = GossipConfig()
    spent = [theirs(RdpAccountant(), config.dp_noise, count, config.dp_delta) for count in range(1, 40)]
    assert spent[0] == pytest.approx(0.8, abs=0.05)
    assert sum(one <= config.dp_epsilon for one in spent) == 18
