"""Entities: one key for one thing, however it is written."""

from __future__ import annotations

import pytest

from celestial_engine.core.text.entities import entities_in, entity

KEYS = [
    ("the Eiffel Tower's", "eiffel tower"), ("Eiffel  Tower", "eiffel tower"), ("an apple", "apple"), ("“Python”", "python"),
    ("My dog", "dog"), ("James's", "james"), ("dogs'", "dogs"), ("ＡＢＣ", "abc"), ("Python.", "python"), ("the", "the"),
    ("New York", "new york"), ("C++", "c++"),
    ("I", "user"), ("me", "user"), ("my", "user"), ("User", "user"), ("the user", "user"), ("나", "user"), ("저", "user"),
    ("내", "user"), ("제", "user"), ("나는", "user"), ("제가", "user"), ("저를", "user"), ("사용자", "user"), ("사용자가", "user"),
    ("파이썬을", "파이썬"), ("서울에서", "서울"), ("Python을", "python"), ("React에서는", "react"), ("학교에", "학교"),
    ("친구랑", "친구"), ("부산으로", "부산"), ("지하철로", "지하철"), ("한국의", "한국"), ("엄마가", "엄마"), ("커피는", "커피"),
    ("강아지도", "강아지"), ("책을", "책"), ("집에", "집"), ("선생님께서", "선생님"), ("우리 회사에서", "회사"), ("내 강아지", "강아지"),
    ("민수씨", "민수"), ("민수 씨는", "민수"), ("제주도에서는", "제주도"), ("고양이를", "고양이"), ("회의에서", "회의"), ("포도는", "포도"),
]  # fmt: skip

WHOLE = """
고양이 나이 아이 제주도 포도 회의 강의 은행 라면 사과 결과 호랑이 원숭이 떡볶이 목걸이 경기도 온도 국가 휴가 정치가 마을 가을
사랑 아리랑 전라도 민주주의 날씨 아저씨 오이 종이 파도 을지로 태권도 와이파이 우유 어머니 강아지 서울 학교 의사 도로 요가
""".split()


@pytest.mark.parametrize(("name", "key"), KEYS)
def test_one_key_for_one_thing(name, key):
    """Articles, possessives and particles come off; the first person is one entity in both languages."""
    assert entity(name) == key


@pytest.mark.parametrize("noun", WHOLE)
def test_nouns_that_end_like_particles_stay_whole(noun):
    """고양이 is a cat, not a 고양 with a subject particle."""
    assert entity(noun) == noun


@pytest.mark.parametrize("name", [name for name, _ in KEYS if not name.isascii()] + WHOLE)
def test_a_full_stop_makes_no_difference(name):
    """Names of whole syllables take a quicker way than those with anything else around them."""
    assert entity(name) == entity(f"{name}.") == entity(f"“{name}”")


QUESTIONS = [
    ("What is the capital of France?", ["capital", "france"]),
    ("When did Melanie paint a sunrise?", ["melanie", "sunrise"]),
    ("Where is the Eiffel Tower?", ["eiffel tower"]),
    ("Did Anna study at the University of Seoul in 2019?", ["anna", "university of seoul", "2019"]),
    ("I bought a MacBook Pro in New York for 2,000 dollars", ["macbook pro", "new york", "2,000 dollars"]),
    ("Which video games does Nate play?", ["video games", "video", "games", "nate"]),
    ("my work and the dance", ["work", "dance"]),
    ("She really wanted to go there", []),
    ("The server room is at 19°C", ["server room", "server", "room", "19°c"]),
    ("내가 좋아하는 음식이 뭐야?", ["음식"]),
    ("어제 친구랑 제주도에 갔어", ["친구", "제주도"]),
    ("파이썬은 1991년에 만들어졌다", ["파이썬", "1991년"]),
    ("민수의 생일은 2001년 5월 8일이야", ["민수", "생일", "2001년 5월 8일"]),
    ("아트 데코는 파리 박람회에서 왔다", ["아트 데코", "아트", "데코", "파리 박람회", "파리", "박람회"]),
    ("React로 만든 대시보드를 배포했어", ["react", "대시보드", "배포"]),
    ("정말 그렇게 했어요", []),
    ("책을 집에서 읽었어", ["책", "집"]),
    ("안녕하세요!", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "entities"), QUESTIONS)
def test_what_a_text_may_be_about(text, entities):
    """Names, nouns and numbers in order, each once; a compound before its parts; no stop words."""
    assert entities_in(text) == entities


def test_at_most_thirty_two():
    """A long list does not become a long answer."""
    assert len(entities_in(", ".join(f"Name{chr(65 + i)}{chr(65 + j)}" for i in range(10) for j in range(10)))) == 32
