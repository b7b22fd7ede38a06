"""The mathematics of learning together: clipping, noise, epsilon, Krum, staleness."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celestial_engine.core.federation.aggregation import (
    TooFewUpdatesError,
    aggregate,
    coordinate_median,
    krum,
    krum_scores,
    multi_krum,
    staleness_weight,
    updates_needed,
)
from celestial_engine.core.federation.privacy import epsilon
from celestial_engine.core.federation.settings import Aggregation
from celestial_engine.core.federation.vectors import clipped, mixed_vectors, noised, weighted_mean

NUMBERS = st.floats(-1e30, 1e30, allow_nan=False)
SMALL = st.floats(-1.0, 1.0, allow_nan=False, width=32)
VECTORS = st.lists(NUMBERS, min_size=1, max_size=40).map(tuple)


@given(VECTORS, st.floats(1e-3, 1e3))
def test_clipping_bounds_the_norm_and_keeps_the_direction(vector: tuple[float, ...], most: float) -> None:
    short = clipped(vector, most)
    assert math.hypot(*short) <= most * (1 + 1e-9)
    norm = math.hypot(*vector)
    if norm > 0:
        scale = math.hypot(*short) / norm
        assert all(
            math.isclose(a, b * scale, rel_tol=1e-6, abs_tol=1e-12) for a, b in zip(short, vector, strict=True)
        )


@given(VECTORS, st.floats(1e-3, 1e3))
def test_clipping_twice_changes_nothing_more(vector: tuple[float, ...], most: float) -> None:
    once = clipped(vector, most)
    assert all(math.isclose(a, b, rel_tol=1e-9) for a, b in zip(clipped(once, most), once, strict=True))


def test_clipping_leaves_short_vectors_and_survives_the_largest_numbers() -> None:
    assert clipped((0.3, 0.4), 0.5) == (0.3, 0.4)
    assert clipped((0.0, 0.0), 0.5) == (0.0, 0.0)
    assert math.isclose(math.hypot(*clipped((1.7e308, 1.7e308), 0.5)), 0.5)


def test_noise_has_the_asked_for_deviation_and_no_bias() -> None:
    chance = random.Random(5)
    values = noised((0.0,) * 40_000, 2.0, iter(chance.random, None))
    mean = math.fsum(values) / len(values)
    assert abs(mean) < 0.05
    assert math.isclose(math.sqrt(math.fsum(value**2 for value in values) / len(values)), 2.0, rel_tol=0.02)
    assert noised((1.0, 2.0), 0.0, iter(())) == (1.0, 2.0)


@pytest.mark.parametrize(
    ("noise", "releases", "expected"),
    [(1, 1, 4.7285), (1, 10, 19.0536), (2, 100, 35.0818), (11.6, 100, 3.9905), (5, 1000, 48.8017)],
)
def test_epsilon_agrees_with_dp_accounting(noise: float, releases: int, expected: float) -> None:
    """The figures of `dp-accounting` 0.6 (RdpAccountant, delta 1e-5), which tries fewer orders than we do.

    `nox -s dp_accounting` compares with the package itself (tests/adapters/dp_accounting).
    """
    assert epsilon(noise, releases, 1e-5) <= expected + 1e-4
    assert epsilon(noise, releases, 1e-5) == pytest.approx(expected, rel=2e-3)


def test_epsilon_of_nothing_sent_is_nothing_and_without_noise_unbounded() -> None:
    assert epsilon(5.0, 0, 1e-5) == 0.0
    assert epsilon(0.0, 1, 1e-5) == math.inf


@given(st.floats(0.5, 50), st.integers(1, 1_000), st.floats(1e-9, 1e-2))
def test_epsilon_grows_with_releases_and_falls_with_noise(noise: float, releases: int, delta: float) -> None:
    here = epsilon(noise, releases, delta)
    assert epsilon(noise, releases + 1, delta) >= here - 1e-9
    assert epsilon(noise * 1.5, releases, delta) <= here + 1e-9


def _crowd(honest: int, seed: int, size: int = 12) -> list[tuple[float, ...]]:
    chance = random.Random(seed)
    return [tuple(1.0 + chance.gauss(0.0, 0.1) for _ in range(size)) for _ in range(honest)]


@given(st.integers(1, 3), st.integers(0, 1_000), st.floats(-1e6, 1e6).filter(lambda x: abs(x - 1) > 5))
@settings(max_examples=60)
def test_krum_never_chooses_colluding_attackers_far_away(attackers: int, seed: int, where: float) -> None:
    honest = _crowd(updates_needed(attackers) - attackers, seed)
    updates = [*honest, *[(where,) * 12] * attackers]
    assert krum(updates, attackers) < len(honest)
    assert set(multi_krum(updates, attackers)) == set(range(len(honest)))


@given(st.integers(0, 4), st.integers(0, 10))
def test_krum_refuses_fewer_than_two_f_plus_three(attackers: int, count: int) -> None:
    updates = [(float(place),) for place in range(count)]
    if count >= 2 * attackers + 3:
        assert len(krum_scores(updates, attackers)) == count
        return
    with pytest.raises(TooFewUpdatesError) as refused:
        krum_scores(updates, attackers)
    assert (refused.value.needed, refused.value.got) == (2 * attackers + 3, count)


@given(st.permutations(range(7)), st.integers(0, 99))
def test_the_order_of_updates_does_not_matter(order: list[int], seed: int) -> None:
    updates = _crowd(7, seed)
    shuffled = [updates[place] for place in order]
    for method in Aggregation:
        first = aggregate(updates, [1.0] * 7, method, 2).vector
        second = aggregate(shuffled, [1.0] * 7, method, 2).vector
        assert all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(first, second, strict=True))


@given(st.lists(st.tuples(SMALL, SMALL, SMALL), min_size=5, max_size=11), st.sampled_from(list(Aggregation)))
def test_an_aggregate_stays_within_what_was_sent(updates: list[tuple[float, ...]], method: Aggregation) -> None:
    result = aggregate(updates, [1.0] * len(updates), method, 1)
    for value, column in zip(result.vector, zip(*updates, strict=True), strict=True):
        assert min(column) - 1e-9 <= value <= max(column) + 1e-9


@given(st.lists(st.tuples(SMALL, SMALL), min_size=3, max_size=9), st.floats(-1e9, 1e9))
def test_a_minority_cannot_move_the_median_out_of_the_honest_range(
    honest: list[tuple[float, ...]], far: float
) -> None:
    attackers = [(far, -far)] * ((len(honest) - 1) // 2)
    for value, column in zip(coordinate_median([*honest, *attackers]), zip(*honest, strict=True), strict=True):
        assert min(column) <= value <= max(column)


@given(st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=9), st.integers(0, 8))
def test_a_weight_of_zero_is_absence(vectors: list[tuple[float, ...]], place: int) -> None:
    place %= len(vectors)
    weights = [1.0] * len(vectors)
    weights[place] = 0.0
    if len(vectors) == 1:
        return
    rest = vectors[:place] + vectors[place + 1 :]
    expected = weighted_mean(rest, [1.0] * len(rest))
    assert weighted_mean(vectors, weights) == pytest.approx(expected, abs=1e-12)


@given(st.floats(-1e9, 1e9), st.floats(1.0, 1e7))
def test_staleness_halves_and_never_exceeds_one(age: float, half_life: float) -> None:
    weight = staleness_weight(age, half_life)
    assert 0.0 < weight <= 1.0 or age > 500 * half_life
    assert staleness_weight(max(0.0, age) + half_life, half_life) == pytest.approx(weight / 2, rel=1e-6)


def test_only_clear_outliers_are_named() -> None:
    """Somebody is always the farthest; that alone is no reason to distrust anybody."""
    honest = _crowd(8, 3)
    assert aggregate(honest, [1.0] * 8, Aggregation.MULTI_KRUM, 1).outliers == ()
    result = aggregate([*honest[:7], (-9.0,) * 12], [1.0] * 8, Aggregation.MULTI_KRUM, 1)
    assert result.outliers == (7,)
    assert 7 not in result.used
    assert aggregate([(0.0,)] * 6 + [(1.0,)], [1.0] * 7, Aggregation.MULTI_KRUM, 1).outliers == ()


def test_mixing_is_between_the_two() -> None:
    assert mixed_vectors((1.0, 0.0), (0.0, 1.0), 0.25) == (0.25, 0.75)
