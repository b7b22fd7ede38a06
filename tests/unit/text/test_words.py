"""Words: what is stored is found by what is asked, in either language, whatever the text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.text.words import index_words, query_words
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.testing.conformance.base import SOMEBODY, a_course, an_item


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("나는 커피를 좋아해", "커피"),
        ("집에서 쉬었다", "집"),
        ("파이썬은 1991년에 만들어졌다", "파이썬 역사"),
        ("파이썬은 1991년에 만들어졌다", "1991"),
        ("GPT-4로 요약했다", "gpt"),
        ("東京に行った", "東京"),
        ("축하해 🎉", "🎉"),
        ("Café au lait", "café"),
        (unicodedata.normalize("NFD", "서울역"), "서울역"),
        ("The the the", "the"),
    ],
)
def test_shared_words(stored, asked):
    assert set(query_words(asked)) & set(index_words(stored))


def test_stop_words_lead_nobody():
    assert query_words("What is the name of my dog?") == ["name", "dog"]
    assert query_words("what is the") == ["what", "is", "the"], "unless there is nothing else"


def test_a_question_has_a_bounded_number_of_words():
    assert len(query_words(" ".join(f"word{n}" for n in range(10_000)))) <= 48


@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_any_text_finds_itself(text):
    """Whatever has a word in it is found by it, and SQLite agrees about what a word is."""
    store = SqliteStore()
    try:
        with store.write(SOMEBODY) as session:
            session.items.add(an_item("m1", text), a_course())
        with store.read() as session:
            found = session.search.by_words(SOMEBODY, text, 5).matches
        assert bool(found) == bool(query_words(text))
        assert store.check() == []
    finally:
        store.close()


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_plain_english_takes_a_shorter_way_to_the_same_words(text):
    """The short way is for speed alone: a letter more makes the long way be taken, and finds the same words."""
    assert index_words(text + " 가") == [*index_words(text), "가"]


def test_a_long_question_keeps_its_end():
    """Who tells a story first asks at the end, in Korean always."""
    story = " ".join(f"word{n}" for n in range(300))
    assert "allerg" in " ".join(query_words(f"{story} what is Mina allergic to?"))
    assert "알레" in query_words("아침에 회사 앞에서 오랜만에 친구를 만나 " * 9 + "미나 알레르기 뭐였죠?")


def test_a_megabyte_without_a_blank_is_not_kept():
    from celestial_engine.core.text import words

    words._words_of_run.cache_clear()
    index_words("가" * 100_000)
    assert words._words_of_run.cache_info().currsize == 0
