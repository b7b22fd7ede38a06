"""Level 1: the gist of a text, in its own words."""

from __future__ import annotations

import pytest

from celestial_engine.core.text.gist import gist_of
from celestial_engine.core.text.sentences import sentences_of

LONG_EN = (
    "Hey there! How are you? Thanks so much for asking. I moved to Lisbon in 2019 to work as a nurse at Santa Maria "
    "hospital. It is what it is, you know, and so on and so forth. Anyway, talk to you later!"
)
LONG_KO = (
    "안녕하세요! 잘 지냈어요? 정말 너무 반가워요. 저는 2019년에 부산으로 이사해서 해운대 병원에서 간호사로 일하고 있어요. "
    "그냥 뭐 그렇게 지내고 있고요, 다음에 또 이야기해요 ㅋㅋ 그럼 이만 줄일게요. 항상 건강하시고 좋은 하루 보내세요!"
)


def test_a_short_text_is_its_own_gist():
    """Only its whitespace is collapsed; a date stays."""
    assert gist_of("  I love\n\nPython ") == "I love Python"
    assert gist_of("[2023-05-08] 민수:  안녕") == "[2023-05-08] 민수: 안녕"
    assert gist_of("x" * 100) == "x" * 100


def test_the_telling_sentence_is_kept_and_small_talk_is_not():
    """Names, numbers and what the speaker tells of himself weigh; greetings do not."""
    for text, told, small_talk in ((LONG_EN, "Lisbon", "Hey"), (LONG_KO, "부산", "안녕")):
        gist = gist_of(text)
        assert told in gist
        assert small_talk not in gist
        assert len(gist) <= 100


def test_the_speaker_stays_and_the_date_goes():
    """A gist says who spoke."""
    gist = gist_of(f"[1:56 pm on 8 May, 2023] Caroline: {LONG_EN}")
    assert gist.startswith("Caroline: ")
    assert "2023" not in gist
    assert "Lisbon" in gist
    assert gist_of(f"[2023-05-08 13:56] 민수: {LONG_KO}").startswith("민수: ")


def test_a_sentence_too_long_gives_its_best_clauses():
    """Whole clauses where they fit."""
    text = (
        "As I was saying to everyone who would listen, and there were not many of them, Tom bought a sailing boat in "
        "Porto in 2021, which is more or less what everyone had expected him to do sooner or later."
    )
    assert "Tom bought a sailing boat" in gist_of(text, 80)


def test_a_cut_falls_between_words():
    """And shows an ellipsis."""
    words = "counting " * 40
    gist = gist_of(words.strip(), 50)
    assert gist.endswith("counting…")
    assert len(gist) <= 50


@pytest.mark.parametrize("most", [1, 2, 10, 37, 100])
@pytest.mark.parametrize(
    "text", [LONG_EN, LONG_KO, "e\u0301" * 200, "👨‍👩‍👧" * 60, "👍🏽" * 100, "ㅋ" * 500, "!" * 300, "각" * 300]
)
def test_never_empty_never_too_long_never_inside_a_character(text, most):
    """Accents, skin tones and joined emoji stay with what they belong to."""
    gist = gist_of(text, most)
    assert 0 < len(gist) <= most
    kept = gist.removesuffix("…")
    assert not kept.endswith("\u200d")
    if kept and text.startswith(kept) and len(kept) < len(text):
        assert text[len(kept)] not in "\u0301\u200d🏽"


def test_blank_is_blank():
    """Nothing has no gist."""
    assert gist_of("") == gist_of(" \n\t ") == ""


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("I came. I saw! Did I win?", ["I came.", "I saw!", "Did I win?"]),
        ("Mr. Smith paid $3.50 on 2023. 5. 8. for it.", ["Mr. Smith paid $3.50 on 2023. 5. 8. for it."]),
        ("밥 먹었다. 맛있었어요! 그렇죠? 네", ["밥 먹었다.", "맛있었어요!", "그렇죠?", "네"]),
        ("진짜 웃겨 ㅋㅋㅋ 나도 봤어", ["진짜 웃겨 ㅋㅋㅋ", "나도 봤어"]),
        ("one\n\ntwo", ["one", "two"]),
        ("He said “go.” Then he left.", ["He said “go.”", "Then he left."]),
        ("", []),
    ],
)
def test_where_sentences_end(text, sentences):
    """Full stops of numbers and titles end nothing; a laugh does."""
    assert sentences_of(text) == sentences
