"""Times that are cut out of a text, and a sentence that is left as somebody would write it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.sameness.strip_time import has_times, without_times


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("오후 3시에 회의가 있다", "회의가 있다"),
        ("어제도 두통이 심했다", "두통이 심했다"),
        ("오늘은 카페에 갔다", "카페에 갔다"),
        ("어제는 정말 좋은 날이었어", "정말 좋은 날이었어"),
        ("어제저녁에 불닭볶음면을 먹었다", "불닭볶음면을 먹었다"),
        ("어제부터 다리를 절어요ㅠㅠ 걱정돼", "다리를 절어요ㅠㅠ 걱정돼"),
        ("월요일부터 금요일까지 출장이야", "출장이야"),
        ("어제 비가 왔다. 오늘은 맑았다.", "비가 왔다. 맑았다."),
        ("Mina went to Starbucks on February 22, 2024.", "Mina went to Starbucks."),
        ("In May, Mina may march in the parade", "Mina may march in the parade"),
        ("2024-03-01 Jun visited us", "Jun visited us"),
        ("Biscuit has been limping since yesterday, I'm worried", "Biscuit has been limping, I'm worried"),
        ("Yesterday, we met Ana", "We met Ana"),
        ("I met Ana on Monday and Tuesday at the gym", "I met Ana at the gym"),
        ("The meeting on Friday at 3pm is cancelled", "The meeting is cancelled"),
        ("I moved in yesterday", "I moved in"),
        ("I went, yesterday, to the shop", "I went to the shop"),
        ("We went on holiday the day before yesterday.", "We went on holiday."),
        ("she arrived late last night!! so tired ㅠㅠ", "she arrived late!! so tired ㅠㅠ"),
        ("It rained yesterday. Today it was sunny.", "It rained. It was sunny."),
    ],
)
def test_a_time_is_cut_and_a_sentence_is_left(text, left):
    assert without_times(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "나는 매주 화요일에 헬스장에서 운동한다",
        "제 생일은 5월 3일",
        "제 생일은 5월 3일이에요",
        "5월 3일은 제 생일이에요",
        "My birthday is May 3",
        "Yesterday was great",
        "yesterday's meeting went well",
        "I run every Monday",
    ],
)
def test_what_the_sentence_is_about_stays(text):
    assert without_times(text) == text


def test_nothing_else_is_changed():
    """Neither the form of a letter nor the blanks between other words."""
    assert without_times("어제 너무  힘들었어ㅠㅠ") == "너무  힘들었어ㅠㅠ"
    assert without_times("어제 ﬁlm을 봤다 ①") == "ﬁlm을 봤다 ①"
    decomposed = unicodedata.normalize("NFD", "어제 카페에 갔다")
    assert without_times(decomposed) == unicodedata.normalize("NFD", "카페에 갔다")


@given(st.text(max_size=60))
def test_without_times_a_text_is_as_it_was(text):
    left = without_times(text)
    if not has_times(text):
        assert left == text.strip()
    assert len(left) <= len(text)
