"""Requests to forget: what is one, what only sounds like one, and what each is about."""

from __future__ import annotations

import pytest

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.labels import Act
from celestial_engine.core.turn.forget_request import forget_request_in, likely_request_in
from celestial_engine.core.turn.forget_topic import words_of
from celestial_engine.understanding import default_reader

# A request, and the words that memories are searched for.
ENGLISH = {
    "forget what I said about Ana": "Ana",
    "Forget about Ana": "Ana",
    "please forget my old address": "address",
    "delete my old address": "address",
    "Delete everything you know about my ex.": "ex",
    "remove my phone number from your memory": "phone number",
    "erase what I told you about the surgery": "surgery",
    "Don't keep what I told you about my salary": "salary",
    "stop remembering my weight": "weight",
    "you can forget about the dentist appointment now": "dentist appointment",
    "could you forget that I'm allergic to peanuts?": "allergic peanuts",
    "I'd like you to forget my birthday": "birthday",
    "I want you to delete the memory about Tom": "Tom",
    "never mind what I said about the trip, forget it": "trip",
    "scratch what I said about moving": "moving",
    "wipe everything about Jake": "Jake",
    "forget I ever mentioned Paul": "Paul",
    "ok, please remove Biscuit from memory": "Biscuit",
    "clear my memories of Berlin": "Berlin",
    "no need to remember the wifi thing anymore": "wifi",
    "I no longer want you to remember Tom": "Tom",
    "Would you forget our conversation about the lawsuit?": "lawsuit",
}
KOREAN = {
    "수민이 얘기는 이제 잊어줘": "수민",
    "예전 주소는 지워줘": "주소",
    "내 생일 잊어줘": "생일",
    "전남친 얘기 다 지워줘": "전남친",
    "수술 얘기는 기억에서 지워줘": "수술",
    "내 몸무게는 기억하지 말아줘": "몸무게",
    "옛날 주소 삭제해줘": "주소",
    "민수에 대해 말한 거 전부 잊어버려": "민수",
    "아까 연봉 얘기한 거 기억하지 말아 주세요": "연봉",
    "병원 얘기는 이제 잊어주세요~": "병원",
    "제 전화번호 기억에서 삭제해 주세요": "전화번호",
    "수민이에 대한 기억 지워줄래?": "수민",
    "수민이 일은 잊어주라": "수민",
    "이직 얘기 잊어도 돼": "이직",
    "내 별명 기억 안 해도 돼": "별명",
    "내가 이직한다고 한 거 잊어줘": "이직",
    "어제 말한 회식 얘기 지워줄 수 있어?": "회식",
    "Ana 얘기는 잊어줘": "Ana",
}
NO_REQUEST = (
    "don't forget to buy milk", "don't forget my birthday", "never forget that I love you", "I forgot my keys",
    "i want to forget him", "I want to forget about Ana", "I can't forget her", "I'll never forget Lisbon",
    "forget it", "forget it, I'll do it myself", "Forget about it, let's go", "Forget that, what's the weather?",
    "did you forget my name?", "You forgot what I said", "you don't remember my name", "don't know what to do",
    "I keep forgetting my password", "I tend to forget names", "he forgot our anniversary", "Help me forget him",
    "Let's forget about work today", "Mom wants me to forget Ana", "Ana told me to forget her",
    "How can I forget what he did?", '"Forget what I said about Ana" is a great song', "Ana: forget what I said",
    "delete the temp files", "delete this function please", "remove the semicolon on line 3",
    "how do I delete a branch in git?", "I deleted my old account", "Delete my account on the website",
    "please delete the email from Ana", "Remove Ana from the guest list", "remove my name from the list",
    "delete everything about the old API from the docs", "clear the memory cache", "don't save it yet",
    "drop my ex a line", "Never mind.",
    "잊지 마", "잊지 말아줘", "우유 사는 거 잊지 마", "열쇠를 깜빡했어", "그 사람을 잊고 싶어", "그 사람 잊을 수가 없어",
    "비밀번호를 잊어버렸어", "내 이름 잊었어?", "잊어버릴 뻔했어", "엄마 생신을 잊어버렸어", "기억이 안 나", "기억해줘",
    "다 잊고 쉬고 싶어", "수민이가 나를 잊었나 봐", "수민이가 자기 잊어달래", "나 자꾸 사람 이름을 잊어버려",
    "술 마시면 다 잊어", "잊어줘서 고마워", "이 기억을 지우고 싶어", "기억하지 못해서 미안해", "파일 삭제해줘",
    "이 줄 지워줘", "문서에서 3번째 문단 지워줘", "게임 계정 삭제했어", "사진 좀 지워야 하는데", "차 좀 빼주세요",
    "약속은 없던 걸로 하자", "메모에서 이 항목 지워줘",
)  # fmt: skip


@pytest.mark.parametrize(("text", "words"), [*ENGLISH.items(), *KOREAN.items()])
def test_a_request_and_what_it_is_about(text, words):
    request = forget_request_in(text)
    assert request is not None
    assert request.rest == ""
    (topic,) = request.topics
    assert (topic.back, topic.everything, topic.certain) == (False, False, True)
    assert " ".join(words_of(topic).words) == words


@pytest.mark.parametrize("text", NO_REQUEST)
def test_what_only_sounds_like_one(text):
    assert forget_request_in(text) is None


