"""The relevance floor on the command line."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.usefixtures("plain_english")

NOTHING = "Nothing stored about this.\n"


@pytest.fixture
def stored(cli, monkeypatch):
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "hashed")
    assert cli("store", "My sister Ana is allergic to peanuts").code == 0


def test_it_says_that_nothing_is_stored_in_both_languages(cli, stored):
    asked = "What is the capital of France?"
    assert cli("recall", asked).out == NOTHING
    assert cli("recall", asked, "--lang", "ko").out == "이에 대해 저장된 것이 없습니다.\n"
    composed = cli("compose", asked)
    assert (composed.out, composed.err) == ("", NOTHING)


def test_a_floor_of_zero_shows_what_was_left_out(cli, stored):
    shown = cli("recall", "What is the capital of France?", "--floor", "0", "--json").data
    assert [hit["known"] for hit in shown["hits"]] == [False]
    assert shown["hits"][0]["memory"]["recall_count"] == 0
    assert (shown["known"], shown["notice"]) == (False, NOTHING.strip())
    assert cli("recall", "peanuts", "--floor", "2").code != 0


def test_the_doctor_names_the_floor(cli, stored):
    assert "relevance floor" in cli("doctor").out
    assert "관련성 하한" in cli("doctor", "--lang", "ko").out
