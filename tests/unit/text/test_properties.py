"""Whatever a text is, reading it ends, raises nothing and keeps its bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.record.item import Category
from celestial_engine.core.text.entities import entities_in, entity
from celestial_engine.core.text.gist import gist_of
from celestial_engine.core.text.keywords import category_of, keywords_of
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.triples import is_negative, triples_of
from celestial_engine.core.text.turns import read_turn

# Words that reach the rules, among whatever else there is.
PIECES = st.sampled_from(
    """
I my the a user's don't never no longer love lives in moved to is called named and , . ? ! : ; " ' [ ] ( ) 2023 May 8th
Caroline Anna Seoul Python 's of who which that not would can't have been going wanna 5 km 30% http:// \n \u2028
나는 내 제 이름은 서울에 살아 파이썬을 좋아해 안 못 먹지 않아 했어 있어 수 있어 적 없어 것 을 를 이 가 하고 입니다 이야 ㅋㅋ 2023년 5월 8일
고양이를 한국의 아니야 려고 해 기로 했다 좋아하는 색은 학생이고 오후 1시 - 엄마:
""".split(" ")
)
TEXTS = st.one_of(
    st.text(max_size=300), st.lists(PIECES, max_size=40).map(" ".join), st.lists(PIECES, max_size=40).map("".join)
)


@given(TEXTS, st.one_of(st.none(), st.text(max_size=20)))
def test_triples_are_few_whole_and_without_commas(text, speaker):
    """So that `subject,predicate,object` can be read back."""
    triples = triples_of(text, speaker)
    assert len(triples) <= 8
    for triple in triples:
        assert len(triple) == 3
        for part in triple:
            assert part.strip()
            assert "," not in part
            assert len(part.splitlines()) == 1
        assert is_negative(triple[1]) in (True, False)


@given(TEXTS)
def test_a_key_is_its_own_key(text):
    """Normalising twice changes nothing."""
    assert entity(entity(text)) == entity(text)


@given(TEXTS)
def test_entities_and_keywords_are_few_keys(text):
    """At most 32 entities, each once, each its own key; keywords are among them."""
    found = entities_in(text)
    assert len(found) <= 32
    assert len(set(found)) == len(found)
    assert all(entity(name) == name for name in found)
    assert len(keywords_of(text)) <= 8


@given(TEXTS, st.integers(min_value=1, max_value=150))
def test_a_gist_is_short_and_never_empty(text, most):
    """For every text that is not blank."""
    gist = gist_of(text, most)
    assert len(gist) <= most
    assert bool(gist) == bool(text.split())


@given(TEXTS)
def test_the_rest_raises_nothing(text):
    """A language, a kind and a turn for everything; a turn only takes from the front."""
    assert isinstance(language_of(text), Language)
    assert isinstance(category_of(text), Category)
    assert text.endswith(read_turn(text).text)


GARBAGE = ["a" * 100_000, " " * 100_000, "ㅋ" * 100_000, "가" * 100_000, "나는 " * 30_000, "a.b" * 30_000, "'s" * 50_000, "(" * 100_000,
           "[2023-05-08 " * 8_000, "1" * 100_000, "1,1." * 25_000, "the " * 25_000, ", and " * 16_000, "A: " * 30_000, "I love " * 15_000,
           "always " * 15_000, "hahaha " * 15_000, "을를이가" * 25_000, "\u0301" * 100_000, "_" * 100_000, "a-" * 50_000, "\n" * 100_000]  # fmt: skip


@pytest.mark.parametrize("text", GARBAGE, ids=[text[:6] for text in GARBAGE])
def test_garbage_takes_no_forever(text):
    """A hundred thousand characters of anything are read in one go; a pattern that explodes would hang here."""
    triples_of(text)
    entities_in(text)
    keywords_of(text)
    category_of(text)
    gist_of(text)
    read_turn(text)
    language_of(text)
    entity(text)
