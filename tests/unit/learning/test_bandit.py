"""The bandit: it does what the rules do, tries something else now and then, and is trusted as it deserves."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.learning.bandit import (
    ACTIONS,
    PLAIN,
    Band,
    Bandit,
    band_of,
    epsilon_after,
    margin_after,
    trust_after,
)
from celestial_engine.core.learning.network import Network
from celestial_engine.core.learning.seeded_random import mixed
from celestial_engine.core.turn.policy import Action

EVERYWHERE = Band(-1.0, 2.0)


def bandit(network: Network, seed: int, epsilon: float = 0.1) -> Bandit:
    return Bandit(network, epsilon, seed, EVERYWHERE)


@given(st.lists(st.floats(0, 1), min_size=10, max_size=10), st.sampled_from(ACTIONS), st.integers(0, 10_000))
def test_before_it_has_learned_it_does_what_the_rules_do(state, usual, seed):
    chosen = bandit(Network.starting(PLAIN, 7), seed, 0.0).chosen(state, usual)
    assert (chosen.action, chosen.learned, chosen.explored) == (usual, usual, False)


def test_it_tries_something_else_as_often_as_it_should():
    """Four of five turns are no exam; of those a tenth is free, and two thirds of that another action."""
    fresh = Network.starting(PLAIN, 7)
    chosen = [bandit(fresh, mixed(1, turn)).chosen([0.5] * 10, Action.SAVE) for turn in range(3000)]
    assert sum(choice.exam for choice in chosen) / 3000 == pytest.approx(0.2, abs=0.025)
    assert sum(choice.explored for choice in chosen) / 3000 == pytest.approx(0.8 * 0.1 * 2 / 3, abs=0.015)
    assert not any(choice.explored for choice in chosen if choice.exam)


def test_epsilon_falls_and_never_ends():
    assert epsilon_after(0) == 0.1
    assert [epsilon_after(n) for n in (0, 500, 5000)] == sorted(map(epsilon_after, (0, 500, 5000)), reverse=True)
    assert epsilon_after(10**9) == pytest.approx(0.02)
    assert epsilon_after(100, 0.0) == 0.0


@given(st.lists(st.floats(-1, 1), max_size=60))
def test_the_band_stays_between_the_sure_cases(rewards):
    trust = 0.0
    for reward in rewards:
        wider = trust_after(trust, reward)
        assert (wider >= trust) if reward >= 0 else (wider <= trust)
        trust = wider
    band = band_of(trust)
    assert 0.1 - 1e-9 <= band.low <= 0.4 <= band.high <= 0.7 + 1e-9


def test_blame_for_what_the_rules_would_have_done_is_a_reason_to_try_otherwise():
    assert trust_after(0.5, -1.0, departed=False) == trust_after(0.5, 1.0, departed=False) > 0.5
    assert trust_after(0.5, -1.0, departed=True) < 0.5


def test_the_rules_hold_the_more_the_less_was_learned():
    assert [margin_after(n) for n in (0, 150, 5000)] == sorted(map(margin_after, (0, 150, 5000)), reverse=True)
    hint = Network(PLAIN, (Network.starting(PLAIN, 7).layers[0], _saying(0.0, 0.2, 0.0)))
    cautious, experienced = (
        Bandit(hint, 0.0, 3, EVERYWHERE, margin_after(updates)).chosen([0.5] * 10, Action.SAVE).learned
        for updates in (0, 5000)
    )
    assert (cautious, experienced) == (Action.SAVE, Action.SKIP)


def _saying(*worth: float) -> array[float]:
    """The last layer of a network that says this, whatever it hears."""
    return array("d", (number for bias in worth for number in (bias, *[0.0] * PLAIN[1])))


def test_trust_is_won_slowly_and_lost_quickly():
    assert trust_after(0.5, 1.0) - 0.5 < 0.5 - trust_after(0.5, -1.0)
    assert not band_of(0.0).holds(0.4)  # before any reward the rules decide alone
    assert band_of(0.5).holds(0.4)
    assert band_of(1.0) == pytest.approx((0.1, 0.7))
