"""Rewards: praise, blame, interest; and nothing where it is unsure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.learning.rewards import RatedTurn, RewardKind, reward_of

PRAISE = [
    "Exactly!",
    "perfect",
    "Perfect, thanks!",
    "That's right.",
    "Yes, that's correct",
    "you're absolutely right",
    "Great answer!",
    "Wow, good memory!",
    "That helps a lot, thank you",
    "You remembered my birthday!",
    "that's exactly what I needed",
    "Nice!",
    "Spot on. Let's continue with the second chapter.",
    "Right, that's the one I meant. Book it for Friday.",
    "👍",
    "Oh, well done",
    "맞아",
    "맞아요!",
    "응 맞아 ㅋㅋ",
    "그래, 정확해",
    "좋아",
    "좋아요, 그걸로 하자",
    "완벽해!",
    "잘 기억하고 있네",
    "정말 도움이 됐어, 고마워",
    "바로 그거야",
    "역시 최고야",
    "아주 마음에 들어",
    "네 말이 맞아",
    "정답이야 ㅎㅎ",
    "맞습니다. 그 회의는 3시예요.",
    "우와 대단해",
]
BLAME = [
    "Wrong.",
    "no, that's wrong",
    "That's not right",
    "that isn't what I said",
    "No, my name is Mira",
    "No. I meant the other project.",
    "You forgot my name",
    "you got it wrong",
    "not helpful",
    "I never said that",
    "You're mistaken",
    "that is not correct, the meeting is on Tuesday",
    "That doesn't help",
    "You keep forgetting my allergy",
    "I told you that already",
    "👎",
    "아니야",
    "틀렸어",
    "그게 아니라 회의는 화요일이야",
    "아니, 내 이름은 민아야",
    "안 맞아",
    "그건 맞지 않아요",
    "잘못 기억하고 있어",
    "그런 말 한 적 없어",
    "하나도 도움이 안 돼",
    "별로야",
    "너 또 까먹었네",
    "아닌데요",
    "완전 틀렸잖아",
    "아까 말했잖아",
    "그런 뜻이 아니야",
    "전혀 정확하지 않아",
]
# Irony, both at once, questions, quotations, statements about something else, plain answers.
NOTHING = [
    "great, you forgot again",
    "Wonderful. You forgot my name again.",
    "Perfect, just perfect, as usual",
    "Oh brilliant 🙄",
    "Great... another reminder",
    "Thanks for nothing, genius",
    "Exactly what I needed, another wrong answer",
    "yeah right",
    "Perfect?",
    "Is that right?",
    "That's right but the date is wrong",
    "Not bad",
    "it's not that it's not right",
    'She said "that\'s wrong" and left',
    "> that's wrong",
    "He told me I was wrong about the tax",
    "I like good coffee",
    "My left and right hands are cold",
    "no",
    "No, thanks",
    "The perfect crime is a film from 1978",
    "The correct password is in the safe",
    "I got three answers wrong in the exam",
    "good morning",
    "You know what would be perfect",
    "nobody was right about the election",
    "thanks",
    "`wrong`",
    "참 잘도 기억한다",
    "퍽이나 도움이 됐어",
    "완벽해, 또 까먹었네",
    "대단해... 벌써 세 번째야",
    "맞아?",
    "이거 맞아요?",
    "좋아하는 음식은 냉면이야",
    "나는 파이썬을 좋아해",
    "시험에서 세 문제나 틀렸어 진짜 속상하다",
    "맞아 근데 시간은 달라",
    "아니",
    "나 또 까먹었어",
    "그 사람이 “아니야”라고 했어",
    "틀리지 않았어",
    "나쁘지 않네",
    "옷이 나한테 잘 맞아서 샀어",
    "어제 아니면 오늘일 거야",
    "최고 기온이 30도래",
    "좋은 아침",
    "고마워",
    "역시 또 잊었구나, 대단해",
    "잘한다 잘해",
]


@pytest.mark.parametrize("said", PRAISE)
def test_praise_is_heard(said):
    assert (reward_of(said).value, reward_of(said).kind) == (1.0, RewardKind.PRAISE)


@pytest.mark.parametrize("said", BLAME)
def test_blame_is_heard(said):
    assert (reward_of(said).value, reward_of(said).kind) == (-1.0, RewardKind.BLAME)


@pytest.mark.parametrize("said", NOTHING)
def test_when_unsure_it_says_nothing(said):
    """A reward that was never meant teaches the wrong thing; one that was missed costs little."""
    assert reward_of(said).value == 0.0


@pytest.mark.parametrize("said", ["no", "nope", "아니", "아뇨"])
def test_a_bare_no_answers_a_question_or_denies_a_statement(said):
    assert reward_of(said, RatedTurn(asked=True)).kind is not RewardKind.BLAME
    assert reward_of(said, RatedTurn(asked=None)).kind is not RewardKind.BLAME
    assert reward_of(said, RatedTurn(asked=False)).kind is RewardKind.BLAME


@pytest.mark.parametrize("said", ["good", "좋아", "sounds good", "괜찮아요"])
def test_mild_praise_may_only_be_an_answer(said):
    assert reward_of(said, RatedTurn(asked=True)).kind is not RewardKind.PRAISE
    assert reward_of(said, RatedTurn(asked=False)).kind is RewardKind.PRAISE


@pytest.mark.parametrize(
    "said", ["ok", "K", "whatever", "meh", "hmm...", "그래", "ㅇㅇ", "그렇구나.", "됐어", "글쎄"]
)
def test_short_disinterest_costs_a_little(said):
    assert reward_of(said, RatedTurn()).value == -0.1
    assert reward_of(said, RatedTurn(asked=True)).value == 0.0
    assert reward_of(said).value == 0.0  # nothing came before it


def test_a_talk_that_goes_on_is_worth_something_and_more_when_it_takes_up_what_was_recalled():
    before = RatedTurn(60.0, ("커피", "Dune", "living room"))
    assert reward_of("내일 몇 시에 만날까?", before).value == 0.3
    assert reward_of("커피를 마시러 갈까?", before).value == 0.5
    assert reward_of("커피를 마시러 갈까?", before).evidence == ("커피",)
    assert reward_of("When was dune written?", before).value == 0.5
    assert reward_of("The sand dunes were lovely", before).value == 0.3
    assert reward_of("Paint the living room blue", before).kind is RewardKind.PICKED_UP
    assert reward_of("The room is blue, and I am living", before).value == 0.5  # in any order
    assert reward_of("A room of one's own", before).value == 0.3


def test_who_comes_back_later_begins_another_talk():
    assert reward_of("내일 몇 시에 만날까?", RatedTurn(3600.0)).value == 0.0
    assert reward_of("내일 몇 시에 만날까?", RatedTurn(-5.0)).value == 0.0  # a clock went back
    assert reward_of("That was wrong", RatedTurn(3600.0)).value == -1.0  # said in so many words


def test_a_long_text_tells_and_does_not_judge():
    assert reward_of("Wrong. " + "He walked on through the rain. " * 30).value == 0.0


@given(st.text())
def test_any_text_has_a_reward_between_blame_and_praise(said):
    for before in (None, RatedTurn(), RatedTurn(10.0, ("커피", ""), True)):
        assert -1.0 <= reward_of(said, before).value <= 1.0


@given(
    st.sampled_from(PRAISE), st.sampled_from(["but you forgot the date", "근데 날짜는 틀렸어", "you forgot it again"])
)
def test_praise_with_a_complaint_in_its_train_teaches_nothing(praise, complaint):
    assert reward_of(f"{praise.rstrip('.!?')}, {complaint}").value <= 0.0
