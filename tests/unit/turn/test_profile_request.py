"""Questions for all that is known about the user, told from questions about one thing."""

from __future__ import annotations

import time

import pytest

from celestial_engine.core.turn.profile_request import asks_for_profile, has_words_of_request
from celestial_engine.core.turn.remember_request import asks_to_remember
from celestial_engine.flow.base.read import read_text

ASKED = """
What do you know about me?
what do you know about me so far
So what do you remember about me from before?
What have you learned about me?
what do you have on me
tell me everything you know about me
Tell me what you remember about me please
can you tell me what you know about me?
could you summarize what you know about me
list everything you remember about me
List the facts you have stored about me
show me what you’ve stored about me
who am I?
can you tell me who I am
do you know me?
Remember me?
do you still remember who I am?
do you know anything about me yet?
how well do you know me?
how much do you know about me?
what information do you have about me?
What is stored about me?
do you have a profile of me?
show my profile
describe me
tell me about myself
what can you tell me about myself?
what have I told you about myself?
Hi! What do you know about me?
i'm back. do you remember me?
what u know abt me
나에 대해 뭘 알아?
나에 대해 뭐 알아
나에대해 아는거 있어?
나에 대해 아는 거 다 말해줘
나에 대해 아는 것을 전부 나열하라.
나에 대해서 기억하는 거 있어?
너는 나에 대해 얼마나 알아?
넌 나에 대해 무엇을 알고 있니?
저에 대해 무엇을 알고 계세요?
저에 대해서 얼마나 기억하고 계신가요?
저에 대해 아시는 거 말씀해 주세요
저에 대해 기억하고 있는 내용 정리해 주세요
지금까지 나에 대해 알게 된 거 정리해줘
내가 누군지 알아?
내가 누군지는 알아?
나 누구게?
제가 누구인지 아세요?
제가 누군지 기억하세요?
너 나 누군지 알아?
나 기억해?
혹시 저 기억하세요?
나를 얼마나 알아?
나에 대한 정보 뭐 있어?
나에 관한 정보 다 보여줘
내 정보 뭐 알고 있어?
내 프로필 보여줘
나에 대해 저장된 거 뭐 있어?
나 어떤 사람인 것 같아?
내가 어떤 사람인지 알아?
안녕! 나 기억나?
나에 대해 설명해봐 ㅋㅋ
""".strip().splitlines()

NOT_ASKED = """
what do you know about Mina?
what do you know about my mother?
what do you know about me and jazz?
what do you know about python
what do you think of me?
what do you think about me
who am I talking to?
who am I to judge
do you know who I am talking about?
does he know about me?
what does my boss know about me?
nobody knows who I am
do you remember what I told you about my dog?
do you remember my name?
remember me
oh you know me!
forget everything you know about me
I don't know what you know about me
let me tell you about me
can I tell you about me?
tell me about yourself
tell me about Lisbon
show my profile picture
that says a lot about me
나에 대해 어떻게 생각해?
내 동생에 대해 뭘 알아?
내 친구가 나에 대해 뭘 알아?
파이썬에 대해 뭘 알아?
너에 대해 알려줘
제주에 대해 알려줘
나 그거 알아
나 다 알아
나 알아
나 아니
나 알아서 할게
나 기억해 줘
나를 기억해줘
나 제주도 여행 기억나
내 생일 기억해?
내가 누구한테 말했지?
내가 어떤 커피 좋아하는지 알아?
나에 대해 다 잊어줘
나에 대해 말해줄게
내 기록 지워줘
내 정보 저장해줘
""".strip().splitlines()


@pytest.mark.parametrize("text", ASKED)
def test_asks_for_everything(text):
    assert asks_for_profile(text, read_text(text))
    assert not asks_to_remember(text)


@pytest.mark.parametrize("text", NOT_ASKED)
def test_asks_for_something_else_or_nothing(text):
    assert not asks_for_profile(text, read_text(text))


def test_a_rhetorical_question_after_news_is_news():
    text = "joined the choir of the old church at sixty. weds 7pm. who am i"
    assert not asks_for_profile(text, read_text(text))


@pytest.mark.parametrize(
    "text", ["나에대해" + "뭐" * 190, "나에대해" + "다나" * 95, "나에대해알아" + "요" * 190, "tell me about me " * 11]
)
def test_no_text_is_slow_to_judge(text):
    has_words_of_request(text)
    started = time.process_time()
    has_words_of_request(text)
    assert time.process_time() - started < 0.05
