"""The trees that tell which statements a newer one ends: directions that the data may not turn round, plain cases."""

from __future__ import annotations

import random

import pytest

from celestial_engine.core.record.labels import Attribute, Lifetime, Subject
from celestial_engine.core.sameness.succession import REPLACES_BY_WORDS_FROM, Nearness, Statement
from celestial_engine.understanding import default_reader
from celestial_engine.understanding.succession import FEATURES, NO_VECTORS, with_lead
from celestial_engine.understanding.succession_trees import log_odds

WIDE = {
    "replaces": (-6, 6), "repeats": (-6, 6), "alike": (-6, 0), "ends": (-10, 6), "lead": (-16, 16),
    "closeness": (NO_VECTORS, 1),
}  # fmt: skip


@pytest.mark.parametrize("name", ["replaces", "closeness", "ends", "lead"])
def test_directions_are_fixed(name):
    dice, place = random.Random(name), FEATURES.index(name)
    for _ in range(200):
        values = [dice.uniform(*WIDE.get(each, (0, 3))) for each in FEATURES]
        steps = []
        for step in range(20):
            values[place] = -10 + step
            steps.append(log_odds(values))
        assert steps == sorted(steps)


def test_the_lead_is_before_the_likeliest_other_one():
    assert with_lead([2.0, -1.0, 1.5]) == [(2.0, 0.5), (-1.0, -3.0), (1.5, -0.5)]
    assert with_lead([1.0, 1.0]) == [(1.0, 0.0), (1.0, 0.0)]
    assert with_lead([None, 3.0])[0] == (-10.0, -13.0)
    assert with_lead([3.0]) == [(3.0, 3.0)]
    assert with_lead([-2.0]) == [(-2.0, -2.0)]
    assert with_lead([]) == []


def chances(newer: str, *older: str, near: Nearness | None = None) -> list[float]:
    reading = default_reader().read(newer)
    stored = [
        (Statement(f"m{place}", text, Subject.USER, Attribute.OTHER, Lifetime.LASTING), near)
        for place, text in enumerate(older)
    ]
    return default_reader().end_chances_of(newer, reading)(stored)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I like tea", "I like milk"),
        ("my dog is Rex", "my cat is Tom"),
        ("I take vitamin D", "I take iron as well"),
        ("My sister lives in Leeds", "My sister called from Leeds, she is painting the kitchen"),
        ("우리 형은 대전에 살아", "우리 누나는 대전에 살아"),
        ("비타민D 먹고 있어", "철분제도 먹고 있어"),
    ],
)
def test_what_is_true_beside_it_is_not_ended(older, newer):
    assert chances(newer, older)[0] < REPLACES_BY_WORDS_FROM


def test_a_change_points_to_what_it_ends():
    ended, *others = chances(
        "sold the car, it's the tram for me now",
        "I drive a red Fiat to work",
        "My sister is a nurse",
        "I like olives",
    )
    assert ended > max(others)


def test_nothing_is_ended_by_a_text_that_nobody_was_trained_for():
    assert chances("車を売りました", "I drive a red Fiat") == [0.0]
    assert chances("I sold the car") == []