@pytest.mark.parametrize(
    "text",
    ["forget that", "forget what I just said", "please don't remember that", "forget I said that",
     "please don't store what I just said", "그거 기억하지 마", "방금 한 말 잊어줘", "방금 말한 거 저장하지 마", "내가 한 말 잊어",
     "그 얘기는 없던 걸로 해줘", "그 말은 못 들은 걸로 해줘"],
)  # fmt: skip
def test_what_was_said_just_before(text):
    (topic,) = forget_request_in(text).topics
    assert topic.back


@pytest.mark.parametrize(
    "text",
    ["forget everything", "forget me", "Delete everything you know about me", "다 잊어줘", "나에 대한 기억 다 지워줘",
     "모든 걸 잊어줘"],
)  # fmt: skip
def test_everything(text):
    (topic,) = forget_request_in(text).topics
    assert topic.everything


@pytest.mark.parametrize(
    "text",
    ["dont remember my password", "You can forget about getting a raise", "forget about work", "forget what Ana said",
     "수민이가 한 말 잊어줘"],
)  # fmt: skip
def test_what_may_be_meant_otherwise_is_uncertain(text):
    """An elided "I", a saying, what somebody else said: nothing is forgotten without asking."""
    (topic,) = forget_request_in(text).topics
    assert not topic.certain


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("take hegarty out of your books shes gone with the crowd from bandon", "hegarty"),
        ("What I said about Gareth drinking, remove it please", "Gareth drinking"),
        ("Kindly erase the remark about the principal's car. It was loose talk.", "principal car"),
        ("bin what i said about stevie", "stevie"),
        ("wipe what i told you about that business with the base owner", "base owner"),
        ("아버지 이야기는 지워부러 괜히 했다", "아버지"),
        ("공황 얘기했던 거 삭제해 주세용 이제 회사 노트북이라", "공황"),
        ("빚 이야기도 지워 다오.", "빚"),
        ("시어머니 욕한 거는 다 지아뿌라 내 입만 더러버진다", "시어머니 욕한"),
    ],
)
def test_free_words_that_the_reader_takes_for_a_request(text, words):
    request = likely_request_in(text)
    (topic,) = request.topics
    assert (topic.certain, topic.likely, request.likely) == (False, True, True)
    assert " ".join(words_of(topic).words) == words


def test_what_else_the_turn_says_is_told_apart():
    request = forget_request_in("Forget my old address. I live in Busan now. And forget what I said about Tom!")
    assert [topic.text for topic in request.topics] == ["my old address", "what I said about Tom"]
    assert request.rest == "I live in Busan now."
    assert forget_request_in("Please forget my old job, I work at the harbour").rest == "I work at the harbour"
    assert forget_request_in("옛날 주소는 잊어줘. 나 이제 부산 살아").rest == "나 이제 부산 살아"


def test_letters_and_documents_ask_for_nothing():
    assert forget_request_in("Forget what I said about Ana. " + "It was a long summer. " * 30) is None


def test_nothing_takes_long():
    for text in (
        "forget " + "please " * 60,
        "다 " * 200 + "잊어",
        "좀 다 전부 " * 60 + "기억",
        "delete what " + "i " * 190,
    ):
        forget_request_in(text)


@pytest.mark.parametrize(
    ("text", "content", "matches"),
    [
        ("forget what I said about Ana", "Ana's dog is called Rex", True),
        ("forget what I said about Ana", "I love bananas", False),
        ("forget what I said about Ana", "Anastasia called", False),
        ("forget what I said about Ana's surgery", "Ana is my sister", False),
        ("forget what I said about Ana's surgery", "Ana had surgery in May", True),
        ("forget about the dentist appointment", "I have dentist appointments on Fridays", True),
        ("forget about the dentist appointment", "I have an appointment with Ana", False),
        ("수민이 얘기는 잊어줘", "수민이랑 어제 싸웠어", True),
        ("수민이 얘기는 잊어줘", "박수민이 회사에 왔다", True),
        ("수민이 얘기는 잊어줘", "수민정 교수님 수업을 듣는다", False),
        ("아나 얘기는 잊어줘", "아나운서가 꿈이야", False),
        ("병원 얘기는 잊어줘", "병원비가 많이 나왔어", False),
        ("병원 얘기는 잊어줘", "병원에서 검사를 받았다", True),
        ("주소 잊어줘", "집주소는 마포구야", True),
        ("수민이랑 싸웠다고 한 거 잊어줘", "수민이는 내 동생이야", False),
        ("수민이랑 싸웠다고 한 거 잊어줘", "어제 수민이랑 싸웠어", True),
        ("이직 얘기 잊어줘", "나 이직했어", True),
    ],
)
def test_a_memory_must_have_every_word(text, content, matches):
    (topic,) = forget_request_in(text).topics
    assert words_of(topic).in_item(CelestialItem.create(content)) is matches


def test_old_own_and_names():
    (topic,) = forget_request_in("delete my old address").topics
    words = words_of(topic)
    assert (words.old, words.own, [one.value for one in words.attributes]) == (True, True, ["home"])
    (topic,) = forget_request_in("forget what I said about Ana's surgery").topics
    assert (words_of(topic).names, words_of(topic).own) == (("Ana",), False)
    (topic,) = forget_request_in("수민이 수술 얘기는 잊어줘").topics
    assert words_of(topic).names == ("수민",)


def test_it_is_read_as_an_act_of_its_own():
    reading = default_reader().read("no need to remember the wifi thing anymore")
    assert (reading.act, reading.act_confidence, reading.keep) == (Act.FORGET, 1.0, 0.0)
    assert default_reader().read("don't forget to buy milk").act is Act.INSTRUCTION
