"""Patterns of Korean questions are not searched in ASCII texts: none of them can match there."""

from __future__ import annotations

import sys

import pytest

from celestial_engine.core.patterns import has_either
from celestial_engine.core.text.words import index_words, query_words
from celestial_engine.lang.en import questions as en_questions
from celestial_engine.lang.ko import questions as ko_questions
from celestial_engine.lang.ko import time as ko_time
from celestial_engine.lang.ko import words as ko_words

if sys.version_info >= (3, 11):
    from re import _constants as codes
    from re import _parser as parser
else:
    import sre_constants as codes
    import sre_parse as parser

_LAST_OF_ASCII = 127
_KOREAN = {
    name: getattr(module, name)
    for module, names in (
        (ko_questions, "SELF ASKS_DATE ASKS_HOW_OFTEN ASKS_NUMBER ASKS_WHEN ASKS_AMOUNT ASKS_BEFORE"),
        (ko_questions, "TELLS_TIME NUMBER_WORDS"),
        (ko_words, "SELF_WORDS QUESTION_WORDS"),
        (ko_time, "HERALDS"),
    )
    for name in names.split()
}


def _needs_more_than_ascii(parsed):
    return any(_part_needs(code, value) for code, value in parsed)


def _part_needs(code, value):
    if code is codes.LITERAL:
        return value > _LAST_OF_ASCII
    if code is codes.IN:
        firsts = [inner[0] if kind is codes.RANGE else inner for kind, inner in value if kind is not codes.CATEGORY]
        return len(firsts) == len(value) and all(
            isinstance(first, int) and first > _LAST_OF_ASCII for first in firsts
        )
    if code is codes.SUBPATTERN:
        return _needs_more_than_ascii(value[3])
    if code is codes.BRANCH:
        return all(map(_needs_more_than_ascii, value[1]))
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        return value[0] > 0 and _needs_more_than_ascii(value[2])
    return False


@pytest.mark.parametrize("name", _KOREAN)
def test_a_korean_pattern_needs_more_than_ascii(name):
    assert _needs_more_than_ascii(parser.parse(_KOREAN[name]))


def test_amounts_are_told_in_ascii_by_the_english_pattern_alone():
    """The Korean pattern has digits, too: the English one finds every text that has one."""
    alternatives = ko_questions.TELLS_AMOUNT.split("|", 1)
    assert alternatives[0] == r"\d"
    assert _needs_more_than_ascii(parser.parse(alternatives[1]))
    assert all(has_either(f"room {digit}", en_questions.TELLS_AMOUNT, "") for digit in range(10))


@pytest.mark.parametrize(
    "text",
    ["What did I buy?", "a_b ^ `c` C++ 3.14 don't", "", "___", "~!@#$%&*()", "UPPER lower 42nd", "tab\tand\nline"],
)
def test_words_of_ascii_are_those_of_any_other_text(text):
    """A letter beyond ASCII in front of the text has it read by the general rules."""
    general = query_words(text + " é"), index_words(text + " é")
    plain = [*query_words(text), *query_words("é")], [*index_words(text), *index_words("é")]
    assert general[1] == plain[1]
    assert set(general[0]) <= set(plain[0])
