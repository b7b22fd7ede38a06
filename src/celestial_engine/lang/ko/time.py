"""한국어 시간 표현. 패턴의 그룹은 `core/retrieval/time_hints.py`가 해석한다."""

MONTHS = {str(number): number for number in range(1, 13)} | {f"0{number}": number for number in range(1, 10)}
WEEKDAYS = {name: number for number, name in enumerate("월화수목금토일")}
SEASONS = {"봄": 3, "여름": 6, "가을": 9, "겨울": 12}  # 시작하는 달
NUMBERS = (
    {word: (number, number) for number, word in enumerate("한 두 세 네 다섯 여섯 일곱 여덟 아홉 열".split(), start=1)}
    | {word: (number, number) for number, word in enumerate("일 이 삼 사 오 육 칠 팔 구 십".split(), start=1)}
    | {"석": (3, 3), "넉": (4, 4), "몇": (2, 5), "며칠": (2, 5), "몇일": (2, 5), "여러": (3, 7)}
)
_DAYS = {
    word: ("day", number)
    for number, word in enumerate("하루 이틀 사흘 나흘 닷새 엿새 이레 여드레 아흐레 열흘".split(), start=1)
}
UNITS = _DAYS | {
    "보름": ("day", 15),
    "며칠": ("day", 1),
    "몇일": ("day", 1),
    "분": ("minute", 1),
    "시간": ("hour", 1),
    "일": ("day", 1),
    "주": ("week", 1),
    "주일": ("week", 1),
    "주말": ("weekend", 1),
    "달": ("month", 1),
    "개월": ("month", 1),
    "반년": ("month", 6),
    "년": ("year", 1),
    "해": ("year", 1),
}
WEEKENDS = frozenset(("주말",))
# 몇 주, 몇 달, 몇 해 전인가.
BACK = {
    "이": 0,
    "이번": 0,
    "요번": 0,
    "지난": 1,
    "저번": 1,
    "지지난": 2,
    "저저번": 2,
    "올해": 0,
    "금년": 0,
    "작년": 1,
    "지난해": 1,
    "지난 해": 1,
    "재작년": 2,
    "지지난해": 2,
}
DAYS_BACK = {
    "오늘": 0,
    "어제": 1,
    "어저께": 1,
    "어젯밤": 1,
    "간밤": 1,
    "지난밤": 1,
    "엊저녁": 1,
    "그제": 2,
    "그저께": 2,
    "엊그제": 2,
    "엊그저께": 2,
    "그끄제": 3,
    "그끄저께": 3,
}

HERALDS = "[가-힣]"  # 한글이 없으면 볼 것도 없다

# 앞뒤에 붙어 한쪽이 열린 때로 만드는 말.
UNTIL_BEFORE = SINCE_BEFORE = r"(?!)"
UNTIL_AFTER = r"^ ?(?:초|말|중순)? ?(?:이전|전에|전까지|까지)"
SINCE_AFTER = r"^ ?(?:초|말|중순)? ?(?:이후|이래|부터)"

# 지금이나 앞일을 묻는 말, 그리고 그래도 지난 일임을 알려 주는 말.
AHEAD = (
    r"(?:[있없](?:어|어요|나|나요|니|지|죠|지요|냐|습니까|을까|을까요)|[하가오먹보] ?(?:지|죠|지요|니|나|나요|냐)|"
    r"(?:뭐|뭘) ?해요?|까요?|할래요?|거야|거지|거니|거예요|건가요?|건데|(?:예정|계획)[가-힣]*|"
    r"야 (?:해|돼|하|되)[가-힣]*)\W*$"
)
_DOUBLE_S = "".join(chr(code) for code in range(ord("가") + 20, ord("힣") + 1, 28) if chr(code) not in "있겠")
PAST = (
    rf"[{_DOUBLE_S}]|더라|던 |(?<![가-힣])(?:간|온|산|본|한|쓴|준|된) |"
    r"(?:만난|배운|다녀온|먹은|읽은|찍은|받은|들은|적은|찾은|잃은|입은) "
)

