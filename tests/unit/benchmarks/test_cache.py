"""The figures of the cache benchmark mean what its tables say: checked on traces small enough to count by hand."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))  # the benchmarks are not installed with the engine

from benchmarks.cache import report
from benchmarks.cache.__main__ import main, measure
from benchmarks.cache.policies import (
    FUNCTIONS,
    SHIPPED,
    BentFreshness,
    Life,
    LogarithmicFreshness,
    broken_claims,
    in_context,
    least_frequent_leaves,
    least_recent_leaves,
    retrievability,
)
from benchmarks.cache.replay import Ranks, clairvoyant, gain, mean_share, ranks, seated, slots_of
from benchmarks.cache.traces import DAY, Ask, Recall, Trace, dated, importance_of, moments, talks, traces_of
from benchmarks.recall.data import Memory, Question, Task

from celestial_engine import CelestialMemoryFunction, MemoryFunctionConfig


def asked(day: float, *needed: int, recalled: tuple[int, ...] | None = None) -> Ask:
    return Ask(day * DAY, 0, frozenset(needed), frozenset(needed if recalled is None else recalled))


def trace(asks: list[Ask], stored_days: list[float], importance: list[float] | None = None) -> Trace:
    levels = importance or [0.3] * len(stored_days)
    return Trace("small", tuple(day * DAY for day in stored_days), tuple(levels), tuple(asks))


def life(number: int = 0, last: float = 0.0, count: int = 0, importance: float = 0.3) -> Life:
    return Life(number, 0.0, importance, last, count)


# -- the replay ----------------------------------------------------------------------------------------


def test_a_question_finds_everybody_as_they_were_before_it():
    """Its own recall counts from the next question on."""
    made = trace([asked(5, 0), asked(6, 0)], [1, 2, 3])
    found = ranks([made], {"LRU": least_recent_leaves})["LRU"]
    assert [each.places for each in found] == [(2,), (0,)]


def test_what_is_stored_later_is_in_nobodys_way():
    made = trace([asked(1.5, 0), asked(5, 0)], [1, 2, 3])
    first, second = ranks([made], {"LFU": least_frequent_leaves})["LFU"]
    assert first.places == (0,)
    assert second.places == (0,)  # recalled once, the others never
    assert first.corpus == second.corpus == 3


def test_what_is_recalled_without_need_is_reinforced_as_well():
    """A recall that returns the wrong memories keeps these, not the needed ones."""
    made = trace([asked(5, 0, recalled=(1,)), asked(6, 0)], [1, 2, 3])
    found = ranks([made], {"LRU": least_recent_leaves})["LRU"]
    assert found[1].places == (2,)


def test_of_equals_the_newer_is_first():
    made = trace([asked(5, 0)], [1, 1, 1])
    assert ranks([made], {"LRU": least_recent_leaves})["LRU"][0].places == (2,)


def test_a_share_counts_the_needed_within_the_slots():
    found = Ranks((0, 3, 9), 100)
    assert found.share(1) == pytest.approx(1 / 3)
    assert found.share(4) == pytest.approx(2 / 3)
    assert found.share(0.1) == 1.0
    assert slots_of(0.02, 60) == 2
    assert slots_of(1120, 60) == 1120


def test_a_gain_is_paired_by_question():
    """One of four questions finds its memory now that did not before."""
    base = [Ranks((place,), 10) for place in (0, 5, 5, 5)]
    better = [Ranks((place,), 10) for place in (0, 0, 5, 5)]
    more, error = gain(better, base, 1)
    assert more == pytest.approx(mean_share(better, 1) - mean_share(base, 1)) == pytest.approx(0.25)
    assert error == pytest.approx(0.25)


def test_questions_that_need_nothing_are_passed_over():
    made = trace([asked(5), asked(6, 0)], [1, 2])
    assert len(ranks([made], {"LRU": least_recent_leaves})["LRU"]) == 1
    assert len(clairvoyant([made], 1)) == 1


# -- the policies --------------------------------------------------------------------------------------


def test_recency_and_frequency_disagree_as_they_should():
    often, lately = life(0, last=1 * DAY, count=5), life(1, last=2 * DAY, count=1)
    assert least_frequent_leaves(often, 3 * DAY) > least_frequent_leaves(lately, 3 * DAY)
    assert least_recent_leaves(often, 3 * DAY) < least_recent_leaves(lately, 3 * DAY)


def test_what_was_recalled_late_lasts_longer_than_what_was_recalled_twice_at_once():
    """The spacing effect: the nearer to being forgotten, the more a recall helps."""
    spaced, crammed = life(), life()
    spaced.recalled(10 * DAY)
    crammed.recalled(60.0)
    assert spaced.stability_days > crammed.stability_days
    assert spaced.recall_count == crammed.recall_count == 1
    assert spaced.last_recalled_at == 10 * DAY


def test_a_memory_is_known_by_nine_in_ten_after_its_stability():
    fresh = life()
    assert retrievability(fresh, 0.0) == 1.0
    assert retrievability(fresh, fresh.stability_days * DAY) == pytest.approx(0.9)


def test_context_is_held_by_the_recalled_for_half_an_hour():
    function = FUNCTIONS[SHIPPED]
    worth, recalled = in_context(function, 0.5), life(count=1)
    assert worth(recalled, 1799.0) == pytest.approx(function.score(recalled, 1799.0) + 0.1)
    assert worth(recalled, 1800.0) == function.score(recalled, 1800.0)
    assert worth(life(), 60.0) == function.score(life(), 60.0)


def test_the_clairvoyant_keeps_what_is_needed_next():
    """One slot: of three memories it keeps the one asked first, then has what it can only know by foresight."""
    made = trace([asked(5, 1), asked(6, 1), asked(7, 0)], [1, 2, 3])
    assert clairvoyant([made], 1) == [1.0, 1.0, 0.0]
    assert clairvoyant([made], 2) == [1.0, 1.0, 1.0]


def test_the_clairvoyant_gets_back_only_what_is_recalled():
    made = trace([asked(5, 1), asked(6, 0), asked(7, 0)], [1, 2])
    assert clairvoyant([made], 1) == [1.0, 0.0, 1.0]


@pytest.mark.parametrize("slots", [1, 2, 5, 12])
def test_nobody_who_fills_on_demand_beats_the_clairvoyant(slots):
    """LRU is such a cache; on random traces where each question needs one memory."""
    for seed in range(20):
        rng = random.Random(seed)
        asks = [asked(20 + place, min(19, int(rng.expovariate(0.2)))) for place in range(60)]
        made = trace(asks, list(range(20)))
        lru = ranks([made], {"LRU": least_recent_leaves})["LRU"]
        best = clairvoyant([made], slots)
        assert mean_share(lru, slots) <= sum(best) / len(best) + 1e-9


def test_seats_go_by_bound_and_not_only_by_slot():
    """Room for all, but after an idle day nobody of little importance scores enough for Outer."""
    fresh = trace([asked(1.01, 0)], [1, 1], [0.9, 0.1])
    assert (seated([fresh], FUNCTIONS[SHIPPED]).needed, seated([fresh], FUNCTIONS[SHIPPED]).everything) == (1.0, 0.5)
    assert seated([trace([asked(3, 0)], [1, 1], [0.9, 0.1])], FUNCTIONS[SHIPPED]).needed == 0.0


# -- the claims ----------------------------------------------------------------------------------------


def test_the_shipped_function_keeps_every_claim():
    assert broken_claims(FUNCTIONS[SHIPPED]) == []
    assert FUNCTIONS[SHIPPED].config == MemoryFunctionConfig()


@pytest.mark.parametrize(
    ("changes", "claim"),
    [
        ({"w_context": 0.3}, "always below 0.70"),
        ({"first_day_drop": 0.5}, "an idle day costs more than a zone"),
        ({"horizon_days": 30.0}, "day 90"),
        ({"first_day_drop": 1.0}, "day 7 is not day 60"),
        ({"w_arbitrary": 0.0}, "begins in Outer"),
        ({"first_day_drop": 0.7}, "old and important"),
    ],
)
def test_a_function_that_breaks_a_claim_is_found_out(changes, claim):
    assert any(claim in broken for broken in broken_claims(CelestialMemoryFunction(MemoryFunctionConfig(**changes))))


@pytest.mark.parametrize("form", [LogarithmicFreshness, BentFreshness])
def test_other_forms_fall_all_the_way_and_never_rise(form):
    function = form(MemoryFunctionConfig(first_day_drop=0.6))
    course = [function.freshness_score(0.0, day * DAY) for day in (-1, 0, 0.5, 1, 2, 7, 14, 15, 60, 89, 90, 400)]
    assert course == sorted(course, reverse=True)
    assert course[1] == 0.0
    assert course[3] == pytest.approx(-0.6)
    assert course[-2] == course[-1] == pytest.approx(-1.0)
    assert len(set(course[1:-1])) == len(course) - 2


# -- the traces ----------------------------------------------------------------------------------------


def small_task(questions: int = 6) -> Task:
    memories = tuple(
        Memory(f"Mina told me of her {thing}", str(place), 1_700_000_000.0 + place * DAY)
        for place, thing in enumerate("garden bakery dentist violin passport hamster".split())
    )
    asks = tuple(
        Question(
            f"what about the {memories[number].text.split()[-1]}?", frozenset({number}), asked_at=1_700_000_000.0
        )
        for number in range(questions)
    )
    return Task("small", memories, asks)


def test_turns_of_a_session_are_stored_one_after_the_other():
    task = Task("one", tuple(Memory(text, "1", at) for text, at in (("a", 60.0), ("b", 60.0), ("c", 90.0))), ())
    assert moments(task) == [60.0, 61.0, 90.0]


def test_nobody_is_asked_for_what_is_stored_later():
    """Some labels of public data do; such memories are not counted as needed."""
    task = small_task()
    made = traces_of([(task, dated(task))])[0]
    assert all(ask.needed == frozenset() for ask in made.asks)
    late = [(moments(task)[-1] + DAY, number) for number in range(6)]
    assert [ask.needed for ask in traces_of([(task, late)])[0].asks] == [frozenset({number}) for number in range(6)]


def test_what_is_recalled_may_be_what_the_engine_finds():
    """By words alone, and never what is not stored yet."""
    task = small_task()
    after_three = moments(task)[2] + 1
    first, last = traces_of([(task, [(after_three, 0), (after_three, 5)])], Recall())[0].asks
    assert 0 in first.recalled
    assert all(number <= 2 for number in first.recalled | last.recalled)
    assert last.needed == frozenset()


def test_made_up_talks_repeat_favourites_and_know_no_future():
    task = small_task()
    said = moments(task)
    made = talks(task, random.Random(1))
    assert made == talks(task, random.Random(1))
    assert made == sorted(made)
    assert len({number for _, number in made}) < len(made)
    assert all(said[number] < at for at, number in made)


def test_importance_is_what_the_engine_would_give(tmp_path):
    from celestial_engine import CelestialMemory

    texts = [
        "tea",
        "Remember: the deadline is Friday, call Dr. Kim!",
        "I love this wonderful garden",
        "정말 행복한 하루",
    ]
    with CelestialMemory(tmp_path / "memory.db", embedder="none") as memory:
        for text in texts:
            assert importance_of(text) == pytest.approx(memory.store(text).arbitrary_importance)


# -- the whole -----------------------------------------------------------------------------------------


def test_a_measurement_has_every_policy_and_every_variation():
    task = small_task()
    made = traces_of([(task, talks(task, random.Random(2)))])
    result = measure("small", "needed", made)
    assert set(result.shares) == {
        SHIPPED, "Celestial, C at 0.5", "LRU", "LFU", "FSRS-like", "random", report.CLAIRVOYANT,
    }  # fmt: skip
    assert all(shares[1120] == 1.0 for shares in result.shares.values())  # six memories fit
    assert set(FUNCTIONS) <= set(result.gains)
    assert result.gains[SHIPPED][0.1].share == 0.0
    assert "LRU" in report.table(result)
    assert "first day .70" in report.gain_table([result], {name: [] for name in FUNCTIONS}, 0.1)


def test_without_data_it_says_what_is_missing(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CELESTIAL_BENCH_DATA", str(tmp_path / "nowhere"))
    assert main(["--sets", "lme-pool", "--output", str(tmp_path)]) == 2
    assert "CELESTIAL_BENCH_DATA" in capsys.readouterr().err
