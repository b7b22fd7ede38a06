"""Parses the times that a question names, and scores how near a memory is to them.

Weeks begin on Monday. A date without a year is the latest one that is not after now. Only past times count: a
memory is never from tomorrow. The words are in `lang/*/time.py`; their meaning is here.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from types import ModuleType

from celestial_engine.core.patterns import compiled
from celestial_engine.lang.en import time as en_time
from celestial_engine.lang.ko import time as ko_time

_LANGUAGES = (en_time, ko_time)
_MOST_CHARACTERS = 2_000  # only the beginning of a question is read

_UNIX_EPOCH = date(1970, 1, 1)
_DAY = timedelta(days=1)
_WEEK = timedelta(days=7)
_SECONDS = {"minute": 60.0, "hour": 3600.0}
_FOREIGN_I = frozenset("ıİ")  # a case-insensitive pattern matches them as an i
_YEARS_TO_LOOK_BACK = 9  # a 29 February is at most eight years ago

_YEAR = "(?P<y>(?:19|20)[0-9]{2})"
_BY_NUMBERS = (
    ("date", rf"(?<![0-9./-]){_YEAR}([-/.]) ?(?P<m>0?[1-9]|1[0-2])\2 ?(?P<d>[0-3]?[0-9])(?![0-9])"),
    ("month", rf"(?<![0-9./-]){_YEAR}[-/](?P<m>0[1-9]|1[0-2])(?![0-9/-])"),
)


@dataclass(frozen=True)
class Period:
    """A time that a question names: `start` (inclusive), `end` (exclusive), and the words that name it."""

    start: float
    end: float
    text: str


def time_hints(question: str, now: float, utc_offset: float = 0) -> list[Period]:
    """Returns the times that a question names, in its order.

    `utc_offset`: seconds by which the user's clock is ahead of UTC (Seoul: 32400).
    """
    plain = " ".join(unicodedata.normalize("NFKC", question[:_MOST_CHARACTERS]).split())
    clock = _Clock(now, utc_offset)
    periods: dict[tuple[float, float], Period] = {}
    expressions = _without_overlaps(_expressions(plain))
    dated = any(expression.kind == "date" and "y" in expression.groups for expression in expressions)
    ahead = bool(expressions) and _looks_ahead(plain)
    for expression in expressions:
        if dated and expression.kind in (
            "weekday",
            "unit",
        ):  # "the Sunday before 25 October 2022" is not relative to now
            continue
        if ahead and expression.may_come:
            continue
        try:
            span = expression.span(plain, clock)
        except (ValueError, OverflowError):  # beyond the calendar
            continue
        if span is not None and span[0] < span[1]:
            periods.setdefault(span, Period(*span, expression.text))
    return list(periods.values())


def closeness_in_time(moment: float, periods: Iterable[Period]) -> float:
    """1 within a period, falling with the distance in lengths of that period; 0 without periods."""
    return max((_nearness(moment, period) for period in periods), default=0.0)


def _nearness(moment: float, period: Period) -> float:
    if period.start <= moment < period.end:
        return 1.0
    distance = max(period.start - moment, moment - period.end)
    return math.exp(-distance / (period.end - period.start))


Span = tuple[float, float]
Groups = Mapping[str, str]


@dataclass(frozen=True)
class _Clock:
    """The current time in the user's time zone."""

    now: float
    utc_offset: float

    @property
    def today(self) -> date:
        return _UNIX_EPOCH + timedelta(days=(self.now + self.utc_offset) // 86_400)

    def span(self, start: date, end: date) -> Span:
        return self._moment(start), self._moment(end)

    def _moment(self, day: date) -> float:
        return (day - _UNIX_EPOCH).total_seconds() - self.utc_offset


@dataclass(frozen=True)
class _Expression:
    """A time expression and its position in the question."""

    kind: str
    words: ModuleType
    groups: Groups
    begin: int  # where the time itself begins: after "in" or "since"
    end: int
    width: int
    text: str

    @property
    def may_come(self) -> bool:
        """Whether it recurs, and nothing says that a past one is meant."""
        if not self.groups.keys().isdisjoint(("y", "of", "last")) or self.words.BACK.get(self.groups.get("back"), 0):
            return False
        return self.kind in ("weekday", "date", "month", "season") or self.groups.get("unit") in self.words.WEEKENDS

    def span(self, question: str, clock: _Clock) -> Span | None:
        """Returns start and end. "Before" a day is the week before it; "before" anything longer is None."""
        span = _MEANINGS[self.kind](self.groups, self.words, clock)
        if span is None or self.kind == "range":
            return span
        before, after = question[: self.begin].rstrip()[-40:], question[self.end :][:8]
        if _is_edge("UNTIL", before, after):
            return (span[0] - _WEEK.total_seconds(), span[0]) if self.kind == "date" else None
        if _is_edge("SINCE", before, after):
            return span[0], max(span[1], clock.span(clock.today, clock.today + _DAY)[1])
        return span


def _is_edge(edge: str, before: str, after: str) -> bool:
    """Whether the words around an expression make it the start or end of a longer time."""
    return any(
        compiled(getattr(words, f"{edge}_BEFORE"), re.IGNORECASE).search(before)
        or compiled(getattr(words, f"{edge}_AFTER")).search(after)
        for words in _LANGUAGES
    )


def _looks_ahead(question: str) -> bool:
    """Whether a question is about the present or future: nothing has happened on that Friday yet."""
    return any(
        compiled(words.AHEAD, re.IGNORECASE).search(question)
        and not compiled(words.PAST, re.IGNORECASE).search(question)
        for words in _LANGUAGES
    )


def _expressions(question: str) -> Iterator[_Expression]:
    for words in _LANGUAGES:
        if words is ko_time and question.isascii():
            continue
        if not compiled(words.HERALDS, re.IGNORECASE).search(question):  # most questions name no time
            continue
        for kind, pattern in (*words.PATTERNS, *_BY_NUMBERS):
            for match in compiled(pattern, re.IGNORECASE).finditer(question):
                if not _FOREIGN_I.isdisjoint(match.group()):
                    continue
                groups = {name: value.casefold() for name, value in match.groupdict().items() if value is not None}
                begin = min(match.start(name) for name in groups)
                text = question[begin : match.end()].strip()
                yield _Expression(kind, words, groups, begin, match.end(), match.end() - match.start(), text)


def _without_overlaps(expressions: Iterable[_Expression]) -> list[_Expression]:
    """Keeps the longest of overlapping expressions, in the order of the question."""
    chosen: list[_Expression] = []
    for expression in sorted(expressions, key=lambda each: each.width, reverse=True):
        if all(expression.end <= other.begin or other.end <= expression.begin for other in chosen):
            chosen.append(expression)
    return sorted(chosen, key=lambda expression: expression.begin)


def _in_year(
    groups: Groups, words: ModuleType, clock: _Clock, days_of: Callable[[int], tuple[date, date]]
) -> Span | None:
    """What recurs yearly: in the stated year, else the latest that has begun; with `last`, that has ended."""
    if "y" in groups:
        return clock.span(*days_of(_year(groups["y"])))
    today = clock.today
    if "of" in groups:
        return clock.span(*days_of(today.year - words.BACK[groups["of"]]))
    for year in range(today.year, today.year - _YEARS_TO_LOOK_BACK, -1):
        try:
            start, end = days_of(year)
        except ValueError:  # no 29 February that year
            continue
        if end <= today or (start <= today and "last" not in groups):
            return clock.span(start, end)
    return None


def _date(groups: Groups, words: ModuleType, clock: _Clock) -> Span | None:
    def days_of(year: int) -> tuple[date, date]:
        day = date(year, _month_number(groups["m"], words), int(groups["d"]))
        return day, day + _DAY

    return _in_year(groups, words, clock, days_of)


def _month(groups: Groups, words: ModuleType, clock: _Clock) -> Span | None:
    return _in_year(groups, words, clock, lambda year: _months(year, _month_number(groups["m"], words)))


def _season(groups: Groups, words: ModuleType, clock: _Clock) -> Span | None:
    def days_of(year: int) -> tuple[date, date]:
        return _months(year, words.SEASONS[groups["season"]], 3)

    this_season = "of" in groups and words.BACK[groups["of"]] == 0
    start, end = days_of(clock.today.year - 1)
    if this_season and start <= clock.today < end:  # "this winter" in January
        return clock.span(start, end)
    return _in_year(groups, words, clock, days_of)


def _year_span(groups: Groups, words: ModuleType, clock: _Clock) -> Span | None:
    return _in_year(groups, words, clock, lambda year: _months(year, 1, 12))


def _decade(groups: Groups, words: ModuleType, clock: _Clock) -> Span:
    first = int(groups["decade"])
    if first < 100:
        first += 1900 if first >= 30 else 2000
    return clock.span(date(first, 1, 1), date(first + 10, 1, 1))


def _range(groups: Groups, words: ModuleType, clock: _Clock) -> Span | None:
    first = _month_number(groups["m"], words) if "m" in groups else 1
    last = _month_number(groups["m2"], words) if "m2" in groups else 12
    if "y2" in groups:
        end_year = _year(groups["y2"])
    elif "y" in groups:
        end_year = _year(groups["y"]) + (last < first)
    else:
        end_year = clock.today.year - (_months(clock.today.year - (last < first), first)[0] > clock.today)
    start_year = _year(groups["y"]) if "y" in groups else end_year - (last < first)
    return clock.span(_months(start_year, first)[0], _months(end_year, last)[1])


def _unit(groups: Groups, words: ModuleType, clock: _Clock) -> Span:
    unit, _ = words.UNITS[groups["unit"]]
    if "back" in groups:
        return clock.span(*_back(unit, words.BACK[groups["back"]], clock.today))
    return clock.span(*_back(unit, 0 if clock.today.weekday() >= 5 else 1, clock.today))  # the weekend


def _weekday(groups: Groups, words: ModuleType, clock: _Clock) -> Span:
    today, weekday = clock.today, words.WEEKDAYS[groups["weekday"]]
    if "back" in groups:
        day = _back("week", words.BACK[groups["back"]], today)[0] + weekday * _DAY
    else:
        ago = (today.weekday() - weekday) % 7
        day = today - (7 if ago == 0 and "last" in groups else ago) * _DAY
    return clock.span(day, day + _DAY)


def _day(groups: Groups, words: ModuleType, clock: _Clock) -> Span:
    return clock.span(*_back("day", words.DAYS_BACK[groups["day"]], clock.today))


def _ago(groups: Groups, words: ModuleType, clock: _Clock) -> Span:
    unit, fewest, most = _amount(groups, words)
    if unit in _SECONDS:
        second, half = _SECONDS[unit], _SECONDS[unit] / 2
        return clock.now - most * second - half, clock.now - fewest * second + half
    if unit == "week":  # a week ago is a day, give or take three
        return clock.span(clock.today - most * _WEEK - 3 * _DAY, clock.today - fewest * _WEEK + 4 * _DAY)
    return clock.span(_back(unit, most, clock.today)[0], _back(unit, fewest, clock.today)[1])


def _until_now(groups: Groups, words: ModuleType, clock: _Clock) -> Span:
    unit, _, most = _amount(groups, words)
    if unit in _SECONDS:
        return clock.now - most * _SECONDS[unit], clock.now
    today = clock.today
    months = {"month": most, "year": 12 * most}.get(unit)
    if months is None:
        start = today - most * (_WEEK if unit == "week" else _DAY)
    else:
        month = _months_before(today, months)
        start = min(month + (today.day - 1) * _DAY, _months(month.year, month.month)[1])
    return clock.span(start, today + _DAY)


def _coming(groups: Groups, words: ModuleType, clock: _Clock) -> None:
    """A future time such as "in May next year": it replaces the month in it and matches no memory."""


_MEANINGS: Mapping[str, Callable[[Groups, ModuleType, _Clock], Span | None]] = {
    "coming": _coming,
    "date": _date,
    "month": _month,
    "season": _season,
    "year": _year_span,
    "decade": _decade,
    "range": _range,
    "unit": _unit,
    "weekday": _weekday,
    "day": _day,
    "ago": _ago,
    "span": _until_now,
}


def _year(digits: str) -> int:
    return int(digits) + (2000 if len(digits) == 2 else 0)


def _month_number(name: str, words: ModuleType) -> int:
    return int(name) if name.isdigit() else int(words.MONTHS[name])


def _amount(groups: Groups, words: ModuleType) -> tuple[str, int, int]:
    """Returns the unit, and the least and greatest count: "a few" is two to five."""
    unit, times = words.UNITS[groups["unit"]]
    number = groups.get("n", "1")
    fewest, most = (int(number), int(number)) if number.isdigit() else words.NUMBERS[number]
    return unit, fewest * times, most * times


def _back(unit: str, count: int, today: date) -> tuple[date, date]:
    """Returns start and end of the day, week, weekend, month or year `count` before the current one."""
    match unit:
        case "day":
            return today - count * _DAY, today - (count - 1) * _DAY
        case "week" | "weekend":
            monday = today - today.weekday() * _DAY - count * _WEEK
            return (monday if unit == "week" else monday + 5 * _DAY), monday + _WEEK
        case "month":
            month = _months_before(today, count)
            return _months(month.year, month.month)
        case _:
            return _months(today.year - count, 1, 12)


def _months(year: int, month: int, count: int = 1) -> tuple[date, date]:
    start = date(year, month, 1)
    return start, _months_before(start, -count)


def _months_before(day: date, count: int) -> date:
    """Returns the first day of the month `count` months before this day's month."""
    year, month = divmod(12 * day.year + day.month - 1 - count, 12)
    return date(year, month + 1, 1)
