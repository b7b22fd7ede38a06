"""The trees that tell which memory found is outdated: directions that the data may not turn round."""

from __future__ import annotations

import random

import pytest

from celestial_engine.understanding.outdated import FEATURES, NO_VECTORS
from celestial_engine.understanding.outdated_trees import log_odds

RISING = ("replaces", "ends", "closeness", "answers", "newer answers")


def any_values(dice: random.Random) -> list[float]:
    wide = {"replaces": (-6, 6), "repeats": (-6, 6), "ends": (-10, 6), "closeness": (NO_VECTORS, 1)}
    odds = dict.fromkeys(("answers", "newer answers", "difference", "behind", "alike"), (-6, 6))
    return [dice.uniform(*({**wide, **odds}.get(name, (0, 3)))) for name in FEATURES]


@pytest.mark.parametrize("name", RISING)
def test_more_of_it_never_speaks_against(name):
    dice, place = random.Random(name), FEATURES.index(name)
    for _ in range(200):
        values = any_values(dice)
        steps = []
        for step in range(20):
            values[place] = -6 + 0.6 * step
            steps.append(log_odds(values))
        assert steps == sorted(steps)
