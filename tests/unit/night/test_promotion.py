"""Who has earned a longer life, by itself or as a topic, and who is proposed as a core memory."""

from __future__ import annotations

from dataclasses import replace

import pytest

from celestial_engine.core.night.lifetime_rows import lifetime_row_of
from celestial_engine.core.night.promotion import MOST_SOURCES, Why, nominee, promotable, promotion_reason, promotions
from celestial_engine.core.record.coordinate import Emotion, EmotionCoordinate, Links, Validity
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.lifetimes import Tier

NOW = 1_750_000_000.0
DAY = 86_400.0
MIXED = (Emotion.JOY, Emotion.SADNESS)


def a_life(item_id="a", tier=Tier.M30, content="오늘 본 것", **more):
    return lifetime_row_of(replace(CelestialItem(item_id, content, NOW, NOW, tier=tier), **more))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"mention_count": 2}, Why.TOPIC),
        ({"mention_count": 1}, None),
        ({"recall_count": 3}, Why.RECALLED),
        ({"recall_count": 2}, None),
        ({"emotion": EmotionCoordinate((Emotion.JOY,), 0.71)}, Why.INTENSE),
        ({"emotion": EmotionCoordinate((Emotion.JOY,), 0.7)}, None),
        ({"content": "열쇠는 서랍에 있어. 기억해"}, Why.ASKED),
    ],
)
def test_what_a_month_earns(more, why):
    assert promotion_reason(a_life(**more)) is why


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"recall_count": 5}, Why.RECALLED),
        ({"recall_count": 4}, None),
        ({"influence_count": 1}, Why.INFLUENCED),
        ({"emotion": EmotionCoordinate(MIXED, 0.81)}, Why.DEEP),
        ({"emotion": EmotionCoordinate(MIXED[:1], 0.99)}, None),
        ({"emotion": EmotionCoordinate((Emotion.JOY, Emotion.NEUTRAL), 0.99)}, None),
        ({"emotion": EmotionCoordinate(MIXED, 0.8)}, None),
        ({"links": Links(island="주인과의 유대")}, Why.ISLAND),
        ({"content": "열쇠는 서랍에 있어. 기억해"}, None),
    ],
)
def test_what_a_quarter_earns(more, why):
    assert promotion_reason(a_life(tier=Tier.M90, **more)) is why


def test_a_year_earns_nothing_by_itself():
    assert promotion_reason(a_life(tier=Tier.M365, recall_count=100, influence_count=9)) is None


@pytest.mark.parametrize(
    "more",
    [
        {"protection": Protection.PINNED},
        {"protection": Protection.IMMUTABLE},
        {"trust": Trust.LOW},
        {"state": State.INACTIVE},
        {"validity": Validity(until=NOW)},
    ],
)
def test_who_takes_no_part(more):
    """What is protected stays anyhow; what reads like an instruction, or holds no longer, must not live on."""
    assert promotable(a_life(), NOW)
    assert not promotable(a_life(**more), NOW)


def test_a_quarter_is_proved_by_a_month():
    assert not promotable(a_life(tier=Tier.M90), NOW + 29 * DAY)
    assert promotable(a_life(tier=Tier.M90), NOW + 30 * DAY)


def test_three_times_is_a_topic():
    """By similar memories or by mentions; two are none, and a date is no topic."""
    cafe = [a_life(name, keywords=("카페", name)) for name in "ab"]
    assert promotions(cafe) == []
    (topic,) = promotions([*cafe, a_life("c", keywords=("카페",))])
    assert (topic.tier, topic.sources, topic.why) == (Tier.M90, ("a", "b", "c"), Why.TOPIC)
    (topic,) = promotions([cafe[0], a_life("c", keywords=("카페",), mention_count=1)])
    assert topic.sources == ("a", "c")
    assert promotions([a_life(name, keywords=("2월 15일", "월요일", "monday")) for name in "abc"]) == []


def test_each_memory_is_in_one_topic_the_narrowest():
    lives = [a_life(str(n), keywords=("삐돌", "카페") if n < 3 else ("삐돌",)) for n in range(6)]
    assert [sorted(found.sources) for found in promotions(lives)] == [["0", "1", "2"], ["3", "4", "5"]]


