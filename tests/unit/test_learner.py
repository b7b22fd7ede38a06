"""The learner: its slopes are right, its chance repeats, and it learns what the rules cannot know."""

from __future__ import annotations

import math
from array import array
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.bandit import (
    ACTIONS,
    PLAIN,
    Band,
    Bandit,
    band_of,
    epsilon_after,
    margin_after,
    trust_after,
)
from celestial_engine.core.credit import NotedHit, NotedTurn, held_out
from celestial_engine.core.draws import mixed, uniforms
from celestial_engine.core.learned import (
    Exam,
    HitExam,
    Learned,
    LearningSettings,
    credited,
    ranks_worse,
    worse_than_rules,
)
from celestial_engine.core.learner import (
    MOST_PULL,
    Network,
    PlainArithmetic,
    Sample,
    Training,
    gradient,
    masks_of,
)
from celestial_engine.core.policy import Action, Phase
from celestial_engine.core.reranker import Reranker
from celestial_engine.errors import ConfigError
from celestial_engine.providers.numpy_arithmetic import numpy_arithmetic

PLAINLY = PlainArithmetic()
EVERYWHERE = Band(-1.0, 2.0)


def random_network(sizes: tuple[int, ...], seed: int) -> Network:
    chance = uniforms(seed)
    layers = (
        array("d", (next(chance) - 0.5 for _ in range(units * (inputs + 1)))) for inputs, units in pairwise(sizes)
    )
    return Network(sizes, tuple(layers))


def samples_for(network: Network, count: int, seed: int) -> list[Sample]:
    chance = uniforms(seed)
    inputs, actions = network.sizes[0], network.sizes[-1]
    found = []
    for _ in range(count):
        state = [next(chance) * 2 - 1 for _ in range(inputs)]
        action = int(next(chance) * actions)
        near = PLAINLY.values(network, state)[action] + next(chance) - 0.5  # where the error is not cut
        found.append(Sample(state, action, near))
    return found


def loss(network: Network, samples: list[Sample], masks) -> float:
    total = 0.0
    for sample, mask in zip(samples, masks, strict=True):
        heard = list(sample.state)
        for place, layer in enumerate(network.layers):
            width = network.sizes[place] + 1
            rows = [layer[start : start + width] for start in range(0, len(layer), width)]
            heard = [row[0] + sum(w * x for w, x in zip(row[1:], heard, strict=True)) for row in rows]
            if place < len(network.layers) - 1:
                heard = [max(0.0, value) for value in heard]
                if mask[place] is not None:
                    heard = [value * kept for value, kept in zip(heard, mask[place], strict=True)]
        total += 0.5 * (heard[sample.action] - sample.worth) ** 2
    return total / len(samples)


@pytest.mark.parametrize("sizes", [(4, 5, 3), (3, 6, 4, 3)])
@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_the_gradient_is_the_slope_of_the_loss(sizes, dropout):
    """Compared with finite differences, weight by weight."""
    network = random_network(sizes, 11)
    samples = samples_for(network, 3, 12)
    masks = masks_of(sizes, 3, Training(0.1, dropout, 5))
    # Beyond this the error would be cut.
    assert all(loss(network, [s], [m]) < 0.5 * MOST_PULL**2 for s, m in zip(samples, masks, strict=True))
    found = gradient(network, samples, masks)
    tiny = 1e-6
    for place, layer in enumerate(network.layers):
        for index in range(len(layer)):

            def moved(by: float, place: int = place, index: int = index) -> float:
                layers = [array("d", each) for each in network.layers]
                layers[place][index] += by
                return loss(Network(sizes, tuple(layers)), samples, masks)

            slope = (moved(tiny) - moved(-tiny)) / (2 * tiny)
            assert found[place][index] == pytest.approx(slope, abs=1e-6)


def test_an_outrageous_reward_pulls_no_harder_than_a_bad_one():
    network = Network.starting((2, 3, 3), 1)
    far, further = (gradient(network, [Sample([1, 1], 0, worth)], [[None, None]]) for worth in (5.0, 5e9))
    assert far == further


def test_a_fresh_network_says_nothing_and_every_unit_listens_to_something_else():
    fresh = Network.starting(PLAIN, 7)
    assert PLAINLY.values(fresh, [0.5] * 10) == [0.0, 0.0, 0.0]
    rows = [tuple(fresh.layers[0][start : start + 11]) for start in range(0, len(fresh.layers[0]), 11)]
    assert len(set(rows)) == 64
    assert fresh == Network.starting(PLAIN, 7)
    assert fresh != Network.starting(PLAIN, 8)


