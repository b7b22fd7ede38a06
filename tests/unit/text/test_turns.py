"""Lines of a chat: who says it and when."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.turns import Turn, read_turn

TURNS = [
    ("[1:56 pm on 8 May, 2023] Caroline: Hey Mel!", "Caroline", "2023-05-08 13:56", "Hey Mel!"),
    ("[12:09 am on 13 September, 2023] Mel: wow", "Mel", "2023-09-13 00:09", "wow"),
    ("[2023-05-08 13:56] 민수: 안녕", "민수", "2023-05-08 13:56", "안녕"),
    ("[2023-05-08 13:56:07] 민수: 안녕", "민수", "2023-05-08 13:56:07", "안녕"),
    ("(2023/05/20 (Sat) 02:21) user: I see", "user", "2023-05-20 02:21", "I see"),
    ("민수: 밥 먹었어?", "민수", None, "밥 먹었어?"),
    ("2023년 5월 8일 오후 1시 - 엄마: 전화해", "엄마", "2023-05-08 13:00", "전화해"),
    ("2023년 5월 8일 월요일 오전 9시 30분, 엄마 : 전화해", "엄마", "2023-05-08 09:30", "전화해"),
    ("[2023. 5. 8. 오후 1:56] 지은 : 응", "지은", "2023-05-08 13:56", "응"),
    ("2023-05-08T13:56:00Z Anna: hi", "Anna", "2023-05-08 13:56", "hi"),
    ("2023-05-08T13:56:00+09:00 Anna: hi", "Anna", "2023-05-08 04:56", "hi"),
    ("2023-05-08T13:56:00.123-0500 Anna: hi", "Anna", "2023-05-08 18:56", "hi"),
    ("May 8, 2023 1:56 PM - Bob Smith: hi", "Bob Smith", "2023-05-08 13:56", "hi"),
    ("8 May 2023, Bob: hi", "Bob", "2023-05-08 00:00", "hi"),
    ("[8 May 2023] I went home", None, "2023-05-08 00:00", "I went home"),
    ("[2023-05-08] just a note", None, "2023-05-08 00:00", "just a note"),
    ("[오후 1:56] 민수: 하이", "민수", None, "하이"),
    ("[민수] [오후 1:56] 하이", "민수", None, "하이"),
    ("Caroline: Hey Mel!", "Caroline", None, "Hey Mel!"),
    ("Mary Jane Watson: hi", "Mary Jane Watson", None, "hi"),
    ("Dr. Smith: take this", "Dr. Smith", None, "take this"),
    ("**Anna**: hi", "Anna", None, "hi"),
    ("user: my name is Jin", "user", None, "my name is Jin"),
    ("assistant: of course", "assistant", None, "of course"),
    ("Human: hello", "Human", None, "hello"),
    ("AI: hello", "AI", None, "hello"),
    ("system: be brief", "system", None, "be brief"),
    ("사용자: 안녕", "사용자", None, "안녕"),
    ("민수씨: 네", "민수씨", None, "네"),
    ("김민수 님: 네", "김민수 님", None, "네"),
    ("김 민수: 네", "김 민수", None, "네"),
    ("박지은: 내일 3시", "박지은", None, "내일 3시"),
    ("지은: 저녁 먹자", "지은", None, "저녁 먹자"),
    ("지은아: 이리 와", "지은아", None, "이리 와"),
    ("엄마: 전화해", "엄마", None, "전화해"),
    ("민호: 오늘 힘들었다 ㅠㅠ", "민호", None, "오늘 힘들었다 ㅠㅠ"),
    ("Mom: call me later", "Mom", None, "call me later"),
    ("Tom: It is raining.", "Tom", None, "It is raining."),
    ("Tom: don't go", "Tom", None, "don't go"),
    ("[2023-05-08] Wife: Anna", "Wife", "2023-05-08 00:00", "Anna"),
]  # fmt: skip

NO_TURNS = [
    "Note: buy milk", "TODO: call Tom", "http://example.org", "https://example.org: a site", "12:30 lunch", "질문: 뭐 먹지",
    "결론: 간다", "할 일: 우유 사기", "오늘 점심: 라면", "회의록: 예산", "비밀번호: 없음", "Step 1: go", "Error 404: not found",
    "The plan is this: go", "john: hi", "2023-05-08 we met: at noon", "Q: who?", "[todo] call", "just text", "", "   ", ":", "a:b",
    "Ratio 3:2", "Anna:", "(maybe) Tom: no", "Ingredients: flour", "주의사항: 뜨거움", "Lisbon:2", "C:\\Users\\x",
    "Wifi: celestial-5G", "Password: hunter2!", "Budget: 300 dollars", "Allergies: peanuts and shellfish.", "Wife: Anna",
    "Python: a language", "Haskell: a language that is pure.", "Landlord: Mr. Kim.", "Workout: I ran 3 km.", "Spain: Madrid",
    "생일: 5월 8일이야", "회의: 내일 3시에 있어요", "알레르기: 복숭아", "와이파이: abc1234", "직업: 개발자", "강아지: 코코", "언어: 한국어",
    "복숭아: 두 개", "분야: 의학", "엄마: 김영희", "러시아: 모스크바", "공연장: 세종", "소설: 회의를 마쳤다",
]  # fmt: skip


def epoch(moment: str) -> float:
    return datetime.fromisoformat(moment).replace(tzinfo=timezone.utc).timestamp()


@pytest.mark.parametrize(("line", "speaker", "moment", "text"), TURNS)
def test_a_line_that_says_who_and_when(line, speaker, moment, text):
    """Dates are read as UTC unless they name a zone."""
    assert read_turn(line) == Turn(speaker, epoch(moment) if moment else None, text)


@pytest.mark.parametrize("line", NO_TURNS)
def test_a_label_is_no_speaker(line):
    """Labels, links, clock times and half-written lines stay whole."""
    assert read_turn(line) == Turn(None, None, line)


@pytest.mark.parametrize(
    "stamp", ["2023-13-45 10:00", "2023-02-30", "0000-01-01", "2023-05-08 25:99", "2023-05-08 9:99"]
)
def test_an_impossible_date_is_none(stamp):
    """The speaker is still known."""
    assert read_turn(f"[{stamp}] Bob: hi") == Turn("Bob", None, "hi")


LANGUAGES = [
    ("I love Python", Language.EN),
    ("나는 파이썬을 좋아해", Language.KO),
    ("React 좋아", Language.KO),
    ("오늘 GitHub Actions로 deploy pipeline을 만들었다", Language.KO),
    ("I ate 떡볶이 today", Language.EN),
    ("The word 파이썬 means Python in Korean", Language.EN),
    ("ㅋㅋㅋ", Language.KO),
    ("나", Language.KO),
    ("Ça va très bien", Language.EN),
    ("私は学生です", Language.OTHER),
    ("Привет, как дела", Language.OTHER),
    ("12345 !!! 🙂", Language.OTHER),
    ("", Language.OTHER),
]


@pytest.mark.parametrize(("text", "language"), LANGUAGES)
def test_the_language_by_its_letters(text, language):
    """Korean with English nouns is Korean; no letters at all are no language."""
    assert language_of(text) is language
