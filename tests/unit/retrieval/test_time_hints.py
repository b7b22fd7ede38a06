"""Time hints: the time a question speaks of, and no time where it speaks of none."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from celestial_engine.core.retrieval.time_hints import Period, closeness_in_time, time_hints

NOW = datetime(2023, 6, 14, 15, 0, tzinfo=timezone.utc).timestamp()  # a Wednesday
DAY = 86_400.0
SEOUL = 9 * 3600.0


def told(question: str, now: float = NOW, utc_offset: float = 0.0) -> list[str]:
    """The periods as `first day..day after the last`, or `first day` if it is one day."""

    def day(moment: float) -> date:
        return datetime.fromtimestamp(moment + utc_offset, timezone.utc).date()

    return [
        str(day(period.start)) + (f"..{day(period.end)}" if period.end - period.start > DAY else "")
        for period in time_hints(question, now, utc_offset)
    ]


ENGLISH = {
    "What did I do in May 2023?": "2023-05-01..2023-06-01",
    "Where was I on 8 May 2023?": "2023-05-08",
    "Where was I on the 8th of May, 2023?": "2023-05-08",
    "Who called on May 8?": "2023-05-08",
    "who called on may 8th, 2021": "2021-05-08",
    "What happened on December 24?": "2022-12-24",
    "notes of 2023-05-08 please": "2023-05-08",
    "what about 2023/5/8": "2023-05-08",
    "the log of 2023-05": "2023-05-01..2023-06-01",
    "the invoice of 05/08/2022": "2022-05-08",
    "Where did we live in 2022?": "2022-01-01..2023-01-01",
    "back in the year 2019 what was my job?": "2019-01-01..2020-01-01",
    "What did we plan for the end of 2022?": "2022-01-01..2023-01-01",
    "Where did Mina go in summer 2021?": "2021-06-01..2021-09-01",
    "the trip in the fall of 2022": "2022-09-01..2022-12-01",
    "Where did I ski in winter 2021?": "2021-12-01..2022-03-01",
    "What did I read last summer?": "2022-06-01..2022-09-01",
    "What did I plant this spring?": "2023-03-01..2023-06-01",
    "What did we cook in the winter?": "2022-12-01..2023-03-01",
    "Whom did I meet last winter?": "2022-12-01..2023-03-01",
    "What did I write in August?": "2022-08-01..2022-09-01",
    "What did I write in june?": "2023-06-01..2023-07-01",
    "What did I buy last May?": "2023-05-01..2023-06-01",
    "What did I buy last June?": "2022-06-01..2022-07-01",
    "my october trip": "2022-10-01..2022-11-01",
    "in March of last year, who visited?": "2022-03-01..2022-04-01",
    "what did I do last year in March": "2022-03-01..2022-04-01",
    "May 3 last year": "2022-05-03",
    "What did I eat today?": "2023-06-14",
    "What did I say this morning?": "2023-06-14",
    "What did I eat yesterday?": "2023-06-13",
    "Who called last night?": "2023-06-13",
    "and the day before yesterday?": "2023-06-12",
    "What did we decide last week?": "2023-06-05..2023-06-12",
    "What did we decide this week?": "2023-06-12..2023-06-19",
    "the week before last": "2023-05-29..2023-06-05",
    "What did I spend this month?": "2023-06-01..2023-07-01",
    "What did I spend last month?": "2023-05-01..2023-06-01",
    "my goals of last year": "2022-01-01..2023-01-01",
    "my goals this year": "2023-01-01..2024-01-01",
    "Where did we go last weekend?": "2023-06-10..2023-06-12",
    "what did I do over the weekend": "2023-06-10..2023-06-12",
    "Who came last Friday?": "2023-06-09",
    "Who came last Wednesday?": "2023-06-07",
    "Who came on Wednesday?": "2023-06-14",
    "what did Jon say on Saturday": "2023-06-10",
    "Tuesday of last week": "2023-06-06",
    "last week on Thursday": "2023-06-08",
    "the mail of two days ago": "2023-06-12",
    "the mail of 10 days ago": "2023-06-04",
    "a week ago we met": "2023-06-04..2023-06-11",
    "a couple of weeks ago": "2023-05-28..2023-06-04",
    "a few days ago": "2023-06-09..2023-06-13",
    "What was I learning three months ago?": "2023-03-01..2023-04-01",
    "Where did I work 2 years ago?": "2021-01-01..2022-01-01",
    "what did I do in the past week": "2023-06-07..2023-06-15",
    "in the last 3 days": "2023-06-11..2023-06-15",
    "over the past two months": "2023-04-14..2023-06-15",
    "music of the 1990s": "1990-01-01..2000-01-01",
    "everything since May 2022": "2022-05-01..2023-06-15",
    "between March and May 2022": "2022-03-01..2022-06-01",
    "from November to February": "2022-11-01..2023-03-01",
    "the weekend before 10 April 2023": "2023-04-03..2023-04-10",
    "on the Sunday before October 25, 2022": "2022-10-18..2022-10-25",
    "from 2019 to 2021": "2019-01-01..2022-01-01",
}
KOREAN = {
    "2023년 5월에 뭐 했지?": "2023-05-01..2023-06-01",
    "2023년 5월 8일에 어디 있었어?": "2023-05-08",
    "5월 8일에 누가 전화했지?": "2023-05-08",
    "12월 24일에 뭐 했어?": "2022-12-24",
    "23년 5월에는?": "2023-05-01..2023-06-01",
    "2023.5.8 회의록": "2023-05-08",
    "2023. 5. 8. 회의록": "2023-05-08",
    "2022년에 어디 살았지?": "2022-01-01..2023-01-01",
    "2021년 여름에 어디 갔어?": "2021-06-01..2021-09-01",
    "작년 여름에 뭐 읽었지?": "2022-06-01..2022-09-01",
    "지난여름에 뭐 읽었지?": "2022-06-01..2022-09-01",
    "지난 겨울 여행": "2022-12-01..2023-03-01",
    "올해 봄에 심은 것": "2023-03-01..2023-06-01",
    "겨울에 뭐 했더라": "2022-12-01..2023-03-01",
    "재작년에 다닌 회사": "2021-01-01..2022-01-01",
    "작년에 다닌 회사": "2022-01-01..2023-01-01",
    "지난해 목표": "2022-01-01..2023-01-01",
    "올해 목표가 뭐였지": "2023-01-01..2024-01-01",
    "작년 5월에 누구 만났지": "2022-05-01..2022-06-01",
    "작년 5월 3일": "2022-05-03",
    "8월에 뭐 썼지": "2022-08-01..2022-09-01",
    "6월에 뭐 썼지": "2023-06-01..2023-07-01",
    "지난 5월에 산 것": "2023-05-01..2023-06-01",
    "지난 6월에 산 것": "2022-06-01..2022-07-01",
    "오늘 뭐 먹었지": "2023-06-14",
    "어제 뭐 먹었지": "2023-06-13",
    "어젯밤에 누가 왔지": "2023-06-13",
    "그저께 한 말": "2023-06-12",
    "그제 한 말": "2023-06-12",
    "엊그제 만난 사람": "2023-06-12",
    "지난주에 뭘 정했지": "2023-06-05..2023-06-12",
    "저번 주 회의": "2023-06-05..2023-06-12",
    "이번 주 일정": "2023-06-12..2023-06-19",
    "지지난주에 간 곳": "2023-05-29..2023-06-05",
    "이번 달 지출": "2023-06-01..2023-07-01",
    "이달의 지출": "2023-06-01..2023-07-01",
    "지난달 지출": "2023-05-01..2023-06-01",
    "저번 달에 산 책": "2023-05-01..2023-06-01",
    "지난 주말에 어디 갔지": "2023-06-10..2023-06-12",
    "주말에 뭐 했지": "2023-06-10..2023-06-12",
    "저번 주 금요일에 온 사람": "2023-06-09",
    "지난주 수요일": "2023-06-07",
    "이번 주 월요일": "2023-06-12",
    "지난 금요일에 누가 왔지": "2023-06-09",
    "지난 수요일": "2023-06-07",
    "토요일에 존이 뭐랬지": "2023-06-10",
    "화욜에 뭐 먹었지": "2023-06-13",
    "3일 전에 온 메일": "2023-06-11",
    "이틀 전 메일": "2023-06-12",
    "사흘 전에 한 말": "2023-06-11",
    "열흘 전 약속": "2023-06-04",
    "며칠 전에 만난 사람": "2023-06-09..2023-06-13",
    "일주일 전에 만난 사람": "2023-06-04..2023-06-11",
    "두 주 전": "2023-05-28..2023-06-04",
    "석 달 전에 배우던 것": "2023-03-01..2023-04-01",
    "3개월 전에 배우던 것": "2023-03-01..2023-04-01",
    "2년 전에 다닌 회사": "2021-01-01..2022-01-01",
    "반년 전": "2022-12-01..2023-01-01",
    "지난 3일 동안 한 일": "2023-06-11..2023-06-15",
    "최근 두 달 지출": "2023-04-14..2023-06-15",
    "90년대 음악": "1990-01-01..2000-01-01",
    "2022년 5월 이후의 기록": "2022-05-01..2023-06-15",
    "2022년 3월부터 5월까지": "2022-03-01..2022-06-01",
    "11월부터 2월까지 뭐 했지": "2022-11-01..2023-03-01",
    "2019년부터 2021년까지": "2019-01-01..2022-01-01",
}
NO_TIME = [
    "May I ask you something?",
    "may i come in",
    "Who will march on the city?",
    "Give me the second answer",
    "Did 2023 people come?",
    "How did it help in 2000 cases?",
    "It costs 2022 dollars",
    "It costs $2,022",
    "Step 2 may fail, why?",
    "Why might this may help?",
    "Can we march 20 miles?",
    "What did April say?",
    "Did June like it?",
    "Where does the water spring from?",
    "Why did Rome fall?",
    "Who sat in the sun?",
    "What do I do every Friday?",
    "When do I wake up on Saturday mornings?",
    "Where do I swim on Fridays?",
    "What is planned for next Friday?",
    "What did I say before May 2022?",
    "the last week of school",
    "Call 010-2023-0508",
    "version 2023.5",
    "who wed last?",
    "31 February 2023",
    "9999 years ago",
    "",
    "마흔 살이 되면 뭐 하지?",
    "커피는 2023원이야?",
    "2022명이 왔어?",
    "5개월 된 강아지 이름",
    "3일 동안 뭐 했지",
    "6일 전쟁이 뭐야",
    "그제야 알았어",
    "오늘날의 세계",
    "이번 주제가 뭐야",
    "지난 주문 내역",
    "이번 달리기 기록",
    "이번 해외여행 준비물",
    "언어제한이 뭐야",
    "월급이 얼마야",
    "매주 금요일에 뭐 해",
    "금요일마다 뭐 하지",
    "다음 주 금요일 일정",
    "2022년 5월 이전에는?",
    "2020년 말까지 뭘 하려고 했지",
    "전주에 사는 친구",
    "가을이 누구야",
    "봄이 좋아",
    "99999년 전",
    "2023년 2월 31일",
]


# What is still to come, asked on Wednesday, 15 May 2024.
TO_COME = [
    "in May next year",
    "What happens in May next year?",
    "next year in March",
    "Where do we go next October?",
    "on Friday next week",
    "tomorrow, Saturday",
    "what am I doing on Friday?",
    "What are we doing over the weekend?",
    "Who is coming on Saturday?",
    "Do I have a meeting on Thursday?",
    "What will I do in August?",
    "what's planned for Friday?",
    "내년 3월",
    "내년 3월 1일에 뭐 하지?",
    "내년 여름에",
    "내일 토요일에",
    "모레 금요일 회의",
    "다음 주말에 뭐 해",
    "목요일에 약속 있어?",
    "주말에 뭐 하지?",
    "이번 주말에 뭐 할까?",
    "금요일에 어디 갈 거야?",
]
# Words that elsewhere tell a time.
OTHER_THINGS = [
    "What do I put in spring rolls?",
    "recipe: wrap it in spring rolls",
    "hiking in winter boots",
    "Why did I confide in Jan?",
    "Who is Wednesday Addams?",
    "최근 한 일이 뭐야?",
    "최근 이 주제로 말한 사람",
    "이 일 전에 뭐라고 했지",
    "이 분 전에 온 사람",
    "오일 전에 물을 넣었나",
    "오늘의집에서 산 책상",
    "이달의 소녀 노래",
    "12월생 친구",
]
# The same words where they do tell one.
STILL_TIMES = {
    "What did I do on Friday?": "2024-05-10",
    "Do you remember what I said on Friday?": "2024-05-10",
    "What was planned for Friday?": "2024-05-10",
    "Where is the book that I bought on Friday?": "2024-05-10",
    "On Friday Mina came": "2024-05-10",
    "What are my goals of last May?": "2023-05-01..2023-06-01",
    "In winter we cooked soup": "2023-12-01..2024-03-01",
    "What did I confess in Jan?": "2024-01-01..2024-02-01",
    "목요일에 약속 있었어?": "2024-05-09",
    "주말에 만난 사람 이름 알 수 있어?": "2024-05-11..2024-05-13",
    "주말에 뭐 했을까?": "2024-05-11..2024-05-13",
    "지난 주말에 약속 있어?": "2024-05-11..2024-05-13",
    "이 년 전에 다닌 회사": "2022-01-01..2023-01-01",
    "삼일 전 메일": "2024-05-12",
    "최근 이 년간 쓴 글": "2022-05-15..2024-05-16",
    "오늘의 할 일": "2024-05-15",
    "5월생일 잔치": "2024-05-01..2024-06-01",
}
MAY_2024 = datetime(2024, 5, 15, 12, 0, tzinfo=timezone.utc).timestamp()


@pytest.mark.parametrize("question", [*TO_COME, *OTHER_THINGS])
def test_what_is_to_come_or_no_time_has_no_period(question):
    """A memory of next May does not exist, and last May is not meant."""
    assert told(question, MAY_2024) == []


@pytest.mark.parametrize(("question", "period"), STILL_TIMES.items())
def test_a_past_time_stays_one_beside_such_words(question, period):
    assert told(question, MAY_2024) == [period]


@pytest.mark.parametrize("question", ["thıs week", "in Aprıl", "two mınutes ago", "last Frıday", "THİS MONTH"])
def test_a_foreign_letter_that_looks_like_an_i_makes_no_word(question):
    """Patterns without case take the Turkish letters for an i; the words they make are in no list."""
    assert told(question) == []


@given(st.sampled_from([*ENGLISH, "two minutes ago", "in April"]), st.sampled_from("ıİſK"), st.sampled_from("iskIK"))
def test_letters_that_fold_to_others_raise_nothing(question, foreign, letter):
    for period in time_hints(question.replace(letter, foreign), NOW):
        assert period.start < period.end


@pytest.mark.parametrize(("question", "period"), [*ENGLISH.items(), *KOREAN.items()])
def test_the_time_of_a_question(question, period):
    assert told(question) == [period]


@pytest.mark.parametrize("question", NO_TIME)
def test_no_time_where_none_is_told(question):
    assert told(question) == []


def test_several_times_in_their_order_and_each_once():
    assert told("yesterday or in May 2021, or yesterday?") == ["2023-06-13", "2021-05-01..2021-06-01"]
    assert told("the books of last May, or in January and March") == [
        "2023-05-01..2023-06-01",
        "2023-01-01..2023-02-01",
        "2023-03-01..2023-04-01",
    ]
    assert told("어제랑 2021년 5월에") == ["2023-06-13", "2021-05-01..2021-06-01"]


def test_the_words_that_tell_it():
    assert [period.text for period in time_hints("What did I buy in May 2023, or the past week?", NOW)] == [
        "May 2023",
        "past week",
    ]


def test_hours_are_counted_from_now():
    (period,) = time_hints("two hours ago", NOW)
    assert (period.start, period.end) == (NOW - 2.5 * 3600, NOW - 1.5 * 3600)


def test_days_begin_at_midnight_of_whoever_asks():
    """At three in the afternoon in London it is midnight in Seoul: another day."""
    (there,) = time_hints("어제", NOW, SEOUL)
    (here,) = time_hints("yesterday", NOW)
    assert here.start == datetime(2023, 6, 13, tzinfo=timezone.utc).timestamp()
    assert there.start == datetime(2023, 6, 14, tzinfo=timezone(timedelta(hours=9))).timestamp()
    assert there.end - there.start == DAY


def test_this_winter_goes_on_in_january():
    january = datetime(2023, 1, 10, tzinfo=timezone.utc).timestamp()
    assert told("this winter", january) == told("이번 겨울", january) == ["2022-12-01..2023-03-01"]


def test_the_last_leap_day():
    assert told("February 29") == ["2020-02-29"]


def test_nearness_is_one_inside_and_falls_with_distance():
    week = Period(0.0, 7 * DAY, "")
    day = Period(0.0, DAY, "")
    assert closeness_in_time(0.0, [week]) == closeness_in_time(6.9 * DAY, [week]) == 1.0
    assert 1.0 > closeness_in_time(8 * DAY, [week]) > closeness_in_time(20 * DAY, [week]) > 0.0
    assert closeness_in_time(-3 * DAY, [week]) == closeness_in_time(10 * DAY, [week])
    assert closeness_in_time(10 * DAY, [day]) < closeness_in_time(10 * DAY, [week]), "a day is narrower than a week"
    assert closeness_in_time(10_000 * DAY, [day]) == pytest.approx(0.0)
    assert closeness_in_time(0.0, []) == 0.0
    assert closeness_in_time(0.0, [Period(-9 * DAY, -8 * DAY, ""), day]) == 1.0, "the nearest period counts"


pieces = st.lists(st.sampled_from([*ENGLISH, *KOREAN, *NO_TIME]).map(str.split), max_size=3).map(
    lambda questions: [word for words in questions for word in words]
)


@given(
    st.one_of(st.text(max_size=80), pieces.flatmap(st.permutations).map(" ".join), pieces.map("".join)),
    st.floats(-1e9, 4e9),
    st.sampled_from([0.0, SEOUL, -8 * 3600.0]),
)
@example("9999 months ago 0월 0일 00/00/2000 지난 9999년", NOW, 0.0)
@example("today " * 2_000, NOW, 0.0)
def test_any_text_has_proper_periods_or_none(question, now, utc_offset):
    for period in time_hints(question, now, utc_offset):
        assert period.start < period.end
        assert period.text
        assert 0.0 <= closeness_in_time(now, [period]) <= 1.0
