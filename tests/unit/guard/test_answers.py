"""A secret that is told across two turns is redacted; ordinary answers stay."""

from __future__ import annotations

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.guard.answers import redact_answer
from celestial_engine.core.guard.secrets import GuardPolicy


@pytest.mark.parametrize(
    ("before", "answer", "secret"),
    [
        ("What's the wifi password?", "plum9921", "plum9921"),
        ("Tell me the password", "it's plum-tree-44", "plum-tree-44"),
        ("Which PIN did you choose?", "4471", "4471"),
        ("와이파이 비밀번호가 뭐야?", "plum9921이야", "plum9921"),
        ("비번 알려줘", "blue!7711", "blue!7711"),
        ("인증번호를 입력해 주세요", "482913", "482913"),
        ("What is the password?", "ｐｌｕｍ９９２１", "ｐｌｕｍ９９２１"),
        ("What's the password?", "hunter2", "hunter2"),
        ("What's the gate code?", "4471#", "4471"),
        ("현관 비밀번호가 뭐예요?", "2580이요", "2580"),
        ("my wifi password changed again", "plum9921 now", "plum9921"),
        ("My bank password is a bit weird.", "it's turnip-Galaxy-19", "turnip-Galaxy-19"),
        ("Let me give you the alarm code", "4471", "4471"),
        ("내 노트북 비번 또 까먹을 뻔", "dlswjd22야", "dlswjd22"),
    ],
)
def test_the_answer_to_a_question_for_a_secret_is_redacted(before, answer, secret):
    assert secret not in redact_answer(answer, before, GuardPolicy())


@pytest.mark.parametrize(
    ("before", "answer"),
    [
        ("What's the wifi password?", "I don't know"),
        ("What's the wifi password?", "그건 민아가 알아"),
        ("How old is she?", "1234"),
        ("비밀번호를 바꿨어", "잘했네"),
        ("I forgot my password", "the iPhone15 arrived today"),
        ("My bank changed the password rules", "it needs 2026 new forms"),
        ("비번 바꿨어", "그래 2580원만 줘"),
        ("I changed my password", "see you at 18:30"),
        ("The door code is in the mail", "thanks!!"),
        (None, "plum9921"),
        ("What's the wifi password?", "I will look it up tomorrow when I am at the office, remind me at 1430 " * 2),
    ],
)
def test_other_answers_stay(before, answer):
    assert redact_answer(answer, before, GuardPolicy()) == answer


def test_allowed_passwords_stay():
    policy = GuardPolicy.everything("allow")
    assert redact_answer("plum9921", "What's the wifi password?", policy) == "plum9921"


def test_nothing_of_it_is_stored_or_returned():
    with CelestialMemory(":memory:", rebalance_interval=None) as memory:
        history = [{"role": "assistant", "content": "What is your wifi password?"}]
        observed = memory.observe("my wifi one is plum9921", history)
        assert "plum9921" not in repr(observed)
        assert not any("plum9921" in item.content for item in memory.list(10))
