"""Relevance: the lists on one scale, the signals beside them, and an order that can be explained."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.retrieval.bm25 import WordWeights, average_length, rarity
from celestial_engine.core.retrieval.ranking import (
    Candidate,
    Evidence,
    Match,
    RecallSettings,
    best_first,
    share_of_cosines,
    share_of_words,
)
from celestial_engine.errors import ConfigError


def a_standing(item_id: str = "m", position: int = 1, content: str = "text", **more) -> Candidate:
    return Candidate(item_id, position, 0, 0.0, 0.5, 0.0, 0.0, content, **more)


def evidence(item_id: str, position: int = 1, **parts: float) -> Evidence:
    return Evidence.of(a_standing(item_id, position), {}, parts)


def test_rare_words_tell_more_and_repetition_saturates():
    assert rarity(1, 100) > rarity(50, 100) > rarity(100, 100) >= 0
    weights = WordWeights({"a": 1.0}, average_length([["a"], ["a"] * 2, ["a"] * 50, ["b"]]))
    once, twice, many, none = (weights.score(text) for text in (["a"], ["a"] * 2, ["a"] * 50, ["b"]))
    assert none == 0 < once
    assert twice < 2 * once
    assert many < 3 * once


def test_half_the_words_are_half_an_answer_even_if_nobody_has_more():
    """The best of a poor list must not look as good as the best of a rich one."""
    weights = WordWeights({"known": 2.0, "unheard": 2.0}, 2.0)
    share = share_of_words(weights, [Match("m", 2.0)])
    assert share(2.0) == 0.5
    assert share(0.0) == 0.0


@given(st.lists(st.floats(0, 50), min_size=1), st.dictionaries(st.text(min_size=1), st.floats(0, 10)))
def test_no_share_of_words_is_above_one(scores, rarities):
    matches = [Match(str(place), score) for place, score in enumerate(scores)]
    share = share_of_words(WordWeights(rarities, 5.0), matches)
    assert all(0.0 <= share(score) <= 1.0 + 1e-9 for score in scores)


def test_a_cosine_is_judged_by_what_strangers_have():
    """0.88 is much where strangers meet at 0.78, and little where they meet at 0.87."""
    crowded = [0.78 + 0.02 * ((n % 5) - 2) / 2 for n in range(50)]
    higher = [0.87 + 0.02 * ((n % 5) - 2) / 2 for n in range(50)]
    assert share_of_cosines(crowded, float)(0.88) > 0.8
    assert share_of_cosines(higher, float)(0.88) < 0.2
    assert share_of_cosines(crowded, float)(0.78) == pytest.approx(0.0)


def test_with_few_memories_the_model_itself_says_what_is_close():
    assert share_of_cosines([0.1, 0.9], lambda cosine: cosine / 2)(0.8) == 0.4
    assert share_of_cosines([0.5] * 100, lambda cosine: cosine / 2)(0.8) == 0.4  # all alike: no scale to take


def test_relevance_is_the_sum_of_its_parts_and_orders():
    good, better, equal_but_newer = (
        evidence("a", words=0.3),
        evidence("b", words=0.3, speaker=0.3),
        evidence("c", 2, words=0.3),
    )
    assert [one.item_id for one in best_first([good, better, equal_but_newer])] == ["b", "c", "a"]
    assert better.relevance == pytest.approx(0.6)
    assert good.with_parts({"orbit": 0.1}).relevance == pytest.approx(0.4)
    assert good.relevance == pytest.approx(0.3)


def test_bad_settings_name_every_bad_field():
    with pytest.raises(ConfigError, match=r"words.*talk"):
        RecallSettings(words=-1, talk=float("nan"))
    for bad in ({"pool": 0}, {"pool": 40.5}, {"pool": 10**19}, {"reranked": True}):
        with pytest.raises(ConfigError, match=next(iter(bad))):
            RecallSettings(**bad)
    with pytest.raises(ConfigError, match="words"):
        RecallSettings(words="much")
