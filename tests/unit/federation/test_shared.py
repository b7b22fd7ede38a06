"""The candidate: how much of what others learned counts, how it is compared, and that the own policy stays own."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from celestial_engine.core.federation.chooser import CandidateBandit
from celestial_engine.core.federation.parameters import (
    POLICY_WEIGHTS,
    RERANKER_WEIGHTS,
    WEIGHTS,
    rules_digest,
    update_of,
    with_update,
)
from celestial_engine.core.federation.shared import (
    Shared,
    combined,
    examined,
    gain,
    refreshed,
    weight_after,
    worse_on_own_turns,
)
from celestial_engine.core.learning.bandit import Band, Bandit
from celestial_engine.core.learning.credit import PendingHit, PendingTurn, held_out
from celestial_engine.core.learning.learned_policy import Exam, Learned, credited
from celestial_engine.core.learning.network import PlainArithmetic
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.record.reading import Reading
from celestial_engine.core.turn.features import TurnFeatures
from celestial_engine.core.turn.policy import Action, Phase

SETTINGS = LearningSettings()
OWN = Learned.starting(SETTINGS)
UPDATE = tuple(random.Random(3).gauss(0.0, 0.01) for _ in range(WEIGHTS))
SHARED = Shared(UPDATE, 0.0, 5, trust=0.5)
STATE = (0.1, 0.2, 0.3, 0.0, 1.0, 0.0, 0.0, 0.0, 0.2, 0.0)


def turn(number: int, **given) -> PendingTurn:
    usual = {
        "action": Action.SAVE,
        "phase": Phase.LEARNED,
        "state": STATE,
        "usual": Action.SKIP,
        "learned": Action.SKIP,
    }
    return PendingTurn(str(number), None, 0.0, **{**usual, **given})


def test_parameters_are_those_of_policy_and_reranker():
    assert (POLICY_WEIGHTS, RERANKER_WEIGHTS, WEIGHTS) == (899, 417, 1_316)
    assert update_of(OWN, SETTINGS) == (0.0,) * WEIGHTS
    assert update_of(with_update(OWN, UPDATE), SETTINGS) == pytest.approx(UPDATE, abs=1e-12)


def test_rules_differ_when_parameters_mean_something_else():
    assert rules_digest(SETTINGS) == rules_digest(LearningSettings(epsilon=0.2))
    assert rules_digest(SETTINGS) != rules_digest(LearningSettings(seed=8))


def test_own_experience_replaces_what_others_learned():
    assert [weight_after(lessons) for lessons in (0, 200, 600)] == [1.0, 0.5, 0.25]
    young, old = (update_of(combined(replace(OWN, updates=n), SHARED), SETTINGS)[0] for n in (0, 1_800))
    assert young == pytest.approx(UPDATE[0])
    assert old == pytest.approx(UPDATE[0] / 10)


def test_trust_is_borrowed_and_never_taken():
    assert combined(OWN, SHARED).trust == 0.5
    assert combined(replace(OWN, trust=0.9), SHARED).trust == 0.9


@pytest.mark.parametrize("off", [{"on": False}, {"fits": False}, {"trust": 0.0}])
def test_what_is_off_adds_nothing_to_decisions(off):
    candidate = combined(OWN, replace(SHARED, **off))
    assert candidate.network == OWN.network
    assert candidate.trust == 0.0
    assert candidate.reranker != OWN.reranker
    assert combined(OWN, replace(SHARED, reranker_on=False, **off)).reranker.addition() == OWN.reranker.addition()


def test_exams_switch_off_what_is_clearly_worse():
    shared = SHARED
    for number in range(30):
        acted = number % 2 == 0
        exam = turn(number, action=Action.SAVE if acted else Action.SKIP, exam=True, shared=Action.SAVE)
        shared = examined(shared, OWN, exam, -1.0 if acted else 1.0)
    assert not shared.on
    assert gain(shared) == -2.0
    assert not refreshed(shared, Shared(UPDATE, 1.0, 5, 0.5)).on  # a newer aggregate does not switch it on again


def test_exams_leave_on_what_is_as_good():
    shared = SHARED
    for number in range(60):
        exam = turn(number, action=Action.SAVE if number % 2 else Action.SKIP, exam=True, shared=Action.SAVE)
        shared = examined(shared, OWN, exam, 1.0 if number % 3 else -1.0)
    assert shared.on
    assert len(shared.exams) == 60


def test_agreement_and_other_turns_are_no_exams():
    agreed = turn(1, exam=True, shared=Action.SKIP, action=Action.SKIP)
    assert examined(SHARED, OWN, agreed, 1.0) is SHARED
    assert examined(SHARED, OWN, turn(2, shared=Action.SAVE), 1.0) is SHARED
    assert examined(SHARED, OWN, turn(3, exam=True), 1.0) is SHARED
    assert gain(SHARED) is None
    assert gain(replace(SHARED, exams=(Exam(True, 1.0),))) is None


def test_a_reranker_that_ranks_against_rewards_is_switched_off():
    features = (1.0,) * 11
    number = next(n for n in range(100) if held_out(str(n)))
    rank = combined(OWN, SHARED).reranker
    worth = -1.0 if rank.score(0.0, features) > 0 else 1.0
    hits = tuple(PendingHit(str(n), features) for n in range(40))
    after = examined(SHARED, OWN, turn(number, hits=hits), worth)
    assert not after.reranker_on
    assert after.on


def test_a_harmful_aggregate_is_seen_on_own_turns_before_it_decides():
    trained = OWN
    chance = random.Random(4)
    past = []
    for number in range(120):
        state = tuple(chance.random() for _ in range(10))
        save = number % 2 == 0
        done = turn(number, state=state, action=Action.SAVE if save else Action.SKIP, reward=1.0 if save else -1.0)
        past.append(done)
        trained = credited(trained, done, done.reward, past[-8:], SETTINGS, PlainArithmetic(), explicit=True)
    learned = update_of(trained, SETTINGS)
    harmful = Shared(tuple(-5.0 * value for value in learned), 0.0, 5, 0.5)
    assert worse_on_own_turns(trained, combined(trained, harmful), past)
    assert not worse_on_own_turns(trained, combined(trained, Shared((0.0,) * WEIGHTS, 0.0, 5, 0.5)), past)
    assert not worse_on_own_turns(trained, combined(trained, harmful), past[:20])  # too few to say


def test_the_own_policy_gains_and_loses_no_trust_by_what_others_learned():
    arithmetic = PlainArithmetic()
    departed = turn(1, shared=Action.SAVE)
    after = credited(replace(OWN, trust=0.4), departed, -1.0, (), SETTINGS, arithmetic, explicit=True)
    assert after.trust == 0.4
    exam = turn(2, exam=True, shared=Action.SAVE)
    after = credited(replace(OWN, trust=0.4), exam, -1.0, (), SETTINGS, arithmetic, explicit=True)
    assert (after.trust, after.exams, after.network) == (0.4, (), OWN.network)


def test_the_candidate_decides_and_exams_compare_it_with_the_own_policy():
    """Over many turns: a fifth are exams, and who acted in them is a fair coin."""
    candidate = combined(OWN, Shared(tuple(50 * value for value in UPDATE), 0.0, 5, 0.5))
    features = TurnFeatures(reading=replace(Reading(), keep=0.4))
    choices = []
    for seed in range(2_000):
        own = Bandit(OWN.network, 0.0, seed, Band(0.4, 0.4))
        chooser = CandidateBandit(Bandit(candidate.network, 0.0, seed, Band(0.1, 0.7), 0.0), own)
        choices.append(chooser.choose(features))
    exams = [choice for choice in choices if choice.exam]
    assert 0.16 < len(exams) / len(choices) < 0.24
    assert all(choice.shared is not None for choice in choices)
    assert all(choice.action is choice.shared for choice in choices if not choice.exam)
    differing = [choice for choice in exams if choice.shared is not choice.learned]
    if differing:
        acted = sum(choice.action is choice.shared for choice in differing) / len(differing)
        assert 0.4 < acted < 0.6


def test_outside_the_band_rules_decide():
    bandit = Bandit(OWN.network, 0.0, 1, Band(0.4, 0.4))
    assert CandidateBandit(bandit, bandit).choose(TurnFeatures()) is None
