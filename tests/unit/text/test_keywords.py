"""Categories and keywords."""

from __future__ import annotations

import pytest

from celestial_engine.core.record.item import Category
from celestial_engine.core.text.keywords import category_of, keywords_of

FACT, PREFERENCE, EXPERIENCE = Category.FACT, Category.PREFERENCE, Category.EXPERIENCE
EMOTION, TECHNICAL, PRINCIPLE = Category.EMOTION, Category.TECHNICAL, Category.CORE_PRINCIPLE

KINDS = [
    ("My name is Jin", FACT),
    ("The capital of France is Paris", FACT),
    ("Tom works at a bakery", FACT),
    ("The deadline is March 15", FACT),
    ("I have two brothers", FACT),
    ("I love spicy food", PREFERENCE),
    ("She prefers tea over coffee", PREFERENCE),
    ("My favorite band is from Leeds", PREFERENCE),
    ("I can't stand loud music", PREFERENCE),
    ("Tom doesn't like mushrooms", PREFERENCE),
    ("I'm allergic to peanuts", PREFERENCE),
    ("I prefer Python to Java", PREFERENCE),
    ("We went to Hawaii last summer", EXPERIENCE),
    ("I visited my aunt yesterday", EXPERIENCE),
    ("Just got back from a camping trip", EXPERIENCE),
    ("I finished a marathon two weeks ago", EXPERIENCE),
    ("We met at a wedding", EXPERIENCE),
    ("I am so happy today", EMOTION),
    ("I feel lonely these days", EMOTION),
    ("She was devastated and cried all night", EMOTION),
    ("Work is stressful and my anxiety is back", EMOTION),
    ("The API server returns an error for large queries", TECHNICAL),
    ("React 18 has Suspense for data fetching", TECHNICAL),
    ("Use a Redis cache in front of the database", TECHNICAL),
    ("Call load_config() before main.py starts", TECHNICAL),
    ("The migration adds an index to the schema", TECHNICAL),
    ("My principle is to tell the truth", PRINCIPLE),
    ("Always write a test first and never push to main", PRINCIPLE),
    ("Under no circumstances share the key", PRINCIPLE),
    ("Never lie to a customer, no matter what", PRINCIPLE),
    ("I never eat meat", FACT),
    ("What would you like to drink?", FACT),
    ("제 이름은 민수입니다", FACT),
    ("한국의 수도는 서울이다", FACT),
    ("저는 은행에서 일합니다", FACT),
    ("나폴레옹은 1821년에 사망했습니다", FACT),
    ("마감은 3월 15일이야", FACT),
    ("나는 매운 음식을 좋아해", PREFERENCE),
    ("고양이를 싫어해요", PREFERENCE),
    ("저는 커피보다 차를 선호합니다", PREFERENCE),
    ("내 최애 가수는 아이유야", PREFERENCE),
    ("나는 비 오는 날이 좋아", PREFERENCE),
    ("회는 못 먹어", PREFERENCE),
    ("땅콩 알레르기가 있어", PREFERENCE),
    ("어제 제주도에 갔어", EXPERIENCE),
    ("지난주에 친구를 만났어요", EXPERIENCE),
    ("작년에 부산으로 이사했어", EXPERIENCE),
    ("우리는 캠핑을 했어", EXPERIENCE),
    ("저는 대학교를 졸업했습니다", EXPERIENCE),
    ("요즘 번아웃이 심해", EMOTION),
    ("너무 외롭고 우울해", EMOTION),
    ("오늘 정말 행복하다", EMOTION),
    ("면접 때문에 불안해 죽겠어", EMOTION),
    ("동생이 부러워", EMOTION),
    ("서버 배포가 실패해서 로그를 확인했다", TECHNICAL),
    ("React 18에서 Suspense는 비동기 렌더링을 돕는다", TECHNICAL),
    ("파이썬 함수의 변수 이름 규칙", TECHNICAL),
    ("데이터베이스 쿼리에 인덱스를 추가해야 한다", TECHNICAL),
    ("Docker로 API를 띄운다", TECHNICAL),
    ("거짓말을 하지 않는 것이 내 원칙이다", PRINCIPLE),
    ("약속 시간은 반드시 지켜야 해", PRINCIPLE),
    ("어떤 경우에도 고객 정보를 넘기지 않는다", PRINCIPLE),
    ("내 좌우명은 정직이야", PRINCIPLE),
    ("", FACT),
]


@pytest.mark.parametrize(("text", "kind"), KINDS, ids=[text for text, _ in KINDS])
def test_the_kind_of_a_text(text, kind):
    """Fact unless it shows signs of another kind; a principle only where it is called one."""
    assert category_of(text) is kind


def test_keywords_are_the_telling_words():
    """Names, numbers and repeated words first; no stop words."""
    words = keywords_of("Tom bought a road bike in Lisbon in 2019. The road bike is green, and Tom loves it.")
    assert set(words) == {"tom", "road", "bike", "2019", "lisbon"}
    assert words[-1] == "lisbon"
    assert keywords_of("민수는 파이썬을 배우고 파이썬으로 게임을 만든다")[0] == "파이썬"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I moved to New York with Anna Smith", {"new york", "anna smith"}),
        ("The New York office of Anna", {"new york", "office", "anna"}),
        ("She studied at the University of Seoul", {"university of seoul"}),
        ("I bought a MacBook Pro for 2,000 dollars", {"macbook pro", "2,000 dollars"}),
        ("Espresso machine manual, Breville edition", {"espresso", "machine", "manual", "breville", "edition"}),
        ("We play board games at the coffee shop", {"board", "games", "coffee", "shop"}),
        ("어제 김 민지가 전화했어", {"김 민지", "전화"}),
        ("저는 박 서준입니다", {"박 서준"}),
        ("New York에서 커피 원두를 샀다", {"new york", "커피", "원두"}),
        ("React Native 앱을 배포함", {"react native", "앱", "배포"}),
        ("이 주제는 중요해", {"주제", "중요"}),
        ("사용자는 Java를 싫어함", {"java"}),
        ("민수의 생일은 2001년 5월 8일이야", {"민수", "생일", "2001년 5월 8일"}),
    ],
)
def test_keywords_are_single_words_and_names(text, words):
    """Only a name, a date or an amount has several words; other phrases are split."""
    assert set(keywords_of(text)) == words


def test_keywords_know_their_bounds():
    """At most as many as asked for, none for nothing."""
    text = "apples, pears, plums, grapes, melons, cherries, peaches, figs, dates, limes"
    assert len(keywords_of(text)) == 8
    assert len(keywords_of(text, most=3)) == 3
    assert keywords_of(text, most=0) == ()
    assert keywords_of("") == ()


def test_the_date_and_speaker_of_a_turn_are_no_keywords():
    """They are known apart from the text."""
    assert keywords_of("[2023-05-08 13:56] 민수: 커피를 마셨어") == ("커피",)
