"""What a question asks about: its content words, the people it names, and the kind of answer it needs."""

from __future__ import annotations

import pytest

from celestial_engine.core.retrieval.bm25 import rarity
from celestial_engine.core.retrieval.question_parts import (
    QuestionParts,
    content_words,
    contradicts,
    relatives_in,
    tells_number,
    tells_time,
)
from celestial_engine.core.retrieval.signals import Question
from celestial_engine.core.text.language import Language
from celestial_engine.core.text.words import query_words


def read(text: str, memories: int = 20, **having: int) -> QuestionParts:
    rarities = {word: rarity(having.get(word, 0), memories) for word in query_words(text)}
    return QuestionParts.read(Question.read(text, 0.0), rarities, memories)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("what's our dog called", ("dog",)),
        ("who am I with?", ()),
        ("우리 회사 어디야?", ("회사",)),
        ("월세 얼마 내?", ("월세",)),
        ("하린이 생일이 언제입니까?", ("하린", "생일")),
        ("peanuts", ("peanut",)),
        ("useful", ("us",)),
        ("나는 예전에 어디에 살았어?", ("예전", "살")),
    ],
)
def test_content_words_leave_out_what_only_asks(question, words):
    assert content_words(question.casefold()) == words


def test_we_and_what_only_asks_are_not_searched_for_in_korean():
    """우리 회사 must not find 우리집 강아지."""
    assert query_words("우리 회사 어디야?") == ["회사"]
    assert query_words("뭐였지") == ["뭐였", "였지"]  # unless there is nothing else


def test_a_rare_word_counts_more_and_an_unknown_one_is_told_apart():
    asked = read("when is the picnic with Biscuit", having={}, biscuit=1)
    assert asked.words["biscuit"] < asked.words["picnic"]
    assert 0 < asked.unknown < 1
    assert asked.needs_time
    assert asked.language is Language.EN


def test_korean_nouns_are_found_inside_longer_words():
    asked = read("수학학원 무슨 요일이에요?")
    assert asked.covered("도윤이 수학학원은 월수금 7시예요", frozenset())
    assert not asked.covered("시우는 다섯 살이에요", frozenset())


@pytest.mark.parametrize(
    ("question", "told", "expected"),
    [
        ("what is my brother's name", "my sister lotte is expecting twins", True),
        ("what is my brother's name", "my brother is called jan", False),
        ("what pet do i have", "my cat has three legs", False),
        ("how is my partner", "my husband drives long haul", False),
        ("우리집 고양이 이름 뭐야", "우리집 강아지 이름은 보리", True),
        ("아내 이름이 뭐지", "집사람은 김순덕이고 허리가 아프다", False),
        ("where do I work", "my sister lives in Porto", False),
    ],
)
def test_another_relative_or_animal_contradicts(question, told, expected):
    assert contradicts(relatives_in(question), relatives_in(told)) is expected


def test_the_kind_of_answer():
    assert read("how old is Jaka?").needs_number
    assert not read("how often do I run?").needs_number
    assert read("다솜이 생일 언제야").needs_time
    assert tells_time("the wedding is on 9 November")
    assert not tells_time("my helper is Yesenia")
    assert tells_number("벌통 서른여덟 개를 친다") or tells_number("벌통 38개를 친다")
    assert not tells_number("my helper is Yesenia")


@pytest.mark.parametrize(
    ("text", "bare"),
    [("peanuts", True), ("박사님", True), ("thing number", True), ("who is Callum?", False), ("우리 개", False)],
)
def test_keywords_are_told_from_questions(text, bare):
    assert read(text).is_bare is bare
