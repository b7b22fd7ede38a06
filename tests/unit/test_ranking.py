"""Fusion: two lists on one scale, and the orbit as a prior that never wins alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.bm25 import bm25, rarity
from celestial_engine.core.ranking import Match, fuse, order

matches = st.dictionaries(st.sampled_from("abcdef"), st.floats(0.01, 20), max_size=6).map(
    lambda scores: [Match(name, score) for name, score in scores.items()]
)


@given(matches, matches)
def test_relevance_lies_between_nothing_and_all(words, vectors):
    fused = fuse(words, vectors)
    assert set(fused) == {match.item_id for match in [*words, *vectors]}
    assert all(0.0 <= relevance <= 1.0 + 1e-9 for relevance in fused.values())


def test_crowded_cosines_do_not_drown_the_words():
    """0.88 against 0.84 is a clear verdict of a model whose strangers meet at 0.78."""
    words = [Match("a", 10.0), Match("b", 1.0)]
    vectors = [Match("b", 0.85), Match("a", 0.84), Match("c", 0.88), Match("d", 0.79)]
    fused = fuse(words, vectors)
    assert max(fused, key=fused.__getitem__) == "a"
    assert fused["c"] > fused["d"]


def test_one_list_alone_decides_alone():
    assert fuse([Match("a", 4.0), Match("b", 2.0)], []) == {"a": 1.0, "b": 0.5}
    assert fuse([], [Match("a", 0.9)]) == {"a": 1.0}
    assert fuse([], []) == {}


def test_the_orbit_breaks_ties_and_no_more():
    assert order({"far": 0.5, "near": 0.5}, {"far": -0.3, "near": 0.69}) == ["near", "far"]
    assert order({"far": 0.7, "near": 0.5}, {"far": -0.3, "near": 0.69}) == ["far", "near"]


def test_rare_words_tell_more_and_repetition_saturates():
    assert rarity(1, 100) > rarity(50, 100) > rarity(100, 100) >= 0
    once, twice, many, none = bm25([["a"], ["a"] * 2, ["a"] * 50, ["b"]], {"a": 1.0})
    assert none == 0 < once
    assert twice < 2 * once
    assert many < 3 * once
