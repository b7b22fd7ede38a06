"""What is distilled says nothing that no source says: hand-written sets of memories in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.model.faithful import changes_negation, unsupported
from celestial_engine.core.night.essence import essence_of, essence_of_year
from celestial_engine.core.night.repetition import without_count
from celestial_engine.core.sameness.strip_time import has_times
from celestial_engine.lang.en.faithful import KINDS as KINDS_EN
from celestial_engine.lang.ko.faithful import KINDS as KINDS_KO

ENGLISH = [
    ["My son broke his arm on Tuesday", "My son has a fever", "My son was bullied at school yesterday"],
    ["I had a headache yesterday", "I have a headache again", "Headache all day, couldn't work"],
    ["Mina had an americano at the cafe on Feb 15", "On Feb 18 Mina drank a latte at the cafe",
     "Mina went to Starbucks on February 22"],
    ["Biscuit has been limping since yesterday, I'm worried", "Biscuit saw the vet on Monday",
     "Biscuit is fine, just a thorn"],
    ["Dad had dialysis on Monday", "Dad had dialysis on Wednesday", "drove dad to dialysis this morning"],
    ["Jun stayed late at the office again", "Jun worked overtime on Friday", "Jun missed dinner because of overtime"],
    ["I bought apples at the market", "I bought pears at the market on Saturday", "Yesterday I bought fish at the market"],
    ["the ci build broke again", "CI builds take twenty minutes", "I fixed the build on our ci server"],
    ["I don't eat pork", "I refused pork at dinner yesterday", "pork makes me sick"],
    ["We lost the match on Sunday", "We lost the match against Leeds", "We won the match at home!"],
    ["My landlord raised the rent", "Rent is due tomorrow and I'm short", "looking for a place with lower rent"],
    ["I couldn't sleep last night", "I slept badly again", "woke up at 3, no sleep"],
    ["Ana called me on Monday", "Ana called me on Tuesday", "Ana called me this morning"],
    ["I visited grandma on Sunday", "I visited grandma last week", "grandma fell in the kitchen"],
    ["The kitten knocked over the vase", "The kitten got her vaccines", "The kitten sleeps on my keyboard"],
    ["I'm allergic to penicillin", "They gave me penicillin in 2019 and I fainted", "No penicillin for me, please"],
    ["My sister hates her job", "My sister applied at a bank", "My sister got the job at the bank!! so happy"],
    ["I ran 5k on Monday", "I ran 10k on Thursday", "I ran 15k at the weekend"],
    ["Paid the electricity bill on May 3", "Paid the electricity bill on June 3", "The electricity bill doubled"],
    ["Leo cried at kindergarten today", "Leo bit another child", "Leo's teacher wants to talk to us"],
    ["I watched a film with Sam last night", "I watched a series with Sam on Friday", "I watched a match with Sam"],
    ["Is the deploy done?", "The deploy failed on Friday.", "We rolled the deploy back. It took an hour."],
    ["My therapist says I should rest", "therapist moved to Thursday", "I like my therapist"],
    ["She said that it was over", "Nora said she wants a divorce", "Nora moved out yesterday"],
]  # fmt: skip
KOREAN = [
    ["2월 15일 삐돌이가 카페에서 아메리카노 마심", "2월 18일 삐돌이가 카페에서 라떼 마심", "2월 22일 삐돌이가 스타벅스 감"],
    ["아빠가 월요일에 투석을 받으셨어", "아빠가 수요일에 투석을 받으셨다", "아빠 투석 때문에 병원에 다녀왔어"],
    ["민호가 어제 야근했다", "민호가 오늘도 야근했어", "민호는 또 야근함"],
    ["아들이 팔이 부러졌어", "아들이 어제부터 열이 나", "아들이 학교에서 괴롭힘을 당했대"],
    ["어제 너무 힘들었어ㅠㅠ", "오늘도 회사에서 너무 힘들었어ㅠㅠ", "회사 일이 힘들어ㅠㅠ"],
    ["민수는 커피를 싫어한다", "민수는 커피를 안 마신다", "민수가 커피를 거절했다"],
    ["배포 전에 테스트를 꼭 돌려야 해", "오늘도 테스트 없이 배포했다가 롤백함", "배포 전에 테스트가 깨져서 고쳤어"],
    ["오늘 떡볶이를 먹었다", "마라탕 먹음", "어제 저녁에 불닭볶음면을 먹었다"],
    ["어제 지수랑 테니스를 쳤다", "오늘 지수랑 테니스를 쳤어", "토요일에 지수랑 테니스 쳤음"],
    ["무릎이 또 아프다", "무릎 때문에 정형외과에 다녀왔어", "계단 오를 때 무릎이 시큰거려"],
    ["수진이 회의에서 발표했다", "민호가 회의에 늦었다", "회의가 취소됐다"],
    ["엄마랑 통화했는데 서운했어", "엄마가 반찬을 보내주셨다", "엄마 생신 선물을 골라야 해"],
    ["할머니가 화장실에서 넘어지셨어", "할머니 병문안 다녀옴", "할머니가 퇴원하셨다!!"],
    ["돼지고기 못 먹어", "어제 돼지고기 먹고 체했어", "돼지고기 알레르기가 있대"],
    ["시험에 떨어졌다", "시험 공부를 다시 시작했어", "시험에 드디어 붙었어 ㅎㅎ"],
    ["강아지가 신발을 물어뜯었다", "강아지가 소파를 물어뜯었다", "강아지가 이불을 물어뜯었어"],
    ["월급이 또 밀렸어", "사장님이 월급을 안 줘", "월급 때문에 노동청에 신고했다"],
    ["3월 2일 서울에서 회의", "3월 9일 서울에서 회의함", "서울 출장 너무 잦다"],
    ["남편이랑 싸웠어", "남편이 사과했다", "남편이랑 어제 또 싸웠어"],
    ["수학 시험 망쳤어", "수학학원을 옮겼다", "수학 숙제가 너무 많아"],
    ["그는 약속을 어겼다", "준영이가 약속을 또 어겼다", "준영이가 약속 시간에 늦었어"],
    ["텃밭에 상추를 심었어", "텃밭에 물 주는 걸 깜빡했다", "텃밭 상추가 다 시들었어ㅠㅠ"],
    ["혈압약 먹었어", "아침에 혈압약 먹었어", "오늘도 혈압약 먹었음"],
    ["혜진이는 병원에 갔어?", "혜진이가 병원에 입원했다", "혜진이 병원이 집에서 멀어"],
]  # fmt: skip
SETS = ENGLISH + KOREAN
JOINING = {"and"}


def unsaid(text: str, sources: list[str]) -> set[str]:
    """Words of a text that stand in no source, letter by letter; only the count is left out."""
    words = {word.strip(".,!?…()").casefold() for word in without_count(text)[0].split()}
    said = " ".join(sources).casefold()
    return {word for word in words if word not in said and word not in JOINING}


@pytest.mark.parametrize("sources", SETS, ids=lambda sources: sources[0])
def test_every_word_is_a_word_of_a_source(sources):
    selected = essence_of(sources)
    assert selected
    assert unsaid(selected, sources) == set()
    assert unsupported(without_count(selected)[0], sources) == ()
    assert not changes_negation(selected, "\n".join(sources))


@pytest.mark.parametrize("sources", SETS, ids=lambda sources: sources[0])
def test_a_year_is_no_longer_and_adds_only_kinds(sources):
    """An americano and a latte may become coffee."""
    selected = essence_of(sources)
    shorter = essence_of_year([selected])
    kinds = {kind for kind in KINDS_EN | KINDS_KO if kind in shorter}
    assert len(shorter) <= len(selected)
    assert all(any(word.startswith(kind) for kind in kinds) for word in unsaid(shorter, sources))
    assert unsupported(without_count(shorter)[0], sources) == ()


def test_most_sets_lose_their_times():
    """A sentence that cannot do without its time is selected only if there is no other."""
    assert [sources for sources in SETS if has_times(essence_of(sources))] == []


@given(st.lists(st.sampled_from([text for sources in SETS for text in sources]), min_size=2, max_size=12))
def test_any_mixture_of_them_adds_nothing(sources):
    selected = essence_of(sources)
    assert selected
    assert unsaid(selected, sources) == set()
    assert unsupported(without_count(selected)[0], sources) == ()
    several = essence_of_year([selected, essence_of(sources[::-1])])
    assert unsupported(without_count(several)[0], sources) == ()


@pytest.mark.parametrize("sources", SETS, ids=lambda sources: sources[0])
def test_a_count_is_at_most_the_number_of_sources(sources):
    assert 1 <= without_count(essence_of(sources))[1] <= len(sources)
