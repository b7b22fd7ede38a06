"""한국어 글의 기분: 한 줄이 하나의 약속이다."""

from __future__ import annotations

import pytest

from celestial_engine.core.emotion.feel import feel
from celestial_engine.core.record.coordinate import Emotion

# 가장 센 감정과 글.
STRONGEST = """
joy: 오늘 정말 행복했어요
joy: 합격 소식을 듣고 너무 기뻤다
joy: 도와주셔서 감사합니다
joy: 이 영화 진짜 꿀잼ㅋㅋ
joy: 딸이 상을 타서 자랑스러워
joy: 완전 최고다!
joy: 저녁이 정말 맛있었어
joy: 생일 축하해 🎉
joy: 강아지가 너무 귀여워
joy: 여행 갈 생각에 설렌다
joy: 결과가 좋아서 다행이야
joy: 재밌게 잘 봤습니다 ^^
joy: 사랑해
joy: 노래가 아름답고 감동적이었다
joy: 칭찬을 들어서 뿌듯하다
joy: 좋아요
joy: 주말이 즐거웠어
joy: 마음이 편안해졌어
sadness: 네가 떠나고 나서 너무 외로워
sadness: 할머니가 돌아가셨다
sadness: 밤새 펑펑 울었어
sadness: 헤어지고 나니 마음이 아파
sadness: 시험에 떨어져서 우울해ㅠㅠ
sadness: 그때 전화하지 않은 걸 후회해
sadness: 정말 슬픈 이야기였다
sadness: 미안해, 내가 잘못했어
sadness: 요즘 너무 힘들어요
sadness: 결승에서 져서 아쉽다
sadness: 기분이 좋지 않아
sadness: 하나도 안 기뻐
sadness: 행복하지 않아
anger: 진짜 짜증나
anger: 거짓말해서 화가 났다
anger: 층간소음 때문에 빡친다 😡
anger: 어이없고 황당하네
anger: 이 새끼 뭐하는 거야
anger: 열받아서 잠이 안 와
anger: 뻔뻔하고 무책임하다
anger: 분노가 치밀어
anger: 배신당해서 억울하다
fear: 밤길이 너무 무서워
fear: 귀신 나올 것 같아서 소름 돋아
fear: 수술이 두려워요
fear: 악몽을 꿨다
disgust: 냄새가 역겨워
disgust: 벌레가 징그러워
disgust: 화장실이 더러워서 토할 것 같아
disgust: 그 사람 정말 혐오스러워
anxiety: 내일 면접이 걱정돼
anxiety: 결과를 기다리느라 불안하고 초조하다
anxiety: 발표할 때마다 긴장돼요
anxiety: 마감 때문에 스트레스 받아
anxiety: 도무지 못 믿겠어
envy: 새 집을 산 친구가 부럽다
envy: 동생만 칭찬하니까 질투 나
ennui: 강의가 지루하고 따분했다
ennui: 할 일이 없어서 심심해
ennui: 영화가 노잼이었다
ennui: 재미가 하나도 없다
ennui: 하나도 재미있지 않았어
ennui: 매일 똑같은 일이 지겨워
nostalgia: 어린 시절이 그립다
nostalgia: 옛날 사진을 보니 추억이 떠오른다
nostalgia: 엄마 보고 싶어
neutral: 회의는 세 시에 204호에서 한다
neutral: 파이썬은 1991년에 만들어졌다
neutral: 동생은 부산에 살고 은행에서 일한다
neutral: 영화나 볼까
neutral: 지역별로 나누어 정리했다
neutral: 책상을 창가로 옮겼다
"""
CASES = [line.split(": ", 1) for line in STRONGEST.strip().splitlines()]


@pytest.mark.parametrize(("emotion", "text"), CASES, ids=[text for _, text in CASES])
def test_the_strongest_emotion(emotion, text):
    assert feel(text).tags[0] is Emotion(emotion)


def test_there_are_enough_examples():
    assert len(CASES) >= 60


@pytest.mark.parametrize("text", ["기쁘다", "기뻐", "기쁜 날", "기뻤어요", "기쁩니다", "기쁨", "너무기뻐요"])
def test_a_stem_is_known_in_all_its_forms(text):
    assert feel(text).tags == (Emotion.JOY,)


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        ("슬프다", "너무 슬프다"),
        ("조금 슬프다", "슬프다"),
        ("약간 무서워", "진짜 무서워"),
        ("재미있다", "재미있다!!!"),
        ("행복할까?", "행복하다"),
        ("만약 헤어진다면 슬프다", "헤어져서 슬프다"),
        ("괜찮다", "완벽하다"),
    ],
)
def test_degree(weaker, stronger):
    """정도를 나타내는 말과 느낌표는 올리고 내리며, 물음과 가정은 덜 센다."""
    assert 0 < feel(weaker).intensity < feel(stronger).intensity


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("좋아", 1),
        ("안 좋아", -1),
        ("안좋아", -1),
        ("좋지 않아", -1),
        ("좋지는 않았어", -1),
        ("나쁘지 않아", 1),
        ("무섭지 않아", 1),
        ("별로 안 좋아", -1),
        ("감동이 없다", -1),
        ("걱정 없어", 1),
        ("최고는 아니다", -1),
        ("맛은 있지만 서비스가 최악이다", -1),
        ("서비스는 최악이지만 음식은 정말 맛있다", 1),
        ("비싸다. 하지만 너무 좋다", 1),
        ("재미도 없고 감동도 없다", -1),
        ("걱정하지 마", 1),
        ("싫지 않아", 1),
    ],
)
def test_whether_it_is_good_or_bad(text, sign):
    """부정은 그 절의 기분을 뒤집고, 하지만 뒤에 오는 말이 더 무겁다."""
    assert feel(text).sentiment_score * sign > 0.05


@pytest.mark.parametrize(
    "text", ["부드러운 분위기", "일부러 도착 시간을 적었다", "쓰레기통", "거북이", "감사원 보고서"]
)
def test_words_that_only_look_like_feelings(text):
    assert feel(text).tags == (Emotion.NEUTRAL,)


def test_weeping_for_joy():
    """ㅠㅠ는 곁에 있는 말의 기분을 따른다."""
    felt = feel("너무 좋아ㅠㅠ")
    assert felt.tags[0] is Emotion.JOY
    assert felt.sentiment_score > 0.2
    assert feel("ㅠㅠ").tags == (Emotion.SADNESS,)
