"""Token counts: near enough to a real tokenizer, rather over than under, whatever the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.text.tokens import count_tokens

# What the o200k vocabulary makes of these texts.
MEASURED = [
    (
        59,
        "Mina moved to Busan in March because her company opened a new office there. She says the sea helps her to think, but she misses the bookshop near her old flat and the Thursday dinners with her brother. We agreed to visit her in the autumn, when the tickets are cheaper.",
    ),
    (
        67,
        "Jun: Hey! Did you hear that I got the job?\nSora: No way, that's wonderful! When do you start?\nJun: Next Monday, and I'm already nervous. They've asked me to bring my own laptop, which doesn't even have a working battery.\nSora: Take mine, I won't need it until Friday.",
    ),
    (
        68,
        "Before the release we must finish three things: the migration of the old database, the translation of the manual, and a test that kills the server in the middle of a write. The migration is the riskiest part, so it goes first. If it takes longer than two weeks, we postpone the release and tell the customers why.",
    ),
    (
        75,
        "지난달에 부산으로 이사했습니다. 회사가 새 사무실을 열었기 때문입니다. 바다를 보면 생각이 정리된다고 하지만, 예전 집 근처의 서점과 목요일마다 동생과 먹던 저녁이 그립다고 합니다. 표가 싸지는 가을에 함께 놀러 가기로 약속했습니다.",
    ),
    (
        72,
        "나 드디어 취직했어! 다음 주 월요일부터 출근인데 벌써 긴장돼서 잠이 안 와. 노트북은 각자 가져오라는데 내 건 배터리가 다 죽어서 켜지지도 않아. 혹시 금요일까지 네 거 빌려줄 수 있어? 커피는 내가 살게.",
    ),
    (
        72,
        "민아는 땅콩 알레르기가 있어서 과자를 살 때 꼭 성분표를 확인해야 한다. 작년에 제주도에서 모르고 먹었다가 응급실에 간 적이 있다. 그 뒤로는 가방에 항상 약을 넣고 다니고, 식당에 가면 먼저 직원에게 물어본다.",
    ),
    (
        63,
        "아 진짜 오늘 회의 너무 길었음ㅋㅋㅋ 두시간동안 결론도 없고 다들 딴얘기만 하다가 끝남ㅠㅠ 팀장님은 또 다음주에 다시 모이자고 하심 ㅋㅋ 그냥 메일로 하면 되는거 아닌가 싶음...",
    ),
    (
        65,
        "어제 standup에서 나온 얘기: Redis cache를 먼저 고치고, 그다음에 API latency를 측정하기로 했다. 담당은 Jun, deadline은 2024-03-15. P95가 200ms를 넘으면 rollback하고 Slack #backend 채널에 공유한다.",
    ),
    (
        79,
        'def total(prices: list[float], rate: float = 0.1) -> float:\n    """The sum with tax."""\n    result = 0.0\n    for price in prices:\n        if price < 0:\n            raise ValueError(f"negative price: {price}")\n        result += price * (1 + rate)\n    return round(result, 2)\n',
    ),
    (
        61,
        '{"id": 42, "name": "Mina", "tags": ["friend", "busan"], "birthday": "1994-08-17", "allergies": ["peanut"], "score": 0.875, "active": true, "notes": null}',
    ),
    (
        74,
        "Rent 1,250,000 won, deposit 20,000,000, phone 010-1234-5678, card ending 4471, flight KE123 at 07:45 on 2024-11-03, gate 27, seat 14C, weight 23.5 kg, total $1,849.90.",
    ),
]
LARGEST_ERROR = 0.10
EMOJI = "Happy birthday!! 🎉🎂 축하해 🥳 정말 행복한 하루 보내 ❤️ Love you all 😍👍 see you on Saturday 🍻🔥"  # 32


@pytest.mark.parametrize(("tokens", "text"), MEASURED, ids=[text[:12] for _, text in MEASURED])
def test_near_to_a_real_tokenizer(tokens, text):
    assert count_tokens(text) == pytest.approx(tokens, rel=LARGEST_ERROR)


def test_over_rather_than_under():
    """A budget that holds by the estimate holds in truth."""
    assert sum(count_tokens(text) for _, text in MEASURED) >= sum(tokens for tokens, _ in MEASURED)
    assert 32 <= count_tokens(EMOJI) <= 40


def test_nothing_costs_nothing():
    assert count_tokens("") == 0
    assert count_tokens("a") == count_tokens("7") == 1


@pytest.mark.parametrize("text", ["한국어 문장입니다", "plain English words", "x = [1, 2]", "🎉", "日本語"])
def test_more_text_costs_more(text):
    assert count_tokens(text * 20) > 10 * count_tokens(text)


@pytest.mark.parametrize(
    "unit", ["a", "가", "습니다", " ", "\n", "!", "a1B", "\t\n x", "\u200b", "\ud800", "\U0001f600"]
)
def test_garbage_of_any_length_is_counted(unit):
    """Ten times the garbage costs about ten times as much at most."""
    assert 0 <= count_tokens(unit * 100_000) <= 11 * count_tokens(unit * 10_000)


@given(st.lists(st.text(max_size=40), max_size=6))
def test_lines_can_be_counted_one_by_one(texts):
    """The sum over lines is never less than the whole: who fits line by line, fits."""
    lines = [f"1. {' '.join(text.split())}\n" for text in texts]
    assert count_tokens("".join(lines)) <= sum(map(count_tokens, lines))
