"""Which texts say the same, which contradict each other: pairs in both languages, and what never may be merged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.sameness.compare import Sameness, compare, key_of, topics_of

SAME = """
I like coffee | I really like coffee!
I live in Seoul. | i live in seoul
I have two cats | I have 2 cats
My birthday is May 3 | My birthday is 3 May
Team meeting is Monday at 3pm | The team meeting is on Monday at 15:00
I bought a car | I purchased a car
My favorite color is blue | my favourite colour is blue
I don't like mushrooms | I do not like mushrooms
The budget is 1,000 dollars | The budget is 1000 dollars
Mina is allergic to peanuts | Mina is allergic to peanuts.
I work at Samsung | I work at Samsung now
Our deadline is 2025-03-04 | Our deadline is March 4, 2025
나는 서울에 살아 | 저는 서울에 살아요
나는 서울에 살아 | 나 서울에서 살아
나는 커피를 좋아해 | 저는 커피를 정말 좋아해요
나는 커피를 안 좋아해 | 나는 커피를 좋아하지 않아
고양이 두 마리를 키워 | 고양이 2마리를 키우고 있어
치과 예약은 월요일 오후 3시야 | 치과 예약은 월요일 오후 3시입니다
내 이름은 진수야 | 제 이름은 진수입니다
땅콩 알레르기가 있어 | 저는 땅콩 알레르기가 있어요
엄마는 대구에 살아 | 어머니는 대구에 살아
회의는 세 시 반이야 | 회의는 3시 30분이야
I moved to Busan 😀 | I moved to Busan
- I live in Seoul | **I live in Seoul**
나도 커피를 좋아해 ^^ | 나는 커피를 좋아해~
"""
CONFLICT = """
Dentist appointment on Monday at 3pm | Dentist appointment on Tuesday at 3pm
Team meeting is Monday at 3pm | Team meeting is Friday at 5pm
The meeting is on Monday at 3pm | The meeting was moved to Tuesday at 3pm
I live in Seoul | I live in Busan now
I live in Seoul | I moved to Busan
User lives in Lisbon. | User moved from Lisbon to Berlin.
I work at Samsung | I work for Kakao now
I work at Acme | I left Acme and now work at Initech
My name is Jin | My name is Jun
I am 30 years old | I'm 31
My favorite color is blue | My favourite color is red
My favourite food is pizza | My favourite food is sushi
My birthday is May 3 | My birthday is May 4
I like Python | I dislike Python
I like Python | I don't like Python
I love coffee | I hate coffee
I can swim | I can't swim
I have two cats | I have three cats
The store is open | The store is closed
I smoke | I no longer smoke
My phone number is 010-1234-5678 | My phone number is 010-9999-5678
The app uses Postgres for storage | The app now uses SQLite for storage
The limit is 100 requests | The limit was raised to 300 requests
I drink coffee every morning | I drink coffee every evening
나는 서울에 살아 | 저는 부산에 살아요
나는 서울에 살아 | 부산으로 이사했어
나는 삼성에서 일해 | 네이버로 이직했어
내 이름은 진수야 | 내 이름은 민수야
나는 30살이야 | 나는 31살이야
내가 좋아하는 색은 파란색이야 | 내가 좋아하는 색은 빨간색이야
내 생일은 5월 3일이야 | 내 생일은 5월 4일이야
치과 예약은 월요일 오후 3시야 | 치과 예약은 화요일 오후 3시야
회의는 월요일 3시야 | 회의는 화요일 3시로 바뀌었어
나는 커피를 좋아해 | 나는 커피를 안 좋아해
나는 커피를 좋아해 | 저는 커피를 좋아하지 않아요
나는 커피를 좋아해 | 커피 싫어해
고양이 두 마리를 키워 | 고양이 세 마리를 키워
미나는 의사야 | 미나는 의사가 아니야
땅콩 알레르기가 있어 | 땅콩 알레르기가 없어
마감은 3월 3일이다 | 마감은 3월 5일이다
예산은 1,000만 원이야 | 예산은 2,000만 원이야
수영을 할 수 있어 | 수영을 할 수 없어
It takes 10,5 litres | It takes 105 litres
"""
DIFFERENT = """
I like coffee | I like tea
I lived in Seoul | I live in Busan
I live in Seoul | I lived in Busan
I live in Seoul | I used to live in Busan
I met Tom on Monday | I met Tom on Tuesday
I ate three apples | I ate five apples
Tom likes cats | Ann likes cats
Tom beats Jerry | Jerry beats Tom
My mother lives in Daegu | My father lives in Daegu
My son is called Max | Your son is called Max
He is a doctor | She is a doctor
I will visit Paris | I visited Paris
I must call Mina | I may call Mina
Do I like coffee? | I like coffee
Tom: I live in Seoul | Ann: I live in Busan
My dog is called Rex | My cat is called Luna
I love Lisbon | I moved from Lisbon to Berlin
The flight goes from Seoul to Busan | The flight goes from Busan to Seoul
Mina likes the garden of house 3 | Mina likes the garden of house 13
The app needs Python 3.11 | The app needs Python 3.12
나는 2호선을 타 | 나는 9호선을 타
I eat meat | I rarely eat meat
I eat meat | I only eat meat
나는 고기를 먹어 | 나는 고기를 가끔 먹어
I want coffee in the morning | I want tea in the garden
나는 커피를 좋아해 | 나는 차를 좋아해
민수가 지영을 좋아해 | 지영이 민수를 좋아해
민수가 지영을 좋아해 | 민수를 지영이 좋아해
나는 서울에 살아 | 예전에는 부산에 살았어
월요일에 미나를 만났어 | 화요일에 미나를 만났어
어제 미나를 만났어 | 어제 지수를 만났어
엄마는 대구에 사셔 | 아빠는 대구에 사셔
파리에 갈 거야 | 파리에 갔어
내 이름은 진수야 | 네 이름은 진수야
커피를 좋아해? | 커피를 좋아해
서울에서 부산까지 기차로 가 | 부산에서 서울까지 기차로 가
My blood type is O+ | My blood type is O-
The grade is A | The grade is A-
The timeout is < 5 seconds | The timeout is > 5 seconds
The timeout is > 5 seconds | The timeout is < 9 seconds
Run it if x == 1 | Run it if x != 1
Push with --force | Push with force
The discount is 50% | The discount is 50
The door is −5 degrees cold | The door is 5 degrees cold
Tests on main ✅ | Tests on main ❌
The key is in the box | The key is on the box
A photo of Anna | A photo by Anna
나는 커피만 마셔 | 나는 커피를 마셔
나는 커피밖에 안 마셔 | 나는 커피를 안 마셔
비가 오면 집에 있어 | 비가 와서 집에 있어
민수는 나를 좋아해 | 나는 민수를 좋아해
나를 좋아하는 사람은 민수야 | 내가 좋아하는 사람은 민수야
"""


def pairs(lines: str) -> list[tuple[str, str]]:
    return [
        (older.strip(), newer.strip()) for older, newer in (line.split("|") for line in lines.strip().splitlines())
    ]


@pytest.mark.parametrize(("older", "newer"), pairs(SAME))
def test_the_same_in_other_clothes(older, newer):
    """Politeness, articles, spelling and the way a time is written change nothing; no embedder is needed."""
    assert compare(older, newer) is Sameness.SAME
    assert compare(newer, older) is Sameness.SAME


@pytest.mark.parametrize(("older", "newer"), pairs(CONFLICT))
def test_what_cannot_both_hold(older, newer):
    """Another value of the same thing, or its denial, is a conflict, however alike the vectors are."""
    assert compare(older, newer) is Sameness.CONFLICT
    assert compare(older, newer, 1.0) is Sameness.CONFLICT


@pytest.mark.parametrize(("older", "newer"), pairs(DIFFERENT))
def test_two_different_things(older, newer):
    """Another person, object, time or direction: both are kept, and neither ends the other."""
    assert compare(older, newer) is Sameness.DIFFERENT
    assert compare(older, newer, 1.0) is Sameness.DIFFERENT


@pytest.mark.parametrize(("older", "newer"), pairs(SAME))
def test_those_that_say_the_same_share_a_key(older, newer):
    """Consolidation looks only among those that share it."""
    assert key_of(older) == key_of(newer)


def test_most_conflicts_share_a_topic():
    """The others announce themselves as a change, and are looked for by their words."""
    apart = [pair for pair in pairs(CONFLICT) if not set(topics_of(pair[0])) & set(topics_of(pair[1]))]
    assert {newer for _, newer in apart} == {
        "The meeting was moved to Tuesday at 3pm",
        "User moved from Lisbon to Berlin.",
        "The app now uses SQLite for storage",
        "The limit was raised to 300 requests",
        "회의는 화요일 3시로 바뀌었어",
    }


def test_more_detail_is_the_same_only_for_an_embedder():
    """A word more may matter: without vectors both stay, with vectors as close as can be one goes."""
    short, long = "A child is riding a horse", "A young child is riding a horse"
    assert compare(short, long) is Sameness.DIFFERENT
    assert compare(short, long, 0.91) is Sameness.DIFFERENT
    assert compare(short, long, 0.95) is Sameness.SAME


def test_an_embedder_cannot_make_two_things_one():
    """Vectors of "dogs fighting" and "dogs playing" are close, and what they say is not the same."""
    assert compare("Two dogs fight in the snow", "Two dogs play in the snow", 0.99) is Sameness.DIFFERENT


def test_long_texts_are_the_same_only_word_for_word():
    """What lies beyond what is read could differ."""
    text = "The report tells of many things. " * 100
    assert compare(text, text) is Sameness.SAME
    assert compare(text, text + "It ends well.") is Sameness.DIFFERENT


TEXTS = st.text(alphabet=st.sampled_from("abc 가나다 I not 안 3 5월 월요일.?!\n"), max_size=40) | st.sampled_from(
    [text for lines in (SAME, CONFLICT, DIFFERENT) for pair in pairs(lines) for text in pair]
)


@given(TEXTS)
def test_a_text_says_the_same_as_itself(text):
    """Whatever it is."""
    assert compare(text, text) is Sameness.SAME


@given(TEXTS, TEXTS, st.none() | st.floats(0, 1))
def test_the_same_is_mutual_and_shares_a_key(one, other, cosine):
    """Nobody's twin is missed for being on the wrong side, and no group leaves a twin out."""
    if compare(one, other, cosine) is Sameness.SAME:
        assert compare(other, one, cosine) is Sameness.SAME
        assert key_of(one) == key_of(other)
