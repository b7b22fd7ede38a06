"""Fakes for tests: a clock, and an embedder without a model."""

from __future__ import annotations

import hashlib
import math

from celestial_engine.core.text.words import index_words


class FakeClock:
    """A clock that moves only by `advance`."""

    def __init__(self, now: float = 1_750_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def advance(self, *, days: float = 0.0, hours: float = 0.0, minutes: float = 0.0, seconds: float = 0.0) -> None:
        self.now += seconds + 60.0 * (minutes + 60.0 * (hours + 24.0 * days))


def bag_of_words(text: str, dimensions: int = 64) -> list[float]:
    """A simple embedding: texts that share words are close to each other."""
    vector = [0.0] * dimensions
    for word in index_words(text):
        digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
        vector[int.from_bytes(digest[:4], "big") % dimensions] += 1.0 if digest[4] & 1 else -1.0
    norm = math.hypot(*vector)
    return [value / norm for value in vector] if norm else [1.0] + [0.0] * (dimensions - 1)
