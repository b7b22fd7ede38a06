"""A model's gist and triples are kept only as far as the text says them."""

from __future__ import annotations

import json

import pytest

from celestial_engine.core.text.perception import RulePerceiver
from celestial_engine.flow.turn.perceive import LLMPerceiver

KO, EN = "미나는 커피를 안 마시고 부산으로 이사했다", "Mina doesn't drink coffee and moved to Busan"


def perceived(text, gist, *triples):
    answer = json.dumps({"gist": gist, "triples": triples})
    return LLMPerceiver(lambda prompt: answer).perceive(text)


@pytest.mark.parametrize(
    ("text", "gist", "triple"),
    [
        (KO, "미나, 부산으로 이사", ("미나", "마시지 않음", "커피")),
        (EN, "Mina moved to Busan", ("Mina", "does not drink", "coffee")),
    ],
)
def test_what_the_text_says_is_kept(text, gist, triple, caplog):
    result = perceived(text, gist, triple)
    assert (result.resolution.gist, result.resolution.triples) == (gist, (triple,))
    assert result.fallback_from is None
    assert not caplog.text


@pytest.mark.parametrize(
    ("text", "gist", "invented", "denied"),
    [
        (KO, "미나는 서울에 산다", ("미나", "산다", "서울"), ("미나", "마심", "커피")),
        (EN, "Mina lives in Paris", ("Mina", "lives in", "Paris"), ("Mina", "drinks", "coffee")),
    ],
)
def test_what_it_does_not_say_is_left_to_the_rules(text, gist, invented, denied, caplog):
    ruled = RulePerceiver().perceive(text).resolution
    result = perceived(text, gist, invented, denied)
    assert result.resolution == ruled
    assert result.fallback_from == "llm"
    assert "instead" in caplog.text
    assert text not in caplog.text


def test_one_invented_triple_costs_only_itself():
    good = ("Mina", "moved to", "Busan")
    result = perceived(EN, "Mina moved to Busan", good, ("Mina", "owns", "a yacht"))
    assert result.resolution.triples == (good,)
    assert result.fallback_from is None
