"""How long a memory stays whole, and when its time is over."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.night.lifetime_rows import lifetime_row_of
from celestial_engine.core.record.coordinate import Links
from celestial_engine.core.record.forgetting import DepartureReason, Protection, State, keep_importance
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Tier, expiry
from celestial_engine.core.turn.remember_request import asks_to_remember

NOW = 1_750_000_000.0
DAY = 86_400.0


def a_life(**more):
    item = CelestialItem("a", "커피를 좋아한다", NOW, NOW, tier=Tier.M30, expires_at=expiry(Tier.M30, NOW))
    return lifetime_row_of(replace(item, **more))


@pytest.mark.parametrize("tier", [Tier.M30, Tier.M90, Tier.M365])
def test_one_never_recalled_fades_at_two_thirds_of_its_life(tier):
    days = tier.lifetime.days * 2 / 3
    assert keep_importance(tier, 0, days * 0.98, 0) > 0.3
    assert keep_importance(tier, 0, days * 1.02, 0) < 0.3


@given(st.integers(0, 50), st.floats(0, 400), st.integers(0, 20))
def test_recalls_and_links_keep_it_and_time_does_not(recalls, days, links):
    kept = keep_importance(Tier.M90, recalls, days, links)
    assert keep_importance(Tier.M90, recalls + 1, days, links) >= kept
    assert keep_importance(Tier.M90, recalls, days, links + 1) > kept
    assert keep_importance(Tier.M90, recalls, days + 1, links) <= kept


def test_it_fades_then_goes_inactive():
    """Below 0.3 it is told by its facts, below 0.1 it is searched no more; in between nothing changes."""
    assert a_life().sinks_to(NOW + 20 * DAY) is None
    assert a_life().sinks_to(NOW + 21 * DAY) is State.FADED
    assert a_life(state=State.FADED).sinks_to(NOW + 21 * DAY) is None
    assert a_life(state=State.FADED).sinks_to(NOW + 39 * DAY) is State.INACTIVE
    assert a_life().sinks_to(NOW + 39 * DAY) is State.INACTIVE
    assert a_life(state=State.INACTIVE).sinks_to(NOW + 90 * DAY) is None


def test_six_links_keep_it_whole():
    tied = Links(related=tuple("bcdefg"))
    assert a_life(links=tied).sinks_to(NOW + 400 * DAY) is None


def test_its_tiers_time_ends_it_whatever_its_state():
    for state in (State.ACTIVE, State.FADED, State.INACTIVE):
        assert a_life(state=state).leaves_for(NOW + 30 * DAY) is DepartureReason.EXPIRED
        assert a_life(state=state).leaves_for(NOW + 29 * DAY) is None


def test_inactive_days_count_from_the_day_it_went_inactive():
    inactive = a_life(state=State.INACTIVE, state_since=NOW + 100 * DAY, expires_at=None)
    assert inactive.leaves_for(NOW + 129 * DAY) is None
    assert inactive.leaves_for(NOW + 130 * DAY) is DepartureReason.STALE


@pytest.mark.parametrize(
    "protected",
    [{"protection": Protection.PINNED}, {"protection": Protection.IMMUTABLE}, {"tier": Tier.M0}],
)
def test_the_protected_neither_fade_nor_leave(protected):
    for state in (State.ACTIVE, State.FADED, State.INACTIVE):
        life = a_life(state=state, state_since=NOW, **protected)
        assert life.sinks_to(NOW + 4_000 * DAY) is None
        assert life.leaves_for(NOW + 4_000 * DAY) is None


@pytest.mark.parametrize(
    "text",
    ["내가 채식주의자라는 걸 기억해 줘", "난 오이를 싫어하니까 기억해 둬", "could you remember that I'm vegan?",
     "내 생일은 5월이야. 기억해", "이거 기억해줘: 땅콩 알레르기", "제 이름을 기억해 주세요", "잊지 마, 내일 회의야",
     "Remember that I am allergic to nuts", "Please don't forget the milk", "Okay, remember: no peanuts",
     "You should remember this", "이건 꼭 기억해야 해요", "기억해 주실래요?"],
)  # fmt: skip
def test_being_told_to_remember(text):
    assert asks_to_remember(text)


@pytest.mark.parametrize(
    "text",
    ["내가 기억해 줄게", "can you remember that day?", "그날을 기억해?", "나는 그날을 기억해", "드디어 기억해냈다",
     "기억해줘서 고마워", "나는 그 일을 기억해야 해서 메모했다", "can you remember that we met?",
     "do you remember my name?", "I remember that day", "Remember when we met?", "커피를 좋아한다",
     "What's the best part you remember from it?", "Is there anything you remember from that trip?",
     "이별하고 절대 하지 말아야할 것"],
)  # fmt: skip
def test_merely_remembering(text):
    assert not asks_to_remember(text)
