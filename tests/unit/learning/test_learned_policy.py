"""What is learned: what the rules cannot know, from what it might have decided; and it is switched off if it does worse."""

from __future__ import annotations

import math

import pytest

from celestial_engine.core.learning.bandit import Band, Bandit, epsilon_after
from celestial_engine.core.learning.credit import PendingTurn
from celestial_engine.core.learning.learned_policy import Exam, Learned, LearningSettings, credited, worse_than_rules
from celestial_engine.core.learning.network import Network, PlainArithmetic
from celestial_engine.core.learning.seeded_random import mixed, uniforms
from celestial_engine.core.turn.policy import Action, Phase
from celestial_engine.errors import ConfigError

PLAINLY = PlainArithmetic()

EVERYWHERE = Band(-1.0, 2.0)


def bandit(network: Network, seed: int, epsilon: float = 0.1) -> Bandit:
    return Bandit(network, epsilon, seed, EVERYWHERE)


def noted(number: int, state, choice, reward=None) -> PendingTurn:
    return PendingTurn(f"t{number}", "s", float(number), choice.action, Phase.LEARNED, tuple(state),
                     choice.usual, choice.learned, choice.exam, reward=reward)  # fmt: skip


def wish(state) -> Action:
    """This user wants feelings kept and technical talk fetched; the rules know nothing of that."""
    if state[7] > 0.5:
        return Action.SAVE
    return Action.RETRIEVE if state[6] > 0.5 else Action.SKIP


def rules(state) -> Action:
    return Action.SAVE if state[6] > 0.5 else Action.SKIP


def lived(seed: int, turns: int, judge=wish) -> Learned:
    settings = LearningSettings(seed=seed)
    learned, past, chance = Learned.starting(settings), [], uniforms(mixed(seed, 99))
    for number in range(turns):
        state = [float(next(chance) > 0.5) if place in (6, 7) else next(chance) for place in range(10)]
        if learned.on:
            acting = Bandit(learned.network, epsilon_after(learned.updates), mixed(seed, number), EVERYWHERE)
            choice = acting.chosen(state, rules(state))
        else:
            return learned
        reward = 1.0 if choice.action is judge(state) else -1.0
        turn = noted(number, state, choice, reward)
        replayed = [past[int(next(chance) * len(past))] for _ in range(7)] if past else []
        learned = credited(learned, turn, reward, replayed, settings, PLAINLY, explicit=True)
        if not turn.exam:
            past.append(turn)
    return learned


def share_right(learned: Learned, seed: int) -> tuple[float, float]:
    chance, right, by_rules = uniforms(mixed(seed, 1234)), 0, 0
    for number in range(200):
        state = [float(next(chance) > 0.5) if place in (6, 7) else next(chance) for place in range(10)]
        choice = bandit(learned.network, number, 0.0).chosen(state, rules(state))
        right += choice.learned is wish(state)
        by_rules += rules(state) is wish(state)
    return right / 200, by_rules / 200


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_beats_the_rules_within_two_hundred_turns(seed):
    """On states it has never seen, chosen without trying anything out."""
    learned = lived(seed, 200)
    right, by_rules = share_right(learned, seed)
    assert learned.on
    assert learned.trust > 0.3
    assert right >= by_rules + 0.3
    assert right >= 0.8


def test_what_is_always_worth_the_same_teaches_nothing():
    """A talk that goes on whatever was done says nothing about what was done."""
    settings, learned = LearningSettings(), Learned.starting(LearningSettings())
    chance, past = uniforms(4), []
    for number in range(200):
        state = [next(chance) for _ in range(10)]
        choice = bandit(learned.network, mixed(4, number)).chosen(state, rules(state))
        turn = noted(number, state, choice, 0.3)
        learned = credited(learned, turn, 0.3, past[-7:], settings, PLAINLY, explicit=True)
        past.append(turn)
    differing = 0
    for number in range(100):
        state = [next(chance) for _ in range(10)]
        differing += bandit(learned.network, number, 0.0).chosen(state, rules(state)).learned is not rules(state)
    assert differing <= 10


def test_an_exam_is_never_learned_from():
    learned = Learned.starting(LearningSettings())
    choice = next(
        one for seed in range(100) if (one := bandit(learned.network, seed).chosen([0.1] * 10, Action.SAVE)).exam
    )
    after = credited(learned, noted(0, [0.1] * 10, choice), 1.0, [noted(1, [0.2] * 10, choice, 1.0)],
                     LearningSettings(), PLAINLY, explicit=True)  # fmt: skip
    assert after.network == learned.network
    assert (after.updates, after.rewards) == (0, 1)


@pytest.mark.parametrize(
    ("phase", "action", "teaches"),
    [
        (Phase.LEARNED, Action.SKIP, True),
        (Phase.RULES, Action.SAVE, True),
        (Phase.RULES, Action.RETRIEVE, False),  # a question
        (Phase.SURE, Action.SAVE, False),
    ],
)
def test_it_learns_only_from_what_it_might_have_decided(phase, action, teaches):
    """That questions are answered well says nothing about turns that ask nothing."""
    learned = Learned.starting(LearningSettings())
    turn = PendingTurn("t", "s", 0.0, action, phase, (0.3,) * 10, action, action)
    after = credited(learned, turn, -1.0, [turn], LearningSettings(), PLAINLY, explicit=True)
    assert (after.updates, after.rewards) == (int(teaches), 1)
    assert (after.network != learned.network) is teaches


def test_settings_that_cannot_be_are_refused_together():
    with pytest.raises(ConfigError) as refused:
        LearningSettings(epsilon=2.0, rate=math.nan, checkpoints_kept=0)
    assert all(name in str(refused.value) for name in ("epsilon", "rate", "checkpoints_kept"))


# -- the guard rail -----------------------------------------------------------------------------------


def test_the_learned_part_is_switched_off_when_it_does_worse_than_the_rules():
    """Users who turn against what they taught: exams show it, and the rules decide again."""
    taught = lived(5, 300)
    settings, learned, chance = LearningSettings(), taught, uniforms(77)
    for number in range(3000):
        state = [float(next(chance) > 0.5) if place in (6, 7) else next(chance) for place in range(10)]
        choice = bandit(learned.network, mixed(8, number)).chosen(state, rules(state))
        if not choice.exam:  # what is learned meanwhile would help: here it may not
            continue
        reward = 1.0 if choice.action is rules(state) else -1.0
        learned = credited(learned, noted(number, state, choice), reward, [], settings, PLAINLY, explicit=True)
        if not learned.on:
            break
    assert not learned.on
    assert worse_than_rules(learned.exams)
    frozen = credited(learned, noted(1, [0.1] * 10, choice), 1.0, [], settings, PLAINLY, explicit=True)
    assert frozen.network == learned.network


def test_a_few_bad_exams_or_bad_luck_switch_nothing_off():
    assert not worse_than_rules([Exam(True, -1.0), Exam(False, 1.0)] * 9)
    assert worse_than_rules([Exam(True, -1.0), Exam(False, 1.0)] * 10)
    assert not worse_than_rules([Exam(True, 0.3), Exam(False, 0.32)] * 50)
    noisy = [Exam(place % 2 == 0, 1.0 if place % 3 else -1.0) for place in range(40)]
    assert not worse_than_rules(noisy)
