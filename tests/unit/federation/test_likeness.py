"""Likeness: peers count by how well their policies predict the own rewards; who is unlike counts nothing."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from celestial_engine.core.federation.likeness import (
    COMPARED_TURNS,
    FEWEST_TURNS,
    candidate_from,
    comparable_turns,
    likeness,
)
from celestial_engine.core.federation.parameters import POLICY_WEIGHTS, WEIGHTS, update_of
from celestial_engine.core.learning.credit import PendingTurn
from celestial_engine.core.learning.learned_policy import Learned, credited
from celestial_engine.core.learning.network import PlainArithmetic
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.turn.policy import Action, Phase

SETTINGS = LearningSettings()
START = Learned.starting(SETTINGS)


def life(likes_saving: bool, seed: int, count: int = 300) -> tuple[list[PendingTurn], Learned]:
    """The rewarded turns of somebody who wants everything saved, or nothing, and what a policy learned from them."""
    chance, learned, past = random.Random(seed), START, []
    for number in range(count):
        action = Action.SAVE if chance.random() < 0.5 else Action.SKIP
        reward = 1.0 if (action is Action.SAVE) is likes_saving else -1.0
        state = tuple(chance.random() for _ in range(10))
        turn = PendingTurn(str(number), None, 0.0, action, Phase.RULES, state, action, action, reward=reward)
        learned = credited(learned, turn, reward, past[-7:], SETTINGS, PlainArithmetic(), explicit=True)
        past.append(turn)
    return past, learned


KEEPERS = [update_of(life(True, seed)[1], SETTINGS) for seed in (1, 2, 3)]
SKIPPERS = [update_of(life(False, seed)[1], SETTINGS) for seed in (4, 5, 6)]
EVERYBODY = [*KEEPERS, *SKIPPERS]


@pytest.mark.parametrize("likes_saving", [True, False])
def test_those_who_want_the_same_count(likes_saving):
    turns, _ = life(likes_saving, 50, 40)
    found = likeness(EVERYBODY, [1.0] * 6, turns, 0.0, SETTINGS)
    keepers, skippers = sum(found.shares[:3]), sum(found.shares[3:])
    alike, unlike = (keepers, skippers) if likes_saving else (skippers, keepers)
    assert alike > 0.9
    assert unlike < 0.01
    assert found.trust == pytest.approx(alike + unlike)


def test_nobody_counts_when_nobody_is_alike():
    turns, _ = life(True, 50, 40)
    assert likeness(SKIPPERS, [1.0] * 3, turns, 0.0, SETTINGS).trust < 0.05


def test_more_turns_say_more():
    turns, _ = life(True, 51, 60)
    trusts = [likeness(EVERYBODY, [1.0] * 6, turns[:count], 0.0, SETTINGS).trust for count in (10, 30, 60)]
    assert trusts == sorted(trusts)
    assert 0.5 < trusts[0] < trusts[-1]


def test_few_turns_say_nothing():
    turns, _ = life(True, 50, FEWEST_TURNS - 1)
    assert likeness(EVERYBODY, [1.0] * 6, turns, 0.0, SETTINGS).shares == (0.0,) * 6
    assert likeness([], [], life(True, 50, 40)[0], 0.0, SETTINGS).trust == 0.0


def test_stale_updates_count_less_and_none_at_weight_zero():
    turns, _ = life(True, 52, 40)
    twice = [KEEPERS[0], KEEPERS[0], KEEPERS[0]]
    fresh, stale, gone = likeness(twice, [1.0, 0.25, 0.0], turns, 0.0, SETTINGS).shares
    assert fresh == pytest.approx(4 * stale)
    assert gone == 0.0


def test_rewards_without_surprise_say_nothing():
    """Nothing was learned, and nothing was needed: no division by zero."""
    turns = [replace(turn, reward=0.5) for turn in life(True, 53, 20)[0]]
    assert likeness(KEEPERS, [1.0] * 3, turns, 0.5, SETTINGS).trust == 0.0


def test_only_turns_that_a_policy_could_have_decided_are_compared():
    turns, _ = life(True, 54, 5)
    sure = replace(turns[0], phase=Phase.SURE)
    waiting = replace(turns[1], reward=None)
    exam = replace(turns[2], exam=True)
    assert comparable_turns([sure, waiting, exam, turns[3]], START.network) == [exam, turns[3]]
    many = [replace(turns[0], turn_id=str(number)) for number in range(COMPARED_TURNS + 50)]
    assert comparable_turns(many, START.network) == many[50:]


def test_the_candidate_mixes_policies_by_likeness_and_rerankers_by_age():
    turns, _ = life(True, 55, 40)
    marked = [(*update[:POLICY_WEIGHTS], *(float(place),) * (WEIGHTS - POLICY_WEIGHTS)) for place, update in
              enumerate(EVERYBODY)]  # fmt: skip
    named = dict(zip("abcdef", marked, strict=True))
    shared = candidate_from(named, dict.fromkeys(named, 1.0), START, turns, 9.0, SETTINGS)
    assert (shared.at, shared.peers, shared.decides) == (9.0, 6, True)
    assert [key for key, _ in shared.shares] == list("abcdef")
    assert sum(share for _, share in shared.shares) == pytest.approx(shared.trust)
    assert shared.update[-1] == pytest.approx(2.5)
    expected = sum(share * named[key][0] for key, share in shared.shares)
    assert shared.update[0] == pytest.approx(expected, abs=1e-6)
