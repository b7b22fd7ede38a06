"""Repeatable random numbers from a seed, the same on every platform."""

from __future__ import annotations

from collections.abc import Iterator

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def mixed(*numbers: int) -> int:
    """Combines several numbers into one well-mixed seed (splitmix64)."""
    state = 0
    for number in numbers:
        state = _scrambled((state ^ (number & _MASK)) + _GOLDEN)
    return state


def uniforms(seed: int) -> Iterator[float]:
    """Yields endless numbers from 0 (inclusive) to 1 (exclusive)."""
    state = seed & _MASK
    while True:
        state = (state + _GOLDEN) & _MASK
        yield (_scrambled(state) >> 11) / (1 << 53)


def _scrambled(value: int) -> int:
    value &= _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)
