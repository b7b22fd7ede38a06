"""The learner: its slopes are right, and its chance repeats."""

from __future__ import annotations

from array import array
from itertools import islice

import pytest

from celestial_engine.core.learning.bandit import PLAIN
from celestial_engine.core.learning.network import (
    MOST_PULL,
    Network,
    PlainArithmetic,
    Predictor,
    Sample,
    Training,
    gradient,
    masks_of,
)
from celestial_engine.core.learning.seeded_random import mixed, uniforms
from celestial_engine.providers.numpy_arithmetic import numpy_arithmetic

PLAINLY = PlainArithmetic()


def samples_for(network: Network, count: int, seed: int) -> list[Sample]:
    chance = uniforms(seed)
    inputs, actions = network.sizes[0], network.sizes[-1]
    found = []
    for _ in range(count):
        state = [next(chance) * 2 - 1 for _ in range(inputs)]
        action = int(next(chance) * actions)
        near = PLAINLY.values(network, state)[action] + next(chance) - 0.5  # where the error is not cut
        found.append(Sample(state, action, near))
    return found


def loss(network: Network, samples: list[Sample], masks) -> float:
    total = 0.0
    for sample, mask in zip(samples, masks, strict=True):
        heard = list(sample.state)
        for place, layer in enumerate(network.layers):
            width = network.sizes[place] + 1
            rows = [layer[start : start + width] for start in range(0, len(layer), width)]
            heard = [row[0] + sum(w * x for w, x in zip(row[1:], heard, strict=True)) for row in rows]
            if place < len(network.layers) - 1:
                heard = [max(0.0, value) for value in heard]
                if mask[place] is not None:
                    heard = [value * kept for value, kept in zip(heard, mask[place], strict=True)]
        total += 0.5 * (heard[sample.action] - sample.worth) ** 2
    return total / len(samples)


@pytest.mark.parametrize("sizes", [(4, 5, 3), (3, 6, 4, 3)])
@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_the_gradient_is_the_slope_of_the_loss(random_network, sizes, dropout):
    """Compared with finite differences, weight by weight."""
    network = random_network(sizes, 11)
    samples = samples_for(network, 3, 12)
    masks = masks_of(sizes, 3, Training(0.1, dropout, 5))
    # Beyond this the error would be cut.
    assert all(loss(network, [s], [m]) < 0.5 * MOST_PULL**2 for s, m in zip(samples, masks, strict=True))
    found = gradient(network, samples, masks)
    tiny = 1e-6
    for place, layer in enumerate(network.layers):
        for index in range(len(layer)):

            def moved(by: float, place: int = place, index: int = index) -> float:
                layers = [array("d", each) for each in network.layers]
                layers[place][index] += by
                return loss(Network(sizes, tuple(layers)), samples, masks)

            slope = (moved(tiny) - moved(-tiny)) / (2 * tiny)
            assert found[place][index] == pytest.approx(slope, abs=1e-6)


def test_an_outrageous_reward_pulls_no_harder_than_a_bad_one():
    network = Network.starting((2, 3, 3), 1)
    far, further = (gradient(network, [Sample([1, 1], 0, worth)], [[None, None]]) for worth in (5.0, 5e9))
    assert far == further


def test_a_fresh_network_says_nothing_and_every_unit_listens_to_something_else():
    fresh = Network.starting(PLAIN, 7)
    assert PLAINLY.values(fresh, [0.5] * 10) == [0.0, 0.0, 0.0]
    rows = [tuple(fresh.layers[0][start : start + 11]) for start in range(0, len(fresh.layers[0]), 11)]
    assert len(set(rows)) == 64
    assert fresh == Network.starting(PLAIN, 7)
    assert fresh != Network.starting(PLAIN, 8)


@pytest.mark.parametrize("dropout", [0.0, 0.1])
@pytest.mark.parametrize("sizes", [PLAIN, (24, 32, 16, 3)])
def test_numpy_does_the_same_sums(random_network, sizes, dropout):
    numpy = numpy_arithmetic()
    if numpy is None:
        pytest.skip("NumPy is not installed")
    network = random_network(sizes, 3)
    samples = samples_for(network, 8, 4)
    training = Training(0.1, dropout, 9)
    plain, quick = PLAINLY.trained(network, samples, training), numpy.trained(network, samples, training)
    for ours, theirs in zip(plain.layers, quick.layers, strict=True):
        assert theirs == pytest.approx(ours, abs=1e-9)
    state = samples[0].state
    assert numpy.values(quick, state) == pytest.approx(PLAINLY.values(plain, state), abs=1e-9)


def test_chance_repeats_and_is_even():
    drawn = list(islice(uniforms(5), 3000))
    assert drawn == list(islice(uniforms(5), 3000))
    assert drawn != list(islice(uniforms(6), 3000))
    assert all(0.0 <= number < 1.0 for number in drawn)
    assert sum(drawn) / len(drawn) == pytest.approx(0.5, abs=0.02)
    assert len({mixed(1, number) for number in range(1000)}) == 1000


class CountedState(tuple[float, ...]):
    """A state that counts how often it was computed with."""

    reads = 0

    def __iter__(self):
        type(self).reads += 1
        return super().__iter__()


@pytest.mark.parametrize("sizes", [PLAIN, (4, 6, 5, 3)])
def test_a_predictor_computes_each_value_once_and_as_the_policy_does(sizes):
    network = PLAINLY.trained(
        Network.starting(sizes, 7), samples_for(Network.starting(sizes, 7), 8, 3), Training(0.5)
    )
    states = [CountedState(sample.state) for sample in samples_for(network, 20, 5)]
    expected = [PLAINLY.values(network, state) for state in states]
    predictor, CountedState.reads = Predictor(network), 0
    for _ in range(2):
        assert [[predictor.value(state, action) for action in range(3)] for state in states] == expected
    assert CountedState.reads == 20 * 3


def test_a_predictor_remembers_a_bounded_number_of_values(monkeypatch):
    monkeypatch.setattr("celestial_engine.core.learning.network._MOST_KNOWN", 5)
    network = Network.starting(PLAIN, 7)
    predictor = Predictor(network)
    for sample in samples_for(network, 12, 5):
        expected = PLAINLY.values(network, sample.state)[sample.action]
        assert predictor.value(tuple(sample.state), sample.action) == expected
        assert len(predictor._known) <= 5
