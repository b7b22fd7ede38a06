"""The reranker: eleven features, and an order it does not touch before it has learnt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.learning.reranker import FEATURES, HIDDEN, Reranker, features
from celestial_engine.core.record.item import Category
from celestial_engine.core.retrieval.ranking import Candidate, Evidence, GraphMatch, ListRank

DAY = 86_400.0


def evidence(
    relevance: float = 0.5, graph: GraphMatch | None = None, cosine: float | None = None, **more
) -> Evidence:
    candidate = Candidate("m", 1, more.pop("recalls", 0), 0.0, 0.5, 0.0, 0.0, "커피를 좋아한다", **more)
    lists = {} if cosine is None else {"vectors": ListRank(cosine, 1)}
    return Evidence.of(candidate, lists, {"words": relevance}, graph)


def values(one: Evidence, category: Category | None = None, now: float = 0.0) -> dict[str, float]:
    found = features(one, frozenset(["커피", "차"]), frozenset(["커피", "좋아"]), category, now)
    return dict(zip(FEATURES, found, strict=True))


def test_it_is_eleven_to_thirty_two_to_one():
    fresh = Reranker.starting()
    assert len(FEATURES) == 11
    assert (len(fresh.hidden), HIDDEN) == (32, 32)
    assert {len(row) for row in fresh.hidden} == {11}
    assert len(set(fresh.hidden)) == 32  # no two units alike, or they would learn alike for ever


@given(st.lists(st.floats(-2, 4), min_size=2, max_size=20, unique_by=lambda value: round(value, 6)))
def test_before_learning_the_order_is_the_one_it_was_given(relevances):
    fresh = Reranker.starting()
    # the cosines are in another order
    candidates = [evidence(relevance, cosine=1 / (3 + relevance)) for relevance in relevances]
    scores = [fresh.score(one.relevance, tuple(values(one).values())) for one in candidates]
    assert scores == relevances
    assert sorted(range(len(scores)), key=scores.__getitem__) == sorted(
        range(len(scores)), key=relevances.__getitem__
    )


def test_each_feature_says_what_its_name_says():
    plain = values(evidence())
    assert values(evidence(relevance=0.9, cosine=0.84))["similarity"] == 0.84
    assert values(evidence(cosine=-0.1))["similarity"] == 0.0
    assert plain["similarity"] == 0.5, "without vectors: the share of the question's words"
    assert plain["keyword_overlap"] == pytest.approx(1 / 3)
    assert values(evidence(category=Category.PREFERENCE.value), Category.PREFERENCE)["category_match"] == 1.0
    assert values(evidence(category=Category.PREFERENCE.value), Category.FACT)["category_match"] == 0.0
    assert values(evidence(recalls=1000))["access_frequency"] == 1.0
    assert values(evidence(links=2))["has_related"] == 1.0
    assert values(evidence(resolutions=3))["resolution_available"] == 1.0
    told = values(evidence(graph=GraphMatch("m", 0.5, 1, 5, True)))
    assert (told["graph_connection_count"], told["graph_hop_distance"]) == (0.5, 0.5)
    assert told["has_negative_relation"] == 1.0
    assert (plain["graph_hop_distance"], plain["has_negative_relation"]) == (0.0, 0.0)


def test_moods_pass_sooner_than_principles():
    week = 7 * DAY
    mood = values(evidence(category=Category.EMOTION.value), now=week)["recency"]
    principle = values(evidence(category=Category.CORE_PRINCIPLE.value), now=week)["recency"]
    assert mood == pytest.approx(0.5)
    assert principle > 0.99
