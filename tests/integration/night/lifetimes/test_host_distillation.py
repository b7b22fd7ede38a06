"""Distillation by the host's own model: a prompt and a token out, an essence back."""

from __future__ import annotations

import pytest

from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.errors import InvalidInputError, StaleTokenError
from celestial_engine.flow.night import promote


def test_the_host_writes_the_essence(memory, night, heard, cafe):
    """Before the rules do: one prompt, one token, one memory."""
    sources = heard(memory, *cafe)
    (waiting,) = memory.night.distill_pending()
    assert {source.id for source in waiting.sources} == {source.id for source in sources}
    assert waiting.current is None
    assert all(text in waiting.prompt for text in cafe)
    made = memory.night.distill_commit(waiting.token, "삐돌이는 카페에서 커피를 자주 마신다")
    assert (made.tier, made.metadata) == (Tier.M90, {"distilled_by": "host"})
    assert memory.night.distill_pending() == []
    assert night.plan(promote).promotions == ()
    with pytest.raises(StaleTokenError):
        memory.night.distill_commit(waiting.token, "삐돌이는 카페에서 커피를 자주 마신다")


def test_the_host_says_it_better_than_the_rules(memory, night, heard, cafe):
    heard(memory, *cafe)
    night.promote()
    (waiting,) = memory.night.distill_pending()
    assert waiting.current == "삐돌이가 카페에서 아메리카노, 라떼 마심 (2번)"
    made = memory.night.distill_commit(waiting.token, "삐돌이: 카페에서 커피를 마심")
    assert (made.content, made.metadata) == ("삐돌이: 카페에서 커피를 마심", {"distilled_by": "host"})
    assert memory.stats()["total"] == 4
    assert memory.night.distill_pending() == []


@pytest.mark.parametrize(
    "text", ["민수는 카페를 좋아한다", "삐돌이는 9시에 카페에 간다", "삐돌이는 커피를 즐긴다", "하나. 둘. 셋."]
)
def test_what_no_source_says_is_refused(memory, text, heard, cafe):
    heard(memory, *cafe)
    (waiting,) = memory.night.distill_pending()
    with pytest.raises(InvalidInputError):
        memory.night.distill_commit(waiting.token, text)
    assert memory.stats()["total"] == 3


def test_a_single_memory_is_not_offered(memory, heard):
    """It is raised in its own words; nobody needs to distil it."""
    heard(memory, "열쇠는 서랍에 있어. 기억해")
    assert memory.night.distill_pending() == []


def test_a_token_is_good_for_the_sources_it_was_given_for(memory, heard, cafe):
    """One of them says something else now: the host must read it first. Another owner has no use for it."""
    sources = heard(memory, *cafe)
    (waiting,) = memory.night.distill_pending()
    with pytest.raises(StaleTokenError):
        memory.of("somebody-else").night.distill_commit(waiting.token, "삐돌이는 커피를 즐긴다")
    memory.update(sources[0].id, content="2월 15일 삐돌이가 카페에서 홍차 마심")
    with pytest.raises(StaleTokenError):
        memory.night.distill_commit(waiting.token, "삐돌이는 커피를 즐긴다")
