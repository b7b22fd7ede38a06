"""Memories that are about the same thing share a word, however it is written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from celestial_engine.core.night.lifetime_rows import lifetime_row_of
from celestial_engine.core.night.promotion import promotions
from celestial_engine.core.night.topics import topic_words, with_parts
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.text.keywords import keywords_of

TOPICS = [
    ("배포 전에 테스트를 꼭 돌려야 해", "오늘도 테스트 없이 배포했다가 롤백함", "배포 전에 테스트가 깨져서 고쳤어"),
    ("the ci build broke again", "CI builds take twenty minutes", "I fixed the build on our ci server"),
    ("무릎이 또 아프다", "무릎 때문에 정형외과에 다녀왔어", "계단 오를 때 무릎이 시큰거려"),
    ("I couldn't sleep last night", "I slept badly again", "woke up at 3, no sleep"),
    ("어제도 야근했어", "이번 주 내내 야근 중", "야근하고 막차 탔다"),
    ("My landlord raised the rent", "Rent is due tomorrow and I'm short", "looking for a place with lower rent"),
    ("수학 시험 망쳤어", "수학학원을 옮겼다", "수학 숙제가 너무 많아"),
    ("Our kitten knocked over the vase", "The kitten got her vaccines", "the kitten sleeps on my keyboard"),
    ("헬스장 등록했어", "헬스장에서 데드리프트 배움", "오늘 헬스장 사람 너무 많더라"),
    ("The code review took all day", "Got harsh comments in code review", "reviewing code for the new hire"),
    ("엄마랑 통화했는데 서운했어", "엄마가 반찬을 보내주셨다", "엄마 생신 선물을 골라야 해"),
    ("Marathon training starts Monday", "ran 20k for the marathon", "my marathon shoes arrived"),
    ("베란다 텃밭에 상추를 심었어", "텃밭에 물 주는 걸 깜빡했다", "텃밭 상추가 다 시들었어ㅠㅠ"),
    ("I burned the sourdough", "feeding my sourdough starter", "the sourdough finally rose"),
    ("면접 준비 중이야", "내일 면접이라 떨려", "면접에서 떨어졌어"),
    ("The dishwasher is leaking", "the plumber looked at the dishwasher", "we need a new dishwasher"),
    ("기타 코드가 안 잡혀", "기타 레슨 받고 왔어", "기타 줄이 끊어졌다"),
    ("Dad's dialysis is three times a week", "drove dad to dialysis", "dialysis leaves him exhausted"),
    ("전세 대출 알아보는 중", "전세사기 걱정돼", "전세 계약 연장하기로 했어"),
    ("Feeling anxious about the presentation", "practised my presentation twice", "The presentation went fine"),
]
APART = [
    ("오늘 점심에 파스타를 먹었다", "지수가 서울로 이사했다", "기타 줄이 끊어졌다"),
    ("I bought a new bike", "Ana called from Lisbon", "the report is due on Friday"),
    ("어제 영화를 봤다", "어제 비가 왔다", "어제 늦게 잤다"),
    ("I went to the dentist", "I went to Busan", "We went home early"),
    ("정말 피곤해", "정말 맛있었어", "정말 고마워"),
    ("I think it will rain", "I think Jun is right", "Do you think so?"),
]


def planned(texts):
    words = with_parts({str(n): topic_words(text, keywords_of(text)) for n, text in enumerate(texts)})
    lives = [
        lifetime_row_of(replace(CelestialItem(str(n), text, 0.0, 0.0, tier=Tier.M30), keywords=keywords_of(text)))
        for n, text in enumerate(texts)
    ]
    return [found.sources for found in promotions(lives, None, words)]


@pytest.mark.parametrize("texts", TOPICS, ids=lambda texts: texts[0])
def test_three_about_one_thing_are_a_topic(texts):
    assert planned(texts) == [("0", "1", "2")]


@pytest.mark.parametrize("texts", APART, ids=lambda texts: texts[0])
def test_a_common_verb_a_time_or_an_adverb_is_no_topic(texts):
    assert planned(texts) == []


def test_words_have_one_form_each():
    assert topic_words("Our CI builds broke again") == ("ci", "build")
    assert topic_words("배포 전에 테스트가 깨져서", ("배포",))[:2] == ("배포", "테스트")


def test_a_compound_begins_with_a_noun_that_another_memory_has():
    words = with_parts({"a": ("수학학원",), "b": ("수학",), "c": ("영어학원",)})
    assert words == {"a": ("수학학원", "수학"), "b": ("수학",), "c": ("영어학원",)}
