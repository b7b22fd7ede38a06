"""A small network that learns what each choice is worth. A value: learning gives another.

Layers of rectified units, the last one straight; the same code for 10-64-3 and for 394-256-128-3.
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

# An error beyond this pulls no harder: one furious user must not undo what a hundred turns have taught.
MOST_PULL = 1.0
_WEIGHTS_A_STEP = 10_000  # a few milliseconds in plain Python


@dataclass(frozen=True)
class Network:
    """Of each layer, unit after unit: its bias, then a weight for every input."""

    sizes: tuple[int, ...]
    layers: tuple[array[float], ...]

    @classmethod
    def starting(cls, sizes: tuple[int, ...], seed: int) -> Network:
        """Hidden units each listen to a mixture of their own; the outputs say 0, whatever they hear."""
        chance = uniforms(mixed(seed, *sizes))
        layers = [_listening(inputs, units, chance) for inputs, units in pairwise(sizes[:-1])]
        return cls(sizes, (*layers, array("d", bytes(8 * sizes[-1] * (sizes[-2] + 1)))))

    @property
    def sound(self) -> bool:
        """Its numbers are as many as its sizes say, and all are numbers."""
        counts = [units * (inputs + 1) for inputs, units in pairwise(self.sizes)]
        # One that is no number, or has no bound, spoils the whole sum.
        return [len(layer) for layer in self.layers] == counts and all(math.isfinite(sum(x)) for x in self.layers)


class Sample(NamedTuple):
    """What was seen, what was done, and what that was worth."""

    state: Sequence[float]
    action: int
    worth: float


class Training(NamedTuple):
    """How a step is taken; `dropout` of the hidden units sit it out, drawn by `seed`."""

    rate: float
    dropout: float = 0.0
    seed: int = 0


class Arithmetic(Protocol):
    """Who does the sums: the standard library, or NumPy where a network is large."""

    def batch(self, network: Network) -> int:
        """How many samples a step may have without holding anybody up."""
        ...

    def values(self, network: Network, state: Sequence[float]) -> list[float]:
        """What each action is worth in this state."""
        ...

    def trained(self, network: Network, samples: Sequence[Sample], training: Training) -> Network:
        """One step downhill: the value of what was done goes towards what it was worth."""
        ...


class PlainArithmetic:
    """The standard library: enough for a thousand weights."""

    def batch(self, network: Network) -> int:
        return max(1, min(8, _WEIGHTS_A_STEP // sum(map(len, network.layers))))

    def values(self, network: Network, state: Sequence[float]) -> list[float]:
        return [*_forward(_units(network), state, [None] * len(network.layers))[-1]]

    def trained(self, network: Network, samples: Sequence[Sample], training: Training) -> Network:
        if not samples:
            return network
        downhill = gradient(network, samples, masks_of(network.sizes, len(samples), training))
        layers = (
            array("d", (weight - training.rate * slope for weight, slope in zip(layer, slopes, strict=True)))
            for layer, slopes in zip(network.layers, downhill, strict=True)
        )
        return Network(network.sizes, tuple(layers))


Masks = Sequence[Sequence["array[float] | None"]]


def masks_of(sizes: tuple[int, ...], samples: int, training: Training) -> Masks:
    """For every sample and layer what its units are multiplied by: 0 for those that sit it out, more for the rest."""
    if not training.dropout:
        return [[None] * (len(sizes) - 1)] * samples
    chance = uniforms(training.seed)
    kept = 1.0 / (1.0 - training.dropout)
    return [
        [
            *(array("d", (kept * (next(chance) >= training.dropout) for _ in range(size))) for size in sizes[1:-1]),
            None,
        ]
        for _ in range(samples)
    ]


def gradient(network: Network, samples: Sequence[Sample], masks: Masks) -> list[list[float]]:
    """The slope of half the mean squared error, by every weight; beyond `MOST_PULL` the error grows straight."""
    layers = _units(network)
    slopes = [[[0.0] * len(unit) for unit in units] for units in layers]
    for sample, sitting_out in zip(samples, masks, strict=True):
        heard = _forward(layers, sample.state, sitting_out)
        error = heard[-1][sample.action] - sample.worth
        pull = [0.0] * network.sizes[-1]
        pull[sample.action] = max(-MOST_PULL, min(MOST_PULL, error)) / len(samples)
        for place in range(len(layers) - 1, -1, -1):
            mask = sitting_out[place - 1] if place else None
            pull = _backward(layers[place], slopes[place], heard[place], mask, pull, first=place == 0)
    return [[slope for unit in units for slope in unit] for units in slopes]


def _units(network: Network) -> list[list[list[float]]]:
    """Of every layer its units, each as its bias and its weights."""
    return [
        [layer[start : start + inputs + 1].tolist() for start in range(0, len(layer), inputs + 1)]
        for layer, inputs in zip(network.layers, network.sizes, strict=False)
    ]


def _forward(
    layers: list[list[list[float]]], state: Sequence[float], masks: Sequence[array[float] | None]
) -> list[Sequence[float]]:
    """What every layer hears, the answer last."""
    heard: list[Sequence[float]] = [state]
    for place, units in enumerate(layers):
        hearing = (1.0, *heard[-1])  # the first is for the bias
        said = [sum(map(mul, unit, hearing)) for unit in units]
        if place < len(layers) - 1:
            said = [max(0.0, value) for value in said]
        mask = masks[place]
        heard.append(said if mask is None else [*map(mul, said, mask)])
    return heard


def _backward(
    units: list[list[float]],
    slopes: list[list[float]],
    inputs: Sequence[float],
    mask: array[float] | None,
    pull: Sequence[float],
    *,
    first: bool,
) -> list[float]:
    """Adds a layer's slopes, and gives the pull on what it heard."""
    heard = (1.0, *inputs)
    behind = [0.0] * len(heard)
    for place, strength in enumerate(pull):
        if not strength:
            continue
        slopes[place] = [slope + strength * value for slope, value in zip(slopes[place], heard, strict=True)]
        if not first:
            behind = [force + strength * weight for force, weight in zip(behind, units[place], strict=True)]
    # A unit that was silent hears nothing of it.
    felt = [force if value > 0.0 else 0.0 for force, value in zip(behind[1:], inputs, strict=True)]
    return felt if mask is None else [*map(mul, felt, mask)]


def _listening(inputs: int, units: int, chance: Iterator[float]) -> array[float]:
    reach = math.sqrt(6.0 / inputs)
    layer = array("d")
    for _ in range(units):
        layer.append(0.0)
        layer.extend(reach * (2.0 * next(chance) - 1.0) for _ in range(inputs))
    return layer
