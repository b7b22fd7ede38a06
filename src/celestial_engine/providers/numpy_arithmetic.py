"""The learner's arithmetic with NumPy: for networks of a hundred thousand weights."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from celestial_engine.core.learning.network import MOST_PULL, Network, Sample, Training, masks_of

_BATCH = 32


class NumpyArithmetic:
    """Computes the same as `PlainArithmetic`, faster."""

    def __init__(self, numpy: Any) -> None:
        self._np = numpy

    def batch(self, network: Network) -> int:
        return _BATCH

    def values(self, network: Network, state: Sequence[float]) -> list[float]:
        activations = self._np.asarray([state], dtype="float64")
        for place, layer in enumerate(self._layers(network)):
            activations = activations @ layer[:, 1:].T + layer[:, 0]
            if place < len(network.layers) - 1:
                activations = self._np.maximum(activations, 0.0)
        return [float(value) for value in activations[0]]

    def trained(self, network: Network, samples: Sequence[Sample], training: Training) -> Network:
        if not samples:
            return network
        np, layers = self._np, self._layers(network)
        masks = masks_of(network.sizes, len(samples), training)
        activations = [np.asarray([sample.state for sample in samples], dtype="float64")]
        dropped: list[Any] = []
        for place, layer in enumerate(layers):
            output = activations[-1] @ layer[:, 1:].T + layer[:, 0]
            mask = None
            if place < len(layers) - 1:
                output = np.maximum(output, 0.0)
                if training.dropout:
                    mask = np.asarray([row[place] for row in masks])
                    output = output * mask
            activations.append(output)
            dropped.append(mask)
        rows, actions = np.arange(len(samples)), [sample.action for sample in samples]
        errors = activations[-1][rows, actions] - np.asarray([sample.worth for sample in samples])
        pull = np.zeros_like(activations[-1])
        pull[rows, actions] = np.clip(errors, -MOST_PULL, MOST_PULL) / len(samples)
        stepped: list[array[float]] = []
        for place in range(len(layers) - 1, -1, -1):
            slopes = np.concatenate([pull.sum(axis=0)[:, None], pull.T @ activations[place]], axis=1)
            if place:
                pull = (pull @ layers[place][:, 1:]) * (activations[place] > 0.0)
                if dropped[place - 1] is not None:
                    pull = pull * dropped[place - 1]
            stepped.insert(0, array("d", (layers[place] - training.rate * slopes).astype("float64").tobytes()))
        return Network(network.sizes, tuple(stepped))

    def _layers(self, network: Network) -> list[Any]:
        return [
            self._np.frombuffer(layer, dtype="float64").reshape(units, -1)
            for layer, units in zip(network.layers, network.sizes[1:], strict=True)
        ]


def numpy_arithmetic() -> NumpyArithmetic | None:
    """Returns None if NumPy is not installed."""
    try:
        return NumpyArithmetic(import_module("numpy"))
    except ImportError:
        return None
