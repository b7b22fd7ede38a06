"""A small feed-forward network that learns the value of each action. Immutable: training returns a new one.

Hidden layers are ReLU, the last one is linear; the same code serves 10-64-3 and 394-256-128-3.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import mul
from typing import NamedTuple, Protocol

from celestial_engine.core.learning.seeded_random import mixed, uniforms

# Errors are clipped here, so that one furious user cannot undo what a hundred turns have taught.
MOST_PULL = 1.0
_WEIGHTS_A_STEP = 10_000  # a few milliseconds in plain Python
_MOST_KNOWN = 1_000  # values that a predictor remembers


@dataclass(frozen=True)
class Network:
    """Each layer holds, for every unit, its bias and then a weight for every input."""

    sizes: tuple[int, ...]
    layers: tuple[array[float], ...]

    @classmethod
    def starting(cls, sizes: tuple[int, ...], seed: int) -> Network:
        """Initial weights: hidden units are random, output weights are 0."""
        random_numbers = uniforms(mixed(seed, *sizes))
        layers = [_random_layer(inputs, units, random_numbers) for inputs, units in pairwise(sizes[:-1])]
        return cls(sizes, (*layers, array("d", bytes(8 * sizes[-1] * (sizes[-2] + 1)))))

    @property
    def sound(self) -> bool:
        """Whether the number of weights matches the sizes, and all are finite."""
        counts = [units * (inputs + 1) for inputs, units in pairwise(self.sizes)]
        # A NaN or infinity makes the whole sum non-finite.
        return [len(layer) for layer in self.layers] == counts and all(math.isfinite(sum(x)) for x in self.layers)


class Sample(NamedTuple):
    """A state, the action taken, and its reward."""

    state: Sequence[float]
    action: int
    worth: float


class Training(NamedTuple):
    """The parameters of a training step; `dropout` is the share of dropped hidden units, drawn by `seed`."""

    rate: float
    dropout: float = 0.0
    seed: int = 0


class Arithmetic(Protocol):
    """The computing backend: the standard library, or NumPy for large networks."""

    def batch(self, network: Network) -> int:
        """Returns how many samples a step may have without a noticeable delay."""
        ...

    def values(self, network: Network, state: Sequence[float]) -> list[float]:
        """Returns the value of each action in this state."""
        ...

    def trained(self, network: Network, samples: Sequence[Sample], training: Training) -> Network:
        """Returns the network after one gradient step of the action's value towards its reward."""
        ...


class PlainArithmetic:
    """The standard library; fast enough for a thousand weights."""

    def batch(self, network: Network) -> int:
        return max(1, min(8, _WEIGHTS_A_STEP // sum(map(len, network.layers))))

    def values(self, network: Network, state: Sequence[float]) -> list[float]:
        return [*_forward(_units(network), state, [None] * len(network.layers))[-1]]

    def trained(self, network: Network, samples: Sequence[Sample], training: Training) -> Network:
        if not samples:
            return network
        gradients = gradient(network, samples, masks_of(network.sizes, len(samples), training))
        layers = (
            array("d", (weight - training.rate * slope for weight, slope in zip(layer, slopes, strict=True)))
            for layer, slopes in zip(network.layers, gradients, strict=True)
        )
        return Network(network.sizes, tuple(layers))


class Predictor:
    """The value of one action in a state; remembers what it has computed, and unpacks the weights once."""

    def __init__(self, network: Network) -> None:
        *self._hidden, self._outputs = _units(network)
        self._known: dict[tuple[Sequence[float], int], float] = {}

    def value(self, state: tuple[float, ...], action: int) -> float:
        known = self._known.get((state, action))
        if known is None:
            inputs: Sequence[float] = (1.0, *state)  # the first is for the bias
            for units in self._hidden:
                inputs = (1.0, *(max(0.0, sum(map(mul, unit, inputs))) for unit in units))
            known = sum(map(mul, self._outputs[action], inputs))
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[state, action] = known
        return known


Masks = Sequence[Sequence["array[float] | None"]]


def masks_of(sizes: tuple[int, ...], samples: int, training: Training) -> Masks:
    """Returns dropout masks per sample and layer: 0 for dropped units, a scale above 1 for the others."""
    if not training.dropout:
        return [[None] * (len(sizes) - 1)] * samples
    random_numbers = uniforms(training.seed)
    scale = 1.0 / (1.0 - training.dropout)
    return [
        [
            *(
                array("d", (scale * (next(random_numbers) >= training.dropout) for _ in range(size)))
                for size in sizes[1:-1]
            ),
            None,
        ]
        for _ in range(samples)
    ]


def gradient(network: Network, samples: Sequence[Sample], masks: Masks) -> list[list[float]]:
    """Returns the gradient of half the mean squared error for every weight, clipped at `MOST_PULL` (Huber)."""
    layers = _units(network)
    slopes = [[[0.0] * len(unit) for unit in units] for units in layers]
    for sample, mask_row in zip(samples, masks, strict=True):
        activations = _forward(layers, sample.state, mask_row)
        error = activations[-1][sample.action] - sample.worth
        delta = [0.0] * network.sizes[-1]
        delta[sample.action] = max(-MOST_PULL, min(MOST_PULL, error)) / len(samples)
        for index in range(len(layers) - 1, -1, -1):
            mask = mask_row[index - 1] if index else None
            delta = _backward(layers[index], slopes[index], activations[index], mask, delta, first=index == 0)
    return [[slope for unit in units for slope in unit] for units in slopes]


def _units(network: Network) -> list[list[list[float]]]:
    """Returns the units of every layer, each as its bias and weights."""
    return [
        [layer[start : start + inputs + 1].tolist() for start in range(0, len(layer), inputs + 1)]
        for layer, inputs in zip(network.layers, network.sizes, strict=False)
    ]


def _forward(
    layers: list[list[list[float]]], state: Sequence[float], masks: Sequence[array[float] | None]
) -> list[Sequence[float]]:
    """Returns the input of every layer, and the output last."""
    activations: list[Sequence[float]] = [state]
    for index, units in enumerate(layers):
        inputs = (1.0, *activations[-1])  # the first is for the bias
        outputs = [sum(map(mul, unit, inputs)) for unit in units]
        if index < len(layers) - 1:
            outputs = [max(0.0, value) for value in outputs]
        mask = masks[index]
        activations.append(outputs if mask is None else [*map(mul, outputs, mask)])
    return activations


def _backward(
    units: list[list[float]],
    slopes: list[list[float]],
    inputs: Sequence[float],
    mask: array[float] | None,
    delta: Sequence[float],
    *,
    first: bool,
) -> list[float]:
    """Adds the layer's gradient to `slopes`, and returns the delta of its inputs."""
    biased_inputs = (1.0, *inputs)
    input_delta = [0.0] * len(biased_inputs)
    for index, strength in enumerate(delta):
        if not strength:
            continue
        slopes[index] = [slope + strength * value for slope, value in zip(slopes[index], biased_inputs, strict=True)]
        if not first:
            input_delta = [force + strength * weight for force, weight in zip(input_delta, units[index], strict=True)]
    # An inactive ReLU passes no gradient.
    active = [force if value > 0.0 else 0.0 for force, value in zip(input_delta[1:], inputs, strict=True)]
    return active if mask is None else [*map(mul, active, mask)]


def _random_layer(inputs: int, units: int, random_numbers: Iterator[float]) -> array[float]:
    bound = math.sqrt(6.0 / inputs)
    layer = array("d")
    for _ in range(units):
        layer.append(0.0)
        layer.extend(bound * (2.0 * next(random_numbers) - 1.0) for _ in range(inputs))
    return layer