@pytest.mark.parametrize("dropout", [0.0, 0.1])
@pytest.mark.parametrize("sizes", [PLAIN, (24, 32, 16, 3)])
def test_numpy_does_the_same_sums(sizes, dropout):
    numpy = numpy_arithmetic()
    if numpy is None:
        pytest.skip("NumPy is not installed")
    network = random_network(sizes, 3)
    samples = samples_for(network, 8, 4)
    training = Training(0.1, dropout, 9)
    plain, quick = PLAINLY.trained(network, samples, training), numpy.trained(network, samples, training)
    for ours, theirs in zip(plain.layers, quick.layers, strict=True):
        assert theirs == pytest.approx(ours, abs=1e-9)
    state = samples[0].state
    assert numpy.values(quick, state) == pytest.approx(PLAINLY.values(plain, state), abs=1e-9)


def test_chance_repeats_and_is_even():
    drawn = list(islice(uniforms(5), 3000))
    assert drawn == list(islice(uniforms(5), 3000))
    assert drawn != list(islice(uniforms(6), 3000))
    assert all(0.0 <= number < 1.0 for number in drawn)
    assert sum(drawn) / len(drawn) == pytest.approx(0.5, abs=0.02)
    assert len({mixed(1, number) for number in range(1000)}) == 1000


# -- the bandit -------------------------------------------------------------------------------------


def bandit(network: Network, seed: int, epsilon: float = 0.1) -> Bandit:
    return Bandit(network, epsilon, seed, EVERYWHERE)


@given(st.lists(st.floats(0, 1), min_size=10, max_size=10), st.sampled_from(ACTIONS), st.integers(0, 10_000))
def test_before_it_has_learned_it_does_what_the_rules_do(state, usual, seed):
    chosen = bandit(Network.starting(PLAIN, 7), seed, 0.0).chosen(state, usual)
    assert (chosen.action, chosen.learned, chosen.explored) == (usual, usual, False)


def test_it_tries_something_else_as_often_as_it_should():
    """Four of five turns are no exam; of those a tenth is free, and two thirds of that another action."""
    fresh = Network.starting(PLAIN, 7)
    chosen = [bandit(fresh, mixed(1, turn)).chosen([0.5] * 10, Action.SAVE) for turn in range(3000)]
    assert sum(choice.exam for choice in chosen) / 3000 == pytest.approx(0.2, abs=0.025)
    assert sum(choice.explored for choice in chosen) / 3000 == pytest.approx(0.8 * 0.1 * 2 / 3, abs=0.015)
    assert not any(choice.explored for choice in chosen if choice.exam)


def test_epsilon_falls_and_never_ends():
    assert epsilon_after(0) == 0.1
    assert [epsilon_after(n) for n in (0, 500, 5000)] == sorted(map(epsilon_after, (0, 500, 5000)), reverse=True)
    assert epsilon_after(10**9) == pytest.approx(0.02)
    assert epsilon_after(100, 0.0) == 0.0


@given(st.lists(st.floats(-1, 1), max_size=60))
def test_the_band_stays_between_the_sure_cases(rewards):
    trust = 0.0
    for reward in rewards:
        wider = trust_after(trust, reward)
        assert (wider >= trust) if reward >= 0 else (wider <= trust)
        trust = wider
    band = band_of(trust)
    assert 0.1 - 1e-9 <= band.low <= 0.4 <= band.high <= 0.7 + 1e-9


def test_blame_for_what_the_rules_would_have_done_is_a_reason_to_try_otherwise():
    assert trust_after(0.5, -1.0, departed=False) == trust_after(0.5, 1.0, departed=False) > 0.5
    assert trust_after(0.5, -1.0, departed=True) < 0.5


def test_the_rules_hold_the_more_the_less_was_learned():
    assert [margin_after(n) for n in (0, 150, 5000)] == sorted(map(margin_after, (0, 150, 5000)), reverse=True)
    hint = Network(PLAIN, (Network.starting(PLAIN, 7).layers[0], _saying(0.0, 0.2, 0.0)))
    cautious, experienced = (
        Bandit(hint, 0.0, 3, EVERYWHERE, margin_after(updates)).chosen([0.5] * 10, Action.SAVE).learned
        for updates in (0, 5000)
    )
    assert (cautious, experienced) == (Action.SAVE, Action.SKIP)


def _saying(*worth: float) -> array[float]:
    """The last layer of a network that says this, whatever it hears."""
    return array("d", (number for bias in worth for number in (bias, *[0.0] * PLAIN[1])))