_ALONE = "(?<![가-힣0-9])"
_YEAR = "(?:19|20)[0-9]{2}"
_YEAR_TOLD = rf"(?P<y>{_YEAR}|(?<![0-9])[0-9]{{2}})년도? ?"
_YEAR_SAID = "(?P<of>올해|금년|작년|지난 ?해|재작년|지지난해) ?"
_LAST = "(?P<last>지난|저번) ?"
_WHEN = f"(?:{_YEAR_TOLD}|{_YEAR_SAID}|{_LAST})?"
_MONTH = "(?<![0-9.,])(?P<m>1[0-2]|0?[1-9])월"
_SEASON_NAMES = "|".join(SEASONS)
_SEASON = f"(?P<season>{_SEASON_NAMES})"
_WEEKDAY = "(?P<weekday>[월화수목금토일])(?:요일|욜)(?!마다)"
# 한 달, 삼 년: 고유어 수와 한자어 수는 저마다 세는 말이 있다. 한 일, 이 일, 이 분, 오일은 때가 아니다.
_AMOUNTS = (
    "(?P<n>[0-9]{1,4}) ?(?P<unit>분|시간|일|주일|주|달|개월|년|해)",
    "(?P<n>몇|여러) ?(?P<unit>시간|주|달|개월|년|해)",
    "(?P<n>몇) ?(?P<unit>분|일)",
    "(?P<n>한|두|세|네|석|넉|다섯|여섯|일곱|여덟|아홉|열) ?(?P<unit>시간|주일|주|달|개월|해)",
    "(?P<n>[일이삼사오육칠팔구십]) ?(?P<unit>주일|주|개월|년)",
    "(?P<n>[삼사육칠팔구십]) ?(?P<unit>일)",
    "(?P<n>[일삼사오육칠팔구십]) ?(?P<unit>분)",
)
_WHOLE = "(?P<unit>" + "|".join([*_DAYS, "보름", "반년"]) + ")"
_SOME_DAYS = "(?P<n>(?P<unit>며칠|몇일))"
_BEFORE = " ?전(?=$|[^가-힣]|에|엔|의|쯤|까지|부터|만|이[야었지]|인|도|과)"
# 주제, 주문, 달리기, 해외가 아니라 주, 달, 해일 때.
_LASTS = "(?=$|[^가-힣]|간|동안|내|에|의(?!사)|은|는|도|사이|새|만|치)"
_ENDS = "(?=$|[^가-힣]|에|엔|의(?!사)|은|는|도|부터|까지|쯤|이랑|랑|과|와|만|보다|동안|내내|였)"

_NEXT_YEAR = "(?:내년|내후년|후년|다음 ?해)(?:의|에는|에)? ?"
_TO_COME = "(?:내일|내일모레|모레|글피|다다음 ?주|다음 ?주|다음|다가오는|오는) ?"

# 말의 종류와 패턴. 공백은 한 칸이다. 겹치면 가장 긴 것을 쓴다.
PATTERNS = (
    ("date", rf"{_WHEN}{_MONTH} ?(?P<d>[0-3]?[0-9])일(?!간|째|차| ?동안)"),
    ("month", rf"{_WHEN}{_MONTH}(?!급|세|드|남|생(?!일))"),
    ("range", rf"(?:{_YEAR_TOLD})?{_MONTH}(?:부터|에서| ?[~-]) ?(?:(?P<y2>{_YEAR})년 ?)?(?P<m2>1[0-2]|0?[1-9])월"),
    ("range", rf"(?P<y>{_YEAR})년?(?:부터|에서| ?[~-]) ?(?P<y2>{_YEAR})년"),
    ("season", rf"(?:(?P<y>{_YEAR})년도? ?|{_YEAR_SAID}|{_LAST}){_SEASON}"),
    ("season", rf"{_ALONE}(?P<of>이번) {_SEASON}"),
    ("season", rf"{_ALONE}{_SEASON}에(?=$|[^가-힣]|[는도])"),
    ("year", rf"(?<![0-9.,])(?P<y>{_YEAR})년(?!간|대|생| ?동안|산|식|형)"),
    ("year", rf"{_ALONE}{_YEAR_SAID}"),
    ("decade", r"(?<![0-9])(?P<decade>(?:19|20)?[0-9]0)년대"),
    ("unit", rf"{_ALONE}(?P<back>지지난|저저번|지난|저번|이번|요번) ?(?P<unit>주말|주|달|해){_ENDS}"),
    ("unit", rf"{_ALONE}(?P<back>이) ?(?P<unit>달)(?!의 ?소녀){_ENDS}"),
    ("unit", r"(?<![가-힣])(?<!매주 )(?P<unit>주말)에"),
    ("weekday", rf"(?<!매주 )(?<![가-힣]){_WEEKDAY}"),
    ("weekday", rf"{_LAST}{_WEEKDAY}"),
    ("weekday", rf"{_ALONE}(?P<back>이번|요번) {_WEEKDAY}"),
    ("weekday", rf"{_ALONE}(?P<back>지지난|저저번|지난|저번|이번|요번) ?주 ?{_WEEKDAY}"),
    ("day", rf"{_ALONE}(?P<day>" + "|".join(sorted(DAYS_BACK, key=len, reverse=True)) + ")(?!날|야|서야|의[가-힣])"),
    *(("ago", rf"(?<![가-힣0-9.,]){amount}{_BEFORE}") for amount in _AMOUNTS),
    ("ago", rf"{_ALONE}{_WHOLE}{_BEFORE}"),
    ("ago", rf"{_ALONE}{_SOME_DAYS}{_BEFORE}"),
    *(("span", rf"{_ALONE}(?P<past>지난|최근) ?{amount}{_LASTS}") for amount in _AMOUNTS),
    ("span", rf"{_ALONE}(?P<past>지난|최근) ?{_WHOLE}"),
    ("span", rf"{_ALONE}(?P<past>지난|최근) ?{_SOME_DAYS}"),
    ("coming", rf"{_ALONE}(?P<coming>{_NEXT_YEAR}(?:[0-9]{{1,2}}월(?: ?[0-9]{{1,2}}일)?|{_SEASON_NAMES}))"),
    (
        "coming",
        rf"{_ALONE}(?P<coming>{_TO_COME}(?:[월화수목금토일](?:요일|욜)|주말에?|[0-9]{{1,2}}월|{_SEASON_NAMES}))",
    ),
)
