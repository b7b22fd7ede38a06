"""English time expressions. `core/retrieval/time_hints.py` interprets the groups of the patterns."""

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
WEEKDAYS = {
    name: number for number, name in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())
}
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # the month each begins in
NUMBERS = {
    word: (number, number)
    for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), start=1)
} | {"a": (1, 1), "an": (1, 1), "couple": (2, 2), "few": (2, 5), "several": (3, 7)}
UNITS = {
    "minute": ("minute", 1),
    "hour": ("hour", 1),
    "day": ("day", 1),
    "week": ("week", 1),
    "fortnight": ("week", 2),
    "weekend": ("weekend", 1),
    "month": ("month", 1),
    "half a year": ("month", 6),
    "year": ("year", 1),
}
WEEKENDS = frozenset(("weekend",))
# How many weeks, months or years back.
BACK = {"this": 0, "last": 1, "previous": 1, "before last": 2, "this year": 0, "last year": 1}
DAYS_BACK = {
    "today": 0,
    "tonight": 0,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "yesterday": 1,
    "last night": 1,
    "day before yesterday": 2,
}

# A question without any of these names no time.
_OTHER_HERALDS = "today tonight yesterday last past previous this ago back weekend".split()
HERALDS = "|".join(["[0-9]", *_OTHER_HERALDS, *MONTHS, *WEEKDAYS, *SEASONS])

# Words before or after an expression that make it open-ended (since, until).
UNTIL_BEFORE = r"\b(?:before|until|till|by|prior to)(?: the)?(?: (?:end|start|beginning|middle) of)?$"
SINCE_BEFORE = r"\b(?:since|after)(?: the)?(?: (?:end|start|beginning|middle) of)?$"
UNTIL_AFTER = SINCE_AFTER = r"(?!)"

# A question about the present or future, and what shows that it is about the past after all.
AHEAD = (
    r"\b(?:will|won['’]?t|shall|should|going to|gonna)\b|['’]ll\b|\bam i\b|\b(?:is|are) there\b|\bhave i got\b|"
    r"(?:\b(?:am|is|are)|['’](?:m|s|re)) (?:\w+ ){0,2}(?:\w+ing|planned|scheduled|free|busy|due|open|closed|on)\b|"
    r"\b(?:do|does) (?!you (?:still )?(?:remember|know|recall)\b)\w+ (?:\w+ )?\w+"
)
PAST = (
    r"\b(?:did|didn['’]?t|was|were|had|been|went|came|said|told|met|saw|ate|bought|got|made|gave|took|wrote|"
    r"(?!planned|scheduled|\w*eed\b|\w{0,2}ed\b)\w+ed)\b"
)

_YEAR = "(?:19|20)[0-9]{2}"
_NOT_COUNTED = (
    r"(?![0-9]|[.,:][0-9]|%)(?! (?:people|persons|users|members|men|women|students|dollars|bucks|euros|pounds|won|yen"
    r"|times|ways|cases|steps|words|pages|items|files|miles|meters|metres|km|kg|calories|points|units|books|songs)\b)"
)
_MONTH_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
_MONTH = rf"(?P<m>{_MONTH_NAMES})\b\.?"
_MONTH_2 = _MONTH.replace("<m>", "<m2>")
_SURE_MONTH = (
    "(?P<m>january|february|july|september|october|november|december)"  # months that are not also names or verbs
)
_NOT_A_VERB = r"(?!(?-i:may|march)\b)"  # "step 2 may fail", "this may help": written small it is a verb
_DAY = "(?P<d>[0-3]?[0-9])"
_WEEKDAY_NAMES = "|".join(WEEKDAYS)
_WEEKDAY = "(?P<weekday>" + _WEEKDAY_NAMES + r")\b(?! (?:mornings|afternoons|evenings|nights)\b)"
_SEASON = "(?P<season>spring|summer|autumn|fall|winter)"
_SEASON_NAMES = "|".join(SEASONS)
# "in spring rolls", "in winter boots": with a noun after it the season is no time.
_NO_NOUN = (
    r"(?=$|[^\w ]| (?:i|we|you|he|she|they|it|my|our|did|was|were|do|does|with|at|on|to|for|from|by|and|or|when|that|"
    r"which|who|what|where|how|while|before|after|as|because|together|last|this|the|a|an|[0-9]+)\b)"
)
_TRUSTING = "confide confided confiding confides believe believed believes trust trusted trusts interested".split()
_TRUSTED = "".join(f"(?<!{verb} )" for verb in _TRUSTING)  # "confide in Jan": a name
_COUNT = r"(?:an? )?(?P<n>[0-9]{1,4}|" + "|".join(sorted(NUMBERS, key=len, reverse=True)) + ")(?: of)?"
_UNIT = "(?P<unit>minute|hour|day|week|fortnight|month|year)"
_YEAR_TOLD = rf"(?:,? (?:of |in )?(?P<y>{_YEAR})| (?:of )?(?P<of>last year|this year))"
_IN = (
    "(?:in|during|since|until|till|before|after|through|throughout|around|month of|"
    "(?:the )?(?:end|start|beginning|middle) of)(?: early| mid| late)?"
)
_FROM, _TO = "(?:from|between)", "(?:to|and|until|till|through|-)"

