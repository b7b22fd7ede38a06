"""What a question asks for, and whether a text tells it."""

from __future__ import annotations

import re

import pytest

from celestial_engine.core.retrieval.signals import Question
from celestial_engine.lang.en import questions as en_questions
from celestial_engine.lang.ko import questions as ko_questions

ASKS_WHEN = [
    "When did I move?",
    "when is my birthday",
    "When's the party?",
    "OK, and when was that?",
    "Since when do I swim?",
    "Until when is it open?",
    "Do you remember when Mina moved?",
    "Tell me when it began.",
    "How long did it take?",
    "What year was it?",
    "언제 이사했지?",
    "우리 언제나갔지?",
    "몇 시였어?",
]
ASKS_SOMETHING_ELSE = [
    "What do I do when it rains?",
    "When it rains, what do I wear?",
    "When cooking rice, how much water?",
    "Who helps me when I am sad?",
    "언제나 행복해?",
    "언제든지 먹을 수 있는 게 뭐야?",
]
TELLS_TIME = [
    "I moved in May",
    "we met on may 8",
    "the 3rd of march",
    "We left in March with Tom",
    "I moved last summer",
    "since I was a child",
    "last Monday",
    "It was in 2019",
    "two weeks ago",
    "next time",
]
TELLS_NO_TIME = [
    "I may go",
    "May I go?",
    "We march on",
    "since I like it",
    "He is the last one",
    "Next one please",
    "this may help",
]


@pytest.mark.parametrize("question", ASKS_WHEN)
def test_a_question_for_a_time(question):
    assert Question.read(question, 0.0).asks_when


@pytest.mark.parametrize("question", ASKS_SOMETHING_ELSE)
def test_a_condition_is_no_question_for_a_time(question):
    """ "When it rains" says under what condition, 언제나 says always."""
    assert not Question.read(question, 0.0).asks_when


def tells_time(text: str) -> bool:
    return any(re.search(known.TELLS_TIME, text, re.IGNORECASE) for known in (en_questions, ko_questions))


@pytest.mark.parametrize("text", TELLS_TIME)
def test_a_text_that_tells_a_time(text):
    assert tells_time(text)


@pytest.mark.parametrize("text", TELLS_NO_TIME)
def test_a_verb_or_a_reason_tells_no_time(text):
    """May, march, since and last have other uses."""
    assert not tells_time(text)
