"""The trees that tell repetitions: directions that the data may not turn round, and plain cases."""

from __future__ import annotations

import random

import pytest

from celestial_engine.core.record.labels import Attribute, Lifetime, Subject
from celestial_engine.core.sameness.succession import SAME_FROM, Statement
from celestial_engine.understanding import default_reader
from celestial_engine.understanding.repetition import FEATURES, NO_VECTORS
from celestial_engine.understanding.repetition_trees import log_odds

RISING = ("union", "older parts", "newer parts", "older pairs", "newer pairs", "closeness")
FALLING = ("older own", "newer own", "other numbers")


def any_values(dice: random.Random) -> list[float]:
    wide = {"replaces": (-6, 6), "repeats": (-6, 6), "alike": (-6, 0), "ends": (-10, 6), "closeness": (NO_VECTORS, 1)}
    return [dice.uniform(*wide.get(name, (0, 3))) for name in FEATURES]


@pytest.mark.parametrize(("name", "direction"), [*((n, 1) for n in RISING), *((n, -1) for n in FALLING)])
def test_directions_are_fixed(name, direction):
    dice, place = random.Random(name), FEATURES.index(name)
    for _ in range(200):
        values = any_values(dice)
        steps = []
        for step in range(20):
            values[place] = -1 + 0.3 * step
            steps.append(direction * log_odds(values))
        assert steps == sorted(steps)


def chance(older: str, newer: str) -> float:
    statement = Statement("m1", older, Subject.USER, Attribute.OTHER, Lifetime.LASTING)
    return default_reader().repetition_of(newer, default_reader().read(newer))(statement, None)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I like tea", "I like milk"),
        ("my dog is Rex", "my cat is Tom"),
        ("I take vitamin D", "I take iron as well"),
        ("My sister lives in Leeds", "My brother lives in Leeds"),
        ("The meeting is on 3 May", "The meeting is on 4 May"),
        ("나는 커피를 좋아해", "나는 홍차를 좋아해"),
        ("우리 형은 대전에 살아", "우리 누나는 대전에 살아"),
        ("비타민D 먹고 있어", "철분제도 먹고 있어"),
    ],
)
def test_another_thing_of_the_same_kind_is_no_repetition(older, newer):
    assert chance(older, newer) < SAME_FROM


def test_a_text_that_nobody_was_trained_for_repeats_nothing():
    assert chance("私は紅茶が好きです", "紅茶が好きです") == 0.0
