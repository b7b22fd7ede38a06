"""Words that nobody said, and negations that changed."""

from __future__ import annotations

import pytest

from celestial_engine.core.model.faithful import changes_negation, has_negation, unsaid_words

FAITHFUL = [
    ("The user moved to Busan", "I'm moving to Busan next week!"),
    ("allergic to nuts", "My nut allergy is bad"),
    ("Mina went home", "Mina is going home"),
    ("Mina's dog", "Mina has a dog"),
    ("user does not eat pork", "I don't eat pork"),
    ("1,000 won", "It costs 1000 won"),
    ("미나는 부산으로 이사함", "미나가 부산으로 이사했다"),
    ("부산에 산다", "요즘 부산에서 살아요"),
    ("사용자는 커피를 마신다", "나 커피 자주 마셔"),
    ("집에 갔다", "집에 가는 길"),
    ("공부 했다", "어제 공부했어"),
    ("공부했다", "어제 공부 했어"),
    ("고양이를 기다린다", "고양이가 날 기다려"),
    ("사용자는 돼지고기를 먹지 않는다", "나 돼지고기 안 먹어"),
    ("2019년에 입사", "2019년 입사했어요"),
    ("개발자", "저는 개발자예요"),
    ("Python을 좋아함", "Python 좋아해"),
    ("user 커피", "커피"),
    ("", "anything"),
]
UNFAITHFUL = [
    ("The user lives in Paris", "I'm moving to Busan", {"lives", "Paris"}),
    ("Marie called", "Marina called", {"Marie"}),
    ("interview", "international", {"interview"}),
    ("at 4", "at 3", {"4"}),
    ("2020", "2019", {"2020"}),
    ("2019", "20199", {"2019"}),
    ("not moving", "I'm moving", {"not"}),
    ("미나는 서울에 산다", "미나가 부산으로 이사했다", {"서울에", "산다"}),
    ("김치찌개", "김치전을 먹었다", {"김치찌개"}),
    ("서울대", "서울에 간다", {"서울대"}),
    ("돼지고기를 먹지 않는다", "돼지고기 먹어", {"않는다"}),
    ("집을 샀다", "집에 간다", {"샀다"}),
    ("I have a 커피", "커피 있어", {"I", "have", "a"}),
    ("사용자 coffee", "coffee", {"사용자"}),
    ("東京", "大阪に行く", {"東京"}),
    ("anything", "", {"anything"}),
]


@pytest.mark.parametrize(("text", "source"), FAITHFUL)
def test_forms_of_the_same_words_are_said(text, source):
    assert unsaid_words(text, source) == set()


@pytest.mark.parametrize(("text", "source", "unsaid"), UNFAITHFUL)
def test_other_words_are_unsaid(text, source, unsaid):
    assert unsaid_words(text, source) == unsaid


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("The user eats pork", "I don't eat pork"),
        ("The user has allergies", "I have no allergies"),
        ("eats pork", "I no longer eat pork"),
        ("not moving, selling", "I'm moving, not selling"),
        ("돼지고기를 먹는다", "돼지고기 안 먹어"),
        ("돼지고기를 먹는다", "돼지고기는 먹지 않아"),
        ("땅콩 알레르기가 있다", "땅콩 알레르기가 없어"),
        ("커피를 안 마신다", "커피를 마시고 술은 안 해"),
    ],
)
def test_a_denied_word_stays_denied_and_an_asserted_one_asserted(text, source):
    assert changes_negation(text, source)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("does not eat pork", "I don't eat pork"),
        ("loves tea", "I love tea but don't drink coffee"),
        ("likes coffee", "I don't like tea, but I like coffee"),
        ("돼지고기를 먹지 않음", "돼지고기 안 먹어"),
        ("땅콩 알레르기 없음", "땅콩 알레르기가 없어요"),
        ("부산으로 이사", "서울은 안 좋아하는데 부산으로 이사했어"),
        ("I like tea", "I like tea"),
    ],
)
def test_what_is_denied_may_be_worded_otherwise(text, source):
    assert not changes_negation(text, source)


def test_a_negation_is_recognised():
    assert has_negation("I don't")
    assert has_negation("안 먹어")
    assert has_negation("먹지 않아")
    assert not has_negation("안녕, I know nothing's wrong?".replace("nothing's", "all is"))


def test_nothing_is_too_long_or_too_odd():
    odd = "a" * 100_000 + " ㅋㅋㅋ 👍 \ud800 '''s 1,2,3 ' é" * 500
    assert unsaid_words(odd, odd) == set()
    changes_negation(odd, odd)