def test_what_everybody_says_is_no_topic():
    lives = [a_life(str(n), keywords=("회사",)) for n in range(MOST_SOURCES + 1)]
    assert promotions(lives) == []


def test_what_is_said_of_two_things_again_and_again_is_a_topic_in_parts():
    """The stronger habit must not be the one that is forgotten."""
    said = 2 * MOST_SOURCES + 4
    lives = [a_life(f"{n:02}", keywords=("삐돌", "카페")) for n in range(said)]
    others = [a_life(f"x{n:02}", keywords=("삐돌",)) for n in range(MOST_SOURCES)]
    found = promotions([*lives, *others])
    assert [len(one.sources) for one in found] == [MOST_SOURCES, MOST_SOURCES, 4]
    assert sorted(source for one in found for source in one.sources) == [life.item_id for life in lives]


def test_thousands_of_keywords_are_not_paired():
    """Those of an import are anybody's; a night must end all the same."""
    words = tuple(f"낱{chr(0xAC00 + n)}" for n in range(10_000))
    lives = [a_life(f"{n:02}", keywords=words) for n in range(MOST_SOURCES + 1)]
    assert [len(found.sources) for found in promotions(lives)] == [MOST_SOURCES]


def test_a_second_night_finds_no_topic_that_the_first_did_not():
    """A word does not become narrow because some of those who have it were promoted."""
    lives = [a_life(f"{n:02}", keywords=("회사", "야근") if n < 3 else ("회사",)) for n in range(MOST_SOURCES + 2)]
    (topic,) = promotions(lives)
    assert topic.sources == ("00", "01", "02")
    assert promotions(lives[3:], lives) == []


def test_who_earned_it_alone_is_raised_whatever_its_topic():
    """One sentence stands for a topic; nobody who was recalled often is lost for it."""
    lives = [a_life(name, keywords=("카페",), recall_count=5 if name == "a" else 0) for name in "abc"]
    alone = a_life("d", recall_count=3)
    planned = promotions([*lives, alone])
    assert [(found.sources, found.why) for found in planned] == [
        (("b", "c"), Why.TOPIC), (("a",), Why.RECALLED), (("d",), Why.RECALLED),
    ]  # fmt: skip
    assert [found.raises for found in planned] == [False, True, True]


def test_a_single_one_left_of_a_topic_is_raised():
    lives = [a_life(name, keywords=("카페",), recall_count=0 if name == "a" else 5) for name in "abc"]
    assert [found.sources for found in promotions(lives)] == [("a",), ("b",), ("c",)]


def test_distilled_memories_that_earned_a_year_may_be_distilled_once_more():
    """What was never distilled is raised as it is: it was told in these words."""
    made = [a_life(name, Tier.M90, keywords=("카페",), recall_count=5, links=Links(promoted_from=(f"{name}1",)))
            for name in "ab"]  # fmt: skip
    own = a_life("c", Tier.M90, keywords=("카페",), recall_count=5)
    together, alone = promotions([*made, own])
    assert (together.tier, together.sources, alone.sources) == (Tier.M365, ("a", "b"), ("c",))
    assert [each.sources for each in together.apart] == [("a",), ("b",)]


def test_core_memories_are_proposed_late():
    """From day 330, before the year is over, and only what is recalled, or part of the self."""
    often = a_life(tier=Tier.M365, recall_count=10)
    assert not nominee(often, NOW + 329 * DAY)
    assert nominee(often, NOW + 330 * DAY)
    seldom = a_life(tier=Tier.M365, recall_count=9)
    assert not nominee(seldom, NOW + 340 * DAY)
    assert nominee(seldom, NOW + 340 * DAY, {"a"})
    assert nominee(a_life(tier=Tier.M365, links=Links(island="x")), NOW + 340 * DAY)
    assert not nominee(a_life(tier=Tier.M90, recall_count=99), NOW + 340 * DAY)
    assert not nominee(a_life(tier=Tier.M365, recall_count=99, trust=Trust.LOW), NOW + 340 * DAY)
