"""Imagining from the command line, in both languages."""

from __future__ import annotations

import json

import pytest

from celestial_engine.core.imagination.rules import Trigger, WhyNot
from celestial_engine.lang.en import imagination as en_imagining
from celestial_engine.lang.ko import imagination as ko_imagining
from celestial_engine.surfaces.cli.texts.en import general as texts_en
from celestial_engine.surfaces.cli.texts.ko import general as texts_ko

RAINY = "비 오는 날, 코딩 2시간째"


@pytest.fixture(autouse=True)
def _at_any_hour(monkeypatch):
    monkeypatch.setenv("CELESTIAL_IMAGINE", "on")
    monkeypatch.setenv("CELESTIAL_QUIET", "none")
    monkeypatch.setenv("CELESTIAL_TZ", "UTC")


def test_an_idea_is_told_with_what_it_came_from(celestial):
    celestial("store", "나는 유자차를 좋아해")
    said = celestial("imagine", "--context", RAINY, "--lang", "ko")
    assert "비 오는 날 아직 코딩 중이니까 따뜻한 유자차를 권해 볼까?" in said
    assert "말: 비 오는데 아직 코딩 중이네… 따뜻한 거 한 잔 마셔!" in said
    assert "감정: 걱정" in said
    assert "나는 유자차를 좋아해" in said


def test_what_somebody_thought_of_it(celestial):
    celestial("store", "I love green tea")
    told = json.loads(celestial("imagine", "--context", "it is raining", "--json"))
    assert told["why_not"] is None
    imagined = told["idea"]
    assert (imagined["emotion"], imagined["liked"]) == ("caring", None)
    assert "0.65" in celestial("imagine", "--liked", imagined["id"][:8])
    assert json.loads(celestial("imagine", "--past", "--json"))["ideas"][0]["liked"] is True
    assert "not liked" not in celestial("imagine", "--past")
    answered = json.loads(celestial("imagine", "--disliked", imagined["id"], "--json"))
    assert answered["liked"] is False
    assert "imagined" in celestial("history")


@pytest.mark.parametrize(("language", "said"), [("en", "Imagining is off"), ("ko", "상상이 꺼져 있습니다")])
def test_it_says_why_not(celestial, monkeypatch, language, said):
    monkeypatch.setenv("CELESTIAL_IMAGINE", "off")
    assert said in celestial("imagine", "--context", RAINY, "--lang", language)
    assert json.loads(celestial("imagine", "--json"))["why_not"] == "off"


def test_nothing_imagined_yet(celestial):
    assert "아직" in celestial("imagine", "--past", "--lang", "ko")
    assert "no reason" in celestial("imagine", "--context", RAINY)


def test_bad_input(celestial):
    kept = json.loads(celestial("store", "비가 온다", "--json"))
    celestial("imagine", "--liked", kept["id"], code=2)
    celestial("imagine", "--liked", "nothing", code=3)
    celestial("imagine", "--idle", "long", code=2)
    celestial("imagine", "--past", "--liked", kept["id"], code=2)
    celestial("imagine", "--context", "", code=2)


def test_a_wrong_time_zone_is_told(celestial, monkeypatch):
    monkeypatch.setenv("CELESTIAL_TZ", "Asia/Nowhere")
    assert "Asia/Nowhere" in celestial("stats", code=2)


def test_every_word_is_translated():
    """Reasons, and every feeling that the templates show."""
    for texts in (texts_en.TEXTS, texts_ko.TEXTS):
        assert all(f"why_not.{one.value}" in texts for one in WhyNot)
        for words in (ko_imagining, en_imagining):
            assert all(f"mood.{idea.emotion}" in texts for idea in words.IDEAS.values())
    assert [one.value for one in Trigger] == ["context", "idle", "time_of_day"]
