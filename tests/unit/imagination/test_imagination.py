"""When something is imagined, of what, and how it is said."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.imagination.ideas import IdeaDraft, Material, Situation, best_idea, telling
from celestial_engine.core.imagination.rules import (
    FAINTEST,
    PatternStrength,
    Trigger,
    WhyNot,
    of_today,
    trigger_of,
    usable,
    why_not,
)
from celestial_engine.core.imagination.settings import ImaginationSettings, QuietHours
from celestial_engine.core.record.coordinate import EmotionCoordinate, Validity
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.core.text.perception import RulePerceiver
from celestial_engine.errors import ConfigError
from celestial_engine.lang.en import imagination as en_imagining
from celestial_engine.lang.ko import imagination as ko_imagining

SEOUL = ZoneInfo("Asia/Seoul")
ON = ImaginationSettings(enabled=True, time_zone="Asia/Seoul")
EVENING = datetime(2026, 3, 10, 19, tzinfo=SEOUL)


def settings_in(zone: str) -> ImaginationSettings:
    return ImaginationSettings(enabled=True, time_zone=zone, quiet=None)


def a_memory(text: str, at: datetime = EVENING) -> CelestialItem:
    seen = RulePerceiver().perceive(text)
    moment = at.timestamp()
    return CelestialItem(text, text, moment, moment, category=seen.category, keywords=seen.keywords)


def imagined(
    texts: list[str],
    context: str = "",
    at: datetime = EVENING,
    *,
    days_ago: float = 0.0,
    trigger: Trigger = Trigger.CONTEXT,
    strengths: dict[str, PatternStrength] | None = None,
) -> IdeaDraft | None:
    told = [Material(a_memory(text, at - timedelta(days=days_ago))) for text in texts]
    return best_idea(Situation(context, at, at.timestamp(), trigger), told, strengths or {})


# -- when ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hours", "quiet", "loud"),
    [
        (QuietHours(22, 8), (22, 23, 0, 7), (8, 12, 21)),
        (QuietHours(1, 6), (1, 5), (0, 6, 23)),
        (QuietHours(0, 24), (0, 12, 23), ()),
    ],
)
def test_quiet_hours_may_go_over_midnight(hours, quiet, loud):
    """The first hour is quiet, the last is not."""
    assert all(hours.include(EVENING.replace(hour=hour)) for hour in quiet)
    assert not any(hours.include(EVENING.replace(hour=hour)) for hour in loud)


def test_quiet_hours_are_read_from_text():
    assert QuietHours.read("22-8") == QuietHours(22, 8)
    assert QuietHours.read("none") is None
    for wrong in ("", "22", "22-22", "25-3", "a-b", "-1-3"):
        with pytest.raises(ConfigError):
            QuietHours.read(wrong)


def test_a_time_zone_may_be_told_as_an_offset():
    """Where no time zone database is installed."""
    now = EVENING.timestamp()
    assert ImaginationSettings(time_zone="+09:00").local(now).hour == 19
    assert ImaginationSettings(time_zone="-03:30").local(now).hour == 6
    assert ImaginationSettings(time_zone="UTC").local(now).hour == 10


@pytest.mark.parametrize(
    "wrong", [{"time_zone": "+25:00"}, {"time_zone": "Asia/Nowhere"}, {"most_a_day": 4}, {"idle_minutes": 0}]
)
def test_wrong_settings_are_refused(wrong):
    """More than three a day, too: it is a limit, not a wish."""
    with pytest.raises(ConfigError):
        ImaginationSettings(**wrong)


def test_a_day_is_the_owners_day():
    """Three in Seoul are used up at 23:59 there and new at 0:00, whatever the day is in UTC."""
    late = datetime(2026, 3, 10, 23, 59, tzinfo=SEOUL).timestamp()
    had = [late - 60, late - 120, late - 180]
    assert why_not(had, late, settings_in("Asia/Seoul")) is WhyNot.ENOUGH_TODAY
    assert why_not(had, late + 120, settings_in("Asia/Seoul")) is None
    assert why_not(had, late + 120, settings_in("UTC")) is WhyNot.ENOUGH_TODAY


@pytest.mark.parametrize(
    ("zone", "first", "last", "next_day"),
    [
        # Summer time begins: a day of 23 hours; it ends: one of 25.
        ("Europe/Berlin", (2026, 3, 29, 0, 5), (2026, 3, 29, 23, 55), (2026, 3, 30, 0, 5)),
        ("Europe/Berlin", (2026, 10, 25, 0, 5), (2026, 10, 25, 23, 55), (2026, 10, 26, 0, 5)),
        # Clocks jump from 23:59:59 to 1:00: midnight does not exist.
        ("Africa/Cairo", (2026, 4, 24, 1, 5), (2026, 4, 24, 23, 55), (2026, 4, 25, 0, 5)),
    ],
)
def test_days_of_other_lengths_are_days(zone, first, last, next_day):
    """What came at the first minute counts at the last, and no longer on the next day."""
    at = [datetime(*moment, tzinfo=ZoneInfo(zone)).timestamp() for moment in (first, last, next_day)]
    assert of_today(at[:1], at[1], settings_in(zone)) == at[:1]
    assert of_today(at[:2], at[2], settings_in(zone)) == []


def test_a_clock_that_is_set_back_does_not_begin_the_day_anew():
    """Three after midnight, then the clock goes back over it: still enough. Years ahead count for nothing."""
    after_midnight = datetime(2026, 3, 11, 0, 10, tzinfo=SEOUL).timestamp()
    had = [after_midnight, after_midnight + 60, after_midnight + 120]
    assert why_not(had, after_midnight - 900, settings_in("Asia/Seoul")) is WhyNot.ENOUGH_TODAY
    assert why_not([at + 9e8 for at in had], after_midnight, settings_in("Asia/Seoul")) is None


@given(
    zone=st.sampled_from(
        ["Asia/Seoul", "Africa/Cairo", "America/New_York", "Pacific/Kiritimati", "Australia/Lord_Howe"]
    ),
    steps=st.lists(st.floats(60, 40_000), min_size=8, max_size=60),
)
def test_no_local_day_ever_has_more_than_three(zone, steps):
    """Whatever the rhythm: counted afterwards by the calendar on the wall."""
    settings, now, had = settings_in(zone), datetime(2026, 3, 1, tzinfo=timezone.utc).timestamp(), list[float]()
    for step in steps:
        now += step
        if why_not(had[:16], now, settings) is None:
            had.insert(0, now)
    days = [settings.local(at).date() for at in had]
    assert all(days.count(day) <= 3 for day in days)


def test_what_sets_it_off():
    """A telling context first, then a long pause, then morning and evening, once each."""
    now = EVENING.timestamp()
    assert trigger_of([], now, ON, 0.0, telling=True) is Trigger.CONTEXT
    assert trigger_of([], now, ON, 3600.0, telling=False) is Trigger.IDLE
    assert trigger_of([], now, ON, 0.0, telling=False) is Trigger.TIME_OF_DAY
    assert trigger_of([now - 60], now, ON, 0.0, telling=False) is None
    afternoon = EVENING.replace(hour=15).timestamp()
    assert trigger_of([], afternoon, ON, 0.0, telling=False) is None


def test_a_context_is_telling_if_an_idea_could_begin_with_it():
    assert telling("저녁 7시, 코딩 앱 2시간째 사용 중")
    assert telling("it is raining")
    assert not telling("파일 탐색기")
    assert not telling("")


# -- of what ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"trust": Trust.LOW},
        {"state": State.FADED},
        {"state": State.CLIFF},
        {"source": Source.IMAGINATION},
        {"tags": ("imagination",)},
        {"expires_at": EVENING.timestamp() - 1},
        {"validity": Validity(until=EVENING.timestamp() - 1)},
        {"content": "와이파이 비밀번호는 [가림: 비밀번호]"},
        {"content": "the password is [redacted: password]"},
        {"content": "연락은 010-1234-5678로 해 줘"},
    ],
    ids=str,
)
def test_what_may_not_be_imagined_with(change):
    """Low trust, faded, gone, over, imagined itself, or with a secret or what is left of one."""
    memory = a_memory("카페를 좋아한다", EVENING - timedelta(days=1))
    assert usable(memory, EVENING.timestamp())
    assert not usable(replace(memory, **change), EVENING.timestamp())


# -- how it is said -----------------------------------------------------------------------------------


def test_a_rainy_evening_with_overtime():
    """Three memories and the context become one suggestion, with a feeling to show."""
    told = ["삐돌이는 카페를 좋아한다", "요즘 야근이 잦다", "오늘 비가 온다"]
    draft = imagined(told, "저녁 7시, 코딩 앱 2시간째 사용 중")
    assert draft is not None
    assert draft.scenario == "비 오는 날 아직 코딩 중이니까 따뜻한 음료를 권해 볼까?"
    assert draft.action == "비 오는데 아직 코딩 중이네… 따뜻한 거 한 잔 마셔!"
    assert draft.emotion == "caring"
    assert {memory.content for memory in draft.memories} == set(told)


def test_the_same_in_english():
    draft = imagined(["Mina loves cafes", "It is raining today"], "7 pm, coding for two hours")
    assert draft is not None
    assert draft.scenario == "It is raining and they are still at it (coding): shall I suggest a warm drink?"
    assert draft.emotion == "caring"


@pytest.mark.parametrize(
    ("texts", "context"),
    [
        (["카페를 좋아한다", "커피를 끊었다"], "비 오는 날 코딩 중"),
        (["엄마랑 매주 통화한다", "엄마가 작년에 돌아가셨다"], "오늘 너무 우울하다"),
        (["I love coffee", "I quit coffee last month"], "it is raining and I am coding"),
        (["고양이를 키운다", "고양이 알레르기가 생겼다"], "오늘 너무 속상해"),
    ],
)
def test_what_somebody_gave_up_or_lost_is_not_suggested(texts, context):
    """One memory that speaks against a thing is enough."""
    assert imagined(texts, context) is None


def test_particles_fit_the_word():
    draft = imagined(["유자차를 좋아한다"], "추워")
    assert draft is not None
    assert "따뜻한 유자차를 권해" in draft.scenario
    draft = imagined(["콜드브루를 좋아한다"], "너무 더워")
    assert draft is not None
    assert draft.pattern == "cool_drink"


def test_luck_is_wished_before_and_asked_after():
    plan = ["내일 면접이 있어서 너무 떨려"]
    before = imagined(plan, "면접 준비하는데 긴장된다")
    after = imagined(plan, trigger=Trigger.TIME_OF_DAY, days_ago=4)
    assert before is not None
    assert after is not None
    assert (before.pattern, after.pattern) == ("encourage", "how_was_it")


def test_weather_of_yesterday_is_no_weather():
    """A mood holds for days, rain for hours."""
    fresh = imagined(["홍차를 좋아한다", "비가 온다"], trigger=Trigger.TIME_OF_DAY, days_ago=0.2)
    stale = imagined(["홍차를 좋아한다", "비가 온다"], trigger=Trigger.TIME_OF_DAY, days_ago=1.5)
    assert fresh is not None
    assert stale is None


def test_without_memories_there_is_no_idea():
    assert imagined([], "비 오는 날 코딩 중, 너무 피곤하다") is None


def test_a_pause_asks_after_what_was_told_lately():
    draft = imagined(["베란다에서 텃밭 가꾸기를 시작했어"], trigger=Trigger.IDLE, days_ago=1)
    assert draft is not None
    assert "텃밭 가꾸기" in draft.scenario


def test_a_happy_memory_comes_back_after_a_while():
    happy = a_memory("제주도에서 본 바다가 정말 좋았어", EVENING - timedelta(days=9))
    happy = replace(happy, emotion=EmotionCoordinate(sentiment_score=0.8))
    now = EVENING.timestamp()
    draft = best_idea(Situation("", EVENING, now, Trigger.IDLE), [Material(happy)], {})
    assert draft is not None
    assert draft.emotion == "nostalgic"


# -- how well it was liked ----------------------------------------------------------------------------


def test_a_pattern_that_was_rejected_falls_silent_and_can_come_back():
    """Three times no, and it stays away; one yes, and it is heard again."""
    pattern = PatternStrength("warm_drink")
    for _ in range(3):
        pattern = pattern.answered("x", liked=False)
    assert pattern.silent
    context, told = "비 오는 날 코딩 중", ["카페를 좋아한다"]
    other = imagined(told, context, strengths={"warm_drink": pattern})
    assert other is None or other.pattern != "warm_drink"
    assert not pattern.answered("x", liked=True).silent


def test_being_ignored_counts_for_a_little():
    """Only when the next one comes and nobody answered the last."""
    first = PatternStrength("walk").used("a", 1.0)
    assert first.strength == PatternStrength("walk").strength
    ignored = first.used("b", 2.0)
    assert ignored.strength < first.strength
    assert ignored.ignored == 1
    answered = first.answered("a", liked=True)
    assert answered.used("b", 2.0).ignored == 0


@given(st.lists(st.booleans(), max_size=200))
def test_strength_stays_within_bounds(answers):
    pattern = PatternStrength("walk")
    for liked in answers:
        pattern = pattern.answered("a", liked=liked)
        assert 0.0 <= pattern.strength <= 1.0
    if answers[-12:] == [True] * 12:
        assert pattern.strength > FAINTEST


def test_what_was_liked_wins():
    """Of two ideas that fit, the more welcome one; of two equals, not the one that came yesterday."""
    texts, context = ["카페를 좋아한다", "재즈 음악을 자주 듣는다"], "비 오는 날 코딩 중, 지쳤다"
    for liked in ("warm_drink", "music"):
        strengths = {liked: PatternStrength(liked, 0.95)}
        draft = imagined(texts, context, strengths=strengths)
        assert draft is not None
        assert draft.pattern == liked
    lately = {"warm_drink": PatternStrength("warm_drink", last_at=EVENING.timestamp() - 2 * 86_400)}
    draft = imagined(texts, context, strengths=lately)
    assert draft is not None
    assert draft.pattern == "music"


# -- both languages -----------------------------------------------------------------------------------


def test_both_languages_have_the_same_ideas():
    """The same patterns, with the same needs: feedback in one language counts in the other."""
    for korean, english in ((ko_imagining, en_imagining), (en_imagining, ko_imagining)):
        assert korean.MOMENTS.keys() <= english.MOMENTS.keys()
        assert korean.THINGS.keys() <= english.THINGS.keys()
        assert {name: idea[2:] for name, idea in korean.IDEAS.items()} == {
            name: idea[2:] for name, idea in english.IDEAS.items()
        }
