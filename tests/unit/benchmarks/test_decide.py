"""`python -m benchmarks.decide`: its scores are right, and its tables say what was measured."""

from __future__ import annotations

import pytest
from benchmarks.decide import decisions, heads, observed, scores
from benchmarks.decide.__main__ import counted, on_others, with_figures
from training.corpus import LABELS, LANGUAGES, LabelledTurn, turns


def test_scores():
    assert scores.accuracy("aab", "aba") == pytest.approx(1 / 3)
    assert scores.binary([True, True, False], [True, False, False]) == (1.0, 0.5, pytest.approx(2 / 3))
    assert scores.binary([True], [False]) == (0.0, 0.0, 0.0)
    assert scores.macro_f1("aab", "aaa") == pytest.approx((0.8 + 0.0) / 2)
    assert scores.confusion("aab", "aba", "ab").splitlines()[2:] == ["| a | 1 | 1 |", "| b | 1 | 0 |"]


def test_confidence_that_is_right_as_often_as_it_says_is_calibrated():
    half = [0.5] * 10
    assert scores.calibration_error([True, False] * 5, half) == pytest.approx(0.0)
    assert scores.calibration_error([True] * 10, half) == pytest.approx(0.5)
    assert scores.calibration_error([True] * 5 + [False] * 5, [1.0] * 5 + [0.0] * 5) == 0.0


def a_turn(**labels: str) -> LabelledTurn:
    none = dict.fromkeys(LABELS, "-")
    return LabelledTurn(
        "hello", {**none, "act": "reaction", "keep": "n", "memory": "n", **labels}, None, None, "1", "en"
    )


def sure(turn: LabelledTurn) -> dict[str, list[float]]:
    """The chances of a model that is sure and right."""
    return {name: [float(label == turn.labels[name]) for label in labels] for name, labels in LABELS.items()}


def test_limits_are_met_by_a_perfect_model_and_not_by_a_wrong_one():
    told = [a_turn(), a_turn(act="question", memory="y"), a_turn(keep="y", act="statement", lifetime="lasting")]
    asked = dict.fromkeys(LANGUAGES, told)
    perfect = {language: [sure(turn) for turn in told] for language in LANGUAGES}
    assert heads.limits_table(asked, perfect).count("| met |") == len(heads.LIMITS)
    worse = {**perfect, "ko": [sure(told[0])] * 3}  # and the languages differ
    assert heads.limits_table(asked, worse).count("| not met |") == len(heads.LIMITS)
    assert heads.head_scores("lifetime", told, perfect["en"]).turns == 1  # only what is kept has one
    assert heads.head_scores("attribute", told, perfect["en"]).confusion == ""  # too many labels to show


def test_the_model_gives_a_chance_to_every_label():
    (found,) = heads.chances_of_model(turns("development", "ko")[:1])
    assert {name: len(chances) for name, chances in found.items()} == {name: len(LABELS[name]) for name in LABELS}
    assert all(sum(chances) == pytest.approx(1.0) for chances in found.values())


def test_what_is_done_with_turns_is_noted():
    told, again, asked, greeted = observed.observed(
        [
            [
                ("My sister Ada is allergic to walnuts.", None),
                ("My sister Ada is allergic to walnuts.", "Noted."),
                ("What was my sister allergic to again?", None),
                ("hi", None),
            ]
        ]
    )
    assert told.kept
    assert again.kept  # a repetition of what is kept
    assert asked.fetched
    assert asked.asks
    assert not greeted.kept


def test_the_rules_before_were_measured_on_these_people():
    recorded = decisions.before()
    assert recorded is not None, "python -m benchmarks.decide.before"
    now = dict.fromkeys(recorded["en"], 0.5)
    header, _, *lines = decisions.table({"now": now, "before": recorded["en"]}).splitlines()
    assert header == "| decide, end to end | now | before |"
    assert len(lines) == len(now)
    assert lines[0] == "| turns right in both | 0.500 | 0.550 |"


def test_strangers_are_measured_apart():
    told = on_others("strangers")
    assert told.startswith(counted("strangers", {each: turns("strangers", each) for each in LANGUAGES}))
    assert "| act accuracy |" in told
    assert "| of what should be kept, kept | 0." in told


def test_figures_take_the_place_of_older_ones():
    page = "before\n```text generated:figures\nold | 1\n```\nafter\n"
    assert with_figures(page, "new \\1") == "before\n```text generated:figures\nnew \\1\n```\nafter\n"
