"""Forms of one English word share a stem; different words do not."""

from __future__ import annotations

import pytest

from celestial_engine.core.text.stemming import stem


@pytest.mark.parametrize(
    "forms",
    ["paint painted painting paints", "study studies studied studying", "hop hops hopped hopping", "hope hoped hoping",
     "agency agencies", "adopt adopted adoption", "go went gone goes going", "buy bought buying", "child children",
     "relate related relational", "happy happiness", "care cared caring cares", "agree agreed", "conflate conflated",
     "mother mom mum"],
)  # fmt: skip
def test_forms_of_one_word(forms):
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("words", ["hop hope", "sing sting", "bus busy", "run rung", "policy police", "wand wander"])
def test_words_that_stay_apart(words):
    first, second = words.split()
    assert stem(first) != stem(second)


@pytest.mark.parametrize("word", ["", "a", "is", "커피", "gpt4", "café", "1991"])
def test_what_is_not_an_english_word_is_left_alone(word):
    assert stem(word) == word
