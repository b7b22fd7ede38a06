"""Names, numbers and dates that no source has, in texts that may use words of their own."""

from __future__ import annotations

import pytest

from celestial_engine.core.model.invented import invented

CAFE = [
    "2월 15일 삐돌이가 카페에서 아메리카노 마심",
    "2월 18일 삐돌이가 카페에서 라떼 마심",
    "2월 22일 삐돌이가 스타벅스 감",
]
CAFE_EN = [
    "Mina had an americano at the cafe on Feb 15",
    "On Feb 18 Mina drank a latte at the cafe",
    "Mina went to Starbucks on February 22",
]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("민수는 카페를 좋아한다", ("민수",)),
        ("삐돌이는 김철수와 카페에 간다", ("김철수",)),
        ("철수 씨와 삐돌이는 카페에 간다", ("철수",)),
        ("삐돌이는 커피를 7잔 마신다", ("7",)),
        ("삐돌이는 토요일에 카페에 간다", ("토요일",)),
        ("삐돌이는 매주 월욜 카페에 간다", ("월욜",)),
        ("삐돌이는 커피를 세 잔 마신다", ("세",)),
        ("삐돌이는 일주일에 네 번 카페에 간다", ("네",)),
        ("삐돌이는 세 아이와 카페에 간다", ("세",)),
        ("삐돌이는 지영이를 카페에서 만난다", ("지영",)),
        ("삐돌이는 민수의 친구다", ("민수",)),
        ("삐돌이는 친구를 만난다", ()),
        ("삐돌이는 Bob과 카페에 간다", ("Bob",)),
        ("삐돌이는 카페를 자주 가고 커피를 즐긴다", ()),
        ("삐돌이: 카페 문화를 즐기는 사람", ()),
    ],
)
def test_names_and_numbers_are_found(text, said):
    assert invented(text, CAFE) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Mina and Bob love coffee", ("Bob",)),
        ("Mina loves cafes in Paris", ("Paris",)),
        ("She enjoys coffee on Sunday", ("Sunday",)),
        ("She enjoys coffee in january", ("january",)),
        ("Mina may march to the cafe", ()),
        ("Mina drinks 3 coffees", ("3",)),
        ("Mina drinks three coffees", ("three",)),
        ("Mina drinks coffee twice a day", ("twice",)),
        ("Mina is one of those who love coffee", ()),
        ("Mina enjoys coffee at the cafe.", ()),
    ],
)
def test_the_same_in_english(text, said):
    assert invented(text, CAFE_EN) == said


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Mina has twenty-five cats", "Mina has 25 cats"),
        ("Mina buys two dozen eggs", "Mina buys 24 eggs"),
        ("스물 다섯 명이 온다", "25명이 온다"),
        ("열 받는 일이 잦다", "화나는 일이 잦다"),
        ("세 들어 산다", "월세로 산다"),
        ("바다를 보고 싶어 한다", "해변에 가고 싶다"),
        ("She sleeps half of the day", "She sleeps a lot"),
        ("미나는 고양이 3마리를 키운다", "미나는 고양이를 세 마리 키운다"),
    ],
)
def test_a_number_is_the_same_however_it_is_written(text, source):
    assert invented(text, [source]) == ()
