"""Rewards: praise, blame, interest; and nothing where it is unsure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.learning.rewards import RatedTurn, Reward, RewardKind, reward_of
from celestial_engine.core.record.reading import Reading
from celestial_engine.flow.base.read import read_text

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
    "great, you forgot again",
    "Wonderful. You forgot my name again.",
    "Exactly what I needed, another wrong answer",
]
# Irony, both at once, questions, quotations, statements about something else, plain answers.
NOTHING = [
    "Perfect, just perfect, as usual",
    "Oh brilliant 🙄",
    "Great... another reminder",
    "Thanks for nothing, genius",
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


PRAISING = Reading(praise=0.9)
BLAMING = Reading(blame=0.9)
TELLING = Reading(praise=0.1, blame=0.1)


def heard(said: str, before: RatedTurn | None = None) -> Reward:
    return reward_of(said, read_text(said), before)


class TestWhatIsHeard:
    """The act of a turn is read by a trained model: most of these lists must be right, and hardly any the reverse."""

    def test_most_praise_is_heard_and_hardly_any_as_blame(self):
        values = [heard(said).value for said in PRAISE]
        assert values.count(1.0) >= 0.7 * len(PRAISE), [s for s, v in zip(PRAISE, values, strict=True) if v != 1.0]
        assert values.count(-1.0) <= 0.03 * len(PRAISE)

    def test_most_blame_is_heard_and_hardly_any_as_praise(self):
        values = [heard(said).value for said in BLAME]
        assert values.count(-1.0) >= 0.7 * len(BLAME), [s for s, v in zip(BLAME, values, strict=True) if v != -1.0]
        assert values.count(1.0) <= 0.03 * len(BLAME)

    def test_what_judges_nothing_is_seldom_heard_as_judgement(self):
        """A reward that was never meant teaches the wrong thing; one that was missed costs little."""
        values = [heard(said).value for said in NOTHING]
        assert values.count(0.0) >= 0.8 * len(NOTHING), [s for s, v in zip(NOTHING, values, strict=True) if v]

    @pytest.mark.parametrize("said", ["no", "아니", "틀렸어", "Wrong.", "no, that's wrong"])
    def test_a_plain_no_is_blame(self, said):
        assert heard(said).value == -1.0

    @pytest.mark.parametrize("said", ["no, that's fine", "아니 괜찮아"])
    def test_a_polite_no_is_none(self, said):
        assert heard(said).value == 0.0


class TestTheRules:
    def test_blame_costs(self):
        assert reward_of("it's tuesday", BLAMING).value == -1.0

    def test_what_is_unlikely_to_judge_judges_nothing(self):
        assert reward_of("right", Reading(praise=0.3, blame=0.3)).value == 0.0

    @pytest.mark.parametrize("said", ["no", "nope", "아니", "아뇨"])
    def test_a_bare_no_that_answers_a_question_judges_nothing(self, said):
        assert reward_of(said, TELLING, RatedTurn(is_question=True)).kind is not RewardKind.BLAME
        assert reward_of(said, TELLING, RatedTurn(is_question=None)).kind is RewardKind.BLAME
        assert reward_of(said, TELLING, RatedTurn(is_question=False)).kind is RewardKind.BLAME

    @pytest.mark.parametrize(
        "said",
        ["Oh brilliant 🙄", "Great... another reminder", "Perfect, just perfect, as usual", "완벽해, 또 까먹었네",
         "퍽이나 도움이 됐어"],
    )  # fmt: skip
    def test_praise_that_may_be_irony_teaches_nothing(self, said):
        assert reward_of(said, PRAISING) == Reward(0.0, RewardKind.UNSURE, (said.casefold(),))

    @pytest.mark.parametrize(("said", "value"), [("👍", 1.0), ("👎", -1.0)])
    def test_thumbs_are_certain(self, said, value):
        assert reward_of(said, TELLING).value == value

    def test_quoted_words_are_not_the_users(self):
        assert reward_of("> that's wrong", BLAMING).value == 0.0
        assert reward_of("`wrong`", BLAMING).value == 0.0


@pytest.mark.parametrize(
    "said", ["ok", "K", "whatever", "meh", "hmm...", "그래", "ㅇㅇ", "그렇구나.", "됐어", "글쎄"]
)
def test_short_disinterest_costs_a_little(said):
    assert reward_of(said, TELLING, RatedTurn()).value == -0.1
    assert reward_of(said, TELLING, RatedTurn(is_question=True)).value == 0.0
    assert reward_of(said, TELLING).value == 0.0  # nothing came before it


def test_a_talk_that_goes_on_is_worth_something_and_more_when_it_takes_up_what_was_recalled():
    before = RatedTurn(60.0, ("커피", "Dune", "living room"))
    assert reward_of("내일 몇 시에 만날까?", TELLING, before).value == 0.3
    assert reward_of("커피를 마시러 갈까?", TELLING, before).value == 0.5
    assert reward_of("커피를 마시러 갈까?", TELLING, before).evidence == ("커피",)
    assert reward_of("When was dune written?", TELLING, before).value == 0.5
    assert reward_of("The sand dunes were lovely", TELLING, before).value == 0.3
    assert reward_of("Paint the living room blue", TELLING, before).kind is RewardKind.PICKED_UP
    assert reward_of("The room is blue, and I am living", TELLING, before).value == 0.5  # in any order
    assert reward_of("A room of one's own", TELLING, before).value == 0.3


def test_who_comes_back_later_begins_another_talk():
    assert reward_of("내일 몇 시에 만날까?", TELLING, RatedTurn(3600.0)).value == 0.0
    assert reward_of("내일 몇 시에 만날까?", TELLING, RatedTurn(-5.0)).value == 0.0  # a clock went back
    assert reward_of("That was wrong", BLAMING, RatedTurn(3600.0)).value == -1.0  # said in so many words


def test_a_long_text_tells_and_does_not_judge():
    assert reward_of("Wrong. " + "He walked on through the rain. " * 30, BLAMING).value == 0.0


@given(st.text())
def test_any_text_has_a_reward_between_blame_and_praise(said):
    for before in (None, RatedTurn(), RatedTurn(10.0, ("커피", ""), True)):
        assert -1.0 <= heard(said, before).value <= 1.0
