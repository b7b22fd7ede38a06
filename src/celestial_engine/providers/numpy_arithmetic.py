"""The learner's sums by NumPy: for networks of a hundred thousand weights."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from celestial_engine.core.learning.network import MOST_PULL, Network, Sample, Training, masks_of

_BATCH = 32


class NumpyArithmetic:
    """Gives what `PlainArithmetic` gives, sooner."""

    def __init__(self, numpy: Any) -> None:
        self._np = numpy

    def batch(self, network: Network) -> int:
        return _BATCH

    def values(self, network: Network, state: Sequence[float]) -> list[float]:
        heard = self._np.asarray([state], dtype="float64")
        for place, layer in enumerate(self._layers(network)):
            heard = heard @ layer[:, 1:].T + layer[:, 0]
            if place < len(network.layers) - 1:
                heard = self._np.maximum(heard, 0.0)
        return [float(value) for value in heard[0]]

    def trained(self, network: Network, samples: Sequence[Sample], training: Training) -> Network:
        if not samples:
            return network
        np, layers = self._np, self._layers(network)
        masks = masks_of(network.sizes, len(samples), training)
        heard = [np.asarray([sample.state for sample in samples], dtype="float64")]
        sitting_out: list[Any] = []
        for place, layer in enumerate(layers):
            said = heard[-1] @ layer[:, 1:].T + layer[:, 0]
            mask = None
            if place < len(layers) - 1:
                said = np.maximum(said, 0.0)
                if training.dropout:
                    mask = np.asarray([row[place] for row in masks])
                    said = said * mask
            heard.append(said)
            sitting_out.append(mask)
        rows, actions = np.arange(len(samples)), [sample.action for sample in samples]
        errors = heard[-1][rows, actions] - np.asarray([sample.worth for sample in samples])
        pull = np.zeros_like(heard[-1])
        pull[rows, actions] = np.clip(errors, -MOST_PULL, MOST_PULL) / len(samples)
        stepped: list[array[float]] = []
        for place in range(len(layers) - 1, -1, -1):
            slopes = np.concatenate([pull.sum(axis=0)[:, None], pull.T @ heard[place]], axis=1)
            if place:
                pull = (pull @ layers[place][:, 1:]) * (heard[place] > 0.0)
                if sitting_out[place - 1] is not None:
                    pull = pull * sitting_out[place - 1]
            stepped.insert(0, array("d", (layers[place] - training.rate * slopes).astype("float64").tobytes()))
        return Network(network.sizes, tuple(stepped))

    def _layers(self, network: Network) -> list[Any]:
        return [
            self._np.frombuffer(layer, dtype="float64").reshape(units, -1)
            for layer, units in zip(network.layers, network.sizes[1:], strict=True)
        ]


def numpy_arithmetic() -> NumpyArithmetic | None:
    """None where NumPy is not installed."""
    try:
        return NumpyArithmetic(import_module("numpy"))
    except ImportError:
        return None