def test_trust_is_won_slowly_and_lost_quickly():
    assert trust_after(0.5, 1.0) - 0.5 < 0.5 - trust_after(0.5, -1.0)
    assert not band_of(0.0).holds(0.4)  # before any reward the rules decide alone
    assert band_of(0.5).holds(0.4)
    assert band_of(1.0) == pytest.approx((0.1, 0.7))


# -- learning ---------------------------------------------------------------------------------------


def noted(number: int, state, choice, reward=None) -> NotedTurn:
    return NotedTurn(f"t{number}", "s", float(number), choice.action, Phase.LEARNED, tuple(state),
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
        learned = credited(learned, turn, reward, replayed, settings, PLAINLY)
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
        learned = credited(learned, turn, 0.3, past[-7:], settings, PLAINLY)
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
                     LearningSettings(), PLAINLY)  # fmt: skip
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
    turn = NotedTurn("t", "s", 0.0, action, phase, (0.3,) * 10, action, action)
    after = credited(learned, turn, -1.0, [turn], LearningSettings(), PLAINLY)
    assert (after.updates, after.rewards) == (int(teaches), 1)
    assert (after.network != learned.network) is teaches


# -- the guard rail ---------------------------------------------------------------------------------


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
        learned = credited(learned, noted(number, state, choice), reward, [], settings, PLAINLY)
        if not learned.on:
            break
    assert not learned.on
    assert worse_than_rules(learned.exams)
    frozen = credited(learned, noted(1, [0.1] * 10, choice), 1.0, [], settings, PLAINLY)
    assert frozen.network == learned.network


def test_a_few_bad_exams_or_bad_luck_switch_nothing_off():
    assert not worse_than_rules([Exam(True, -1.0), Exam(False, 1.0)] * 9)
    assert worse_than_rules([Exam(True, -1.0), Exam(False, 1.0)] * 10)
    assert not worse_than_rules([Exam(True, 0.3), Exam(False, 0.32)] * 50)
    noisy = [Exam(place % 2 == 0, 1.0 if place % 3 else -1.0) for place in range(40)]
    assert not worse_than_rules(noisy)


def test_the_reranker_is_examined_too():
    assert ranks_worse([HitExam(0.1, -0.5), HitExam(-0.1, 0.4)] * 20)
    assert not ranks_worse([HitExam(0.1, 0.5), HitExam(-0.1, -0.4)] * 20)
    assert not ranks_worse([HitExam(0.1, -0.5)] * 5)


# -- the reranker -----------------------------------------------------------------------------------


def hit(similarity: float, recency: float) -> NotedHit:
    return NotedHit("m", (similarity, 0.2, 0.0, recency, *[0.1] * 7))


def test_the_reranker_learns_what_pleases():
    """Here fresh memories please and old ones do not; a little relevance no longer decides alone."""
    settings, learned = LearningSettings(), Learned.starting(LearningSettings())
    chance = uniforms(3)
    for number in range(400):
        recency = next(chance)
        turn = NotedTurn(f"r{number}", "s", 0.0, Action.RETRIEVE, Phase.RULES, (0.0,) * 10, Action.RETRIEVE,
                         Action.RETRIEVE, hits=(hit(0.4 + 0.2 * next(chance), recency),))  # fmt: skip
        learned = credited(learned, turn, 1.0 if recency > 0.5 else -1.0, [], settings, PLAINLY)
    fresh, old = hit(0.50, 0.9).features, hit(0.55, 0.1).features
    assert Reranker.starting().score(fresh) < Reranker.starting().score(old)
    assert learned.ranks_with.score(fresh) > learned.ranks_with.score(old)
    assert learned.reranker_updates > 300
    assert learned.reranker_on
    # relevance still counts for more than anything learned
    assert learned.ranks_with.score(hit(1.5, 0.1).features) > learned.ranks_with.score(fresh)


def test_a_reranker_is_its_relevance_and_what_it_adds():
    fresh = Reranker.starting()
    assert Reranker.of(fresh.addition()) == fresh
    addition = random_network(fresh.addition().sizes, 8)
    learned = Reranker.of(addition)
    for similarity in (0.0, 0.7, 3.0):
        values = hit(similarity, 0.4).features
        assert learned.score(values) == pytest.approx(similarity + PLAINLY.values(addition, values)[0])


def test_one_turn_in_five_examines_the_reranker():
    share = sum(held_out(f"turn-{number}") for number in range(2000)) / 2000
    assert share == pytest.approx(0.2, abs=0.03)


def test_settings_that_cannot_be_are_refused_together():
    with pytest.raises(ConfigError) as refused:
        LearningSettings(epsilon=2.0, rate=math.nan, checkpoints_kept=0)
    assert all(name in str(refused.value) for name in ("epsilon", "rate", "checkpoints_kept"))
