"""What is learned of ranks: what pleases comes first, relevance still counts, and exams watch over it."""

from __future__ import annotations

import pytest

from celestial_engine.core.learning.credit import PendingHit, PendingTurn, held_out
from celestial_engine.core.learning.learned_policy import HitExam, Learned, LearningSettings, credited, ranks_worse
from celestial_engine.core.learning.network import PlainArithmetic
from celestial_engine.core.learning.reranker import Reranker
from celestial_engine.core.learning.seeded_random import uniforms
from celestial_engine.core.turn.policy import Action, Phase

PLAINLY = PlainArithmetic()


def hit(similarity: float, recency: float) -> PendingHit:
    return PendingHit("m", (similarity, 0.2, 0.0, recency, *[0.1] * 7))


def scored(reranker: Reranker, relevance: float, recency: float) -> float:
    return reranker.score(relevance, hit(0.5, recency).features)


def test_the_reranker_learns_what_pleases():
    """Here fresh memories please and old ones do not; a little relevance no longer decides alone."""
    settings, learned = LearningSettings(), Learned.starting(LearningSettings())
    chance = uniforms(3)
    for number in range(400):
        recency = next(chance)
        turn = PendingTurn(f"r{number}", "s", 0.0, Action.RETRIEVE, Phase.RULES, (0.0,) * 10, Action.RETRIEVE,
                         Action.RETRIEVE, hits=(hit(0.4 + 0.2 * next(chance), recency),))  # fmt: skip
        learned = credited(learned, turn, 1.0 if recency > 0.5 else -1.0, [], settings, PLAINLY, explicit=True)
    assert scored(Reranker.starting(), 0.50, 0.9) < scored(Reranker.starting(), 0.55, 0.1)
    assert scored(learned.ranks_with, 0.50, 0.9) > scored(learned.ranks_with, 0.55, 0.1)
    assert learned.reranker_updates > 300
    assert learned.reranker_on
    # relevance still counts for more than anything learned
    assert scored(learned.ranks_with, 1.5, 0.1) > scored(learned.ranks_with, 0.50, 0.9)


def test_a_reranker_is_its_relevance_and_what_it_adds(random_network):
    fresh = Reranker.starting()
    assert Reranker.of(fresh.addition()) == fresh
    addition = random_network(fresh.addition().sizes, 8)
    learned = Reranker.of(addition)
    for relevance in (0.0, 0.7, 3.0):
        values = hit(0.6, 0.4).features
        assert learned.score(relevance, values) == pytest.approx(relevance + PLAINLY.values(addition, values)[0])


def test_one_turn_in_five_examines_the_reranker():
    share = sum(held_out(f"turn-{number}") for number in range(2000)) / 2000
    assert share == pytest.approx(0.2, abs=0.03)


def test_the_reranker_is_examined_too():
    assert ranks_worse([HitExam(0.1, -0.5), HitExam(-0.1, 0.4)] * 20)
    assert not ranks_worse([HitExam(0.1, 0.5), HitExam(-0.1, -0.4)] * 20)
    assert not ranks_worse([HitExam(0.1, -0.5)] * 5)