_NAMED = f"(?:{_MONTH_NAMES}|{_SEASON_NAMES}|{_WEEKDAY_NAMES})"
_AHEAD = "(?:(?:next|coming) (?:year|month|week|weekend)|(?:the day after )?tomorrow)"

# Kind and pattern. Case is ignored; spaces are single. The longest of overlapping matches counts.
PATTERNS = (
    ("date", rf"\b{_DAY}(?:st|nd|rd|th)(?: of)? {_MONTH}{_YEAR_TOLD}?"),
    ("date", rf"\b{_DAY} (?:of )?{_NOT_A_VERB}{_MONTH}{_YEAR_TOLD}?"),
    ("date", rf"\b{_DAY} {_MONTH},? (?P<y>{_YEAR})"),
    ("date", rf"\b{_MONTH} {_DAY}(?:st|nd|rd|th)?\b{_NOT_COUNTED}{_YEAR_TOLD}?"),
    ("date", rf"(?<![0-9/])(?P<m>0?[1-9]|1[0-2])/{_DAY}/(?P<y>{_YEAR})(?![0-9/])"),
    ("month", rf"\b{_MONTH}{_YEAR_TOLD}{_NOT_COUNTED}"),
    ("month", rf"\b(?P<of>last year|this year),?(?: in)? {_MONTH}"),
    ("month", rf"{_TRUSTED}\b{_IN} {_MONTH}(?! [0-9])"),
    ("month", rf"\b{_IN} (?:{_MONTH_NAMES}),? (?:and|or) {_MONTH}(?! [0-9])"),
    ("month", rf"\b(?P<last>last|past|previous) {_MONTH}(?! [0-9])"),
    ("month", rf"\b(?P<of>this) {_NOT_A_VERB}{_MONTH}(?! [0-9])"),
    ("month", rf"\b(?:early|mid|late)[ -]{_MONTH}(?! [0-9])"),
    ("month", rf"\b{_SURE_MONTH}\b(?! [0-9])"),
    ("range", rf"\b{_FROM} {_MONTH}(?:,? (?P<y>{_YEAR}))? {_TO} {_MONTH_2}(?:,? (?P<y2>{_YEAR}))?"),
    ("range", rf"\b{_FROM} (?P<y>{_YEAR}) {_TO} (?P<y2>{_YEAR}){_NOT_COUNTED}"),
    ("season", rf"\b{_SEASON}{_YEAR_TOLD}{_NOT_COUNTED}"),
    ("season", rf"\b(?P<of>this) {_SEASON}\b"),
    ("season", rf"\b(?P<last>last|past|previous) {_SEASON}\b"),
    (
        "season",
        rf"\b(?:in|during|over|since|until|before|after)(?: the)?(?: early| mid| late)? {_SEASON}\b{_NO_NOUN}",
    ),
    (
        "year",
        rf"\b(?:in|during|since|until|till|before|after|throughout|early|mid|late|(?:end|start|beginning|rest) of)"
        rf"(?: the)?(?: year)?(?: early| mid| late)? (?P<y>{_YEAR})\b{_NOT_COUNTED}",
    ),
    ("year", rf"\byear (?:of )?(?P<y>{_YEAR})\b{_NOT_COUNTED}"),
    ("decade", r"\b(?P<decade>(?:19|20)[0-9]0)['’]?s\b"),
    ("unit", r"\b(?P<back>this|last|previous) (?P<unit>weekend|week|month|year)\b(?! of )"),
    ("unit", r"\b(?P<unit>week|weekend|month|year) (?P<back>before last)\b"),
    ("unit", r"\b(?:over|on|at|during) the (?P<unit>weekend)\b"),
    ("weekday", rf"\bon {_WEEKDAY}"),
    ("weekday", rf"(?<!every )(?<!each )(?<!good )(?<!black )\b{_WEEKDAY}(?! (?-i:(?!I\b)[A-Z]))"),  # no Miss Addams
    ("weekday", rf"\b(?P<last>last|past|previous) {_WEEKDAY}"),
    ("weekday", rf"\b(?P<back>this) {_WEEKDAY}"),
    ("weekday", rf"\b{_WEEKDAY},? (?:of )?(?P<back>this|last) week\b"),
    ("weekday", rf"\b(?P<back>this|last) week(?:'s|’s| on)? {_WEEKDAY}"),
    ("day", r"\b(?P<day>" + "|".join(sorted(DAYS_BACK, key=len, reverse=True)) + r")\b"),
    ("ago", rf"\b{_COUNT} {_UNIT}s? (?:ago|back)\b"),
    ("ago", r"\b(?P<unit>half a year) (?:ago|back)\b"),
    ("span", rf"\b(?P<past>last|past|previous) {_COUNT} {_UNIT}s?\b"),
    ("span", rf"\b(?:over|in|during|within|for) the (?P<past>last|past) {_UNIT}\b"),
    ("span", rf"\b(?P<past>past) {_UNIT}\b"),
    ("coming", rf"\b(?P<coming>{_NAMED}\b\.?(?: [0-3]?[0-9](?:st|nd|rd|th)?)?,?(?: of| in)? {_AHEAD})\b"),
    ("coming", rf"\b(?P<coming>{_AHEAD},?(?: in| on)? {_NAMED})\b"),
    ("coming", rf"\b(?P<coming>(?:next|coming|upcoming) {_NAMED})\b"),
)
