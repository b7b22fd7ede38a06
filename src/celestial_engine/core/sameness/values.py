"""Extracts values from a text: weekdays, times, dates, numbers. Texts with different values are not the same."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.english import is_content, verb_form
from celestial_engine.lang.en import sameness as en_sameness
from celestial_engine.lang.ko import sameness as ko_sameness


class ValueKind(str, Enum):
    """The kind of a value."""

    WEEKDAY = "weekday"
    CLOCK = "clock"  # on a twelve-hour clock
    HALF = "half"  # am or pm
    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    SEASON = "season"
    PART = "part"  # of a day
    NEAR = "near"  # today, tomorrow
    ORDINAL = "ordinal"
    NUMBER = "number"
    LABEL = "label"  # a number that is a name: house 3, 2호선


Values = Mapping[ValueKind, tuple[str, ...]]

_DATE = r"(?<![\d./-])(?P<year>(?:19|20)\d\d)[-/.] ?(?P<month>0?[1-9]|1[0-2])[-/.] ?(?P<day>[0-3]?\d)(?!\d)"
_PLAIN = {
    kind.value: kind
    for kind in ValueKind
    if kind not in (ValueKind.CLOCK, ValueKind.HALF, ValueKind.NUMBER, ValueKind.MONTH, ValueKind.LABEL)
}
_NOON = 12
_HANGUL, _DIGIT = re.compile("[가-힣]"), re.compile(r"\d")


# Korean patterns run only on texts with Hangul; most patterns need a digit to match.
_PATTERNS = {
    korean: [
        (pattern, r"\d" in pattern and "열한" not in pattern)
        for pattern in (
            _DATE,
            *(ko_sameness.PATTERNS if korean else ()),
            *en_sameness.PATTERNS,
            en_sameness.NUMBER,
            *((ko_sameness.NUMBER,) if korean else ()),
        )
    ]
    for korean in (False, True)
}


class Valued(NamedTuple):
    """A text without its values, and the values by kind, in the order of the text."""

    rest: str
    values: Values


def values_of(text: str) -> Valued:
    """Extracts the values of a text that is in NFKC.

    >>> values_of("Dentist on May 3 at 3pm").values[ValueKind.CLOCK]
    ('3:00',)
    """
    found: defaultdict[ValueKind, list[tuple[int, str]]] = defaultdict(list)
    korean = _HANGUL.search(text) is not None
    has_digit = _DIGIT.search(text) is not None
    for pattern, needs_digit in _PATTERNS[korean]:
        if needs_digit and not has_digit:
            continue
        matches = list(compiled(pattern, re.IGNORECASE).finditer(text))
        for match in matches:
            for kind, value in _read(match):
                found[kind].append((match.start(), value))
        for match in matches:  # blank out matches, so that no part matches again; positions stay the same
            text = text[: match.start()] + " " * len(match.group()) + text[match.end() :]
    return Valued(text, {kind: tuple(value for _, value in sorted(positioned)) for kind, positioned in found.items()})


def spans_relative_time(text: str) -> bool:
    """Whether a text has a time relative to the day it was said: tomorrow, 지난주."""
    return any(compiled(words.RELATIVE, re.IGNORECASE).search(text) for words in (en_sameness, ko_sameness))


def _read(match: re.Match[str]) -> list[tuple[ValueKind, str]]:
    groups = {name: value.casefold() for name, value in match.groupdict().items() if value is not None}
    values: list[tuple[ValueKind, str]] = [
        (_PLAIN[name], _number(value)) for name, value in groups.items() if name in _PLAIN
    ]
    values = [(kind, ko_sameness.WEEKDAYS.get(value, value)) for kind, value in values]
    if "month" in groups:
        month = groups["month"]
        values.append((ValueKind.MONTH, _number(month) if month.isdigit() else str(en_sameness.MONTHS[month[:3]])))
    if "hour" in groups:
        values += _clock(groups)
    if "number" in groups:
        values.append((ValueKind.LABEL if _is_label(match) else ValueKind.NUMBER, _number(groups["number"])))
    return values


def _is_label(match: re.Match[str]) -> bool:
    """Whether a number is a label and not a count: house 3; but not costs 3, or 3 houses."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    noun = compiled(r"(?:^|[\s(])([a-z]+) $", re.IGNORECASE).search(before[-40:])
    if noun and is_content(noun[1].casefold()) and verb_form(noun[1].casefold()) is None:
        return True
    return compiled(ko_sameness.NUMBERED).match(after) is not None


def _clock(groups: Mapping[str, str]) -> list[tuple[ValueKind, str]]:
    hour = int(groups["hour"]) if groups["hour"].isdigit() else ko_sameness.HOURS[groups["hour"]]
    minute = 30 if "thirty" in groups else int(groups.get("minute", 0))
    half = groups.get("half", "")
    half = ko_sameness.HALVES.get(half, half) or ("p" if hour > _NOON else "")
    clock = [(ValueKind.CLOCK, f"{hour % _NOON}:{minute:02}")]
    return [*clock, (ValueKind.HALF, half)] if half else clock


def _number(text: str) -> str:
    """Normalises: 1,000.0 and 1000 are the same number; 10,5 and 105 are not."""
    grouped = compiled(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?").fullmatch(text) is not None
    plain = (text.replace(",", "") if grouped else text).lstrip("+")
    if not compiled(r"-?\d+(?:\.\d+)?").fullmatch(plain):
        return text
    whole, _, part = plain.partition(".")
    part = part.rstrip("0")
    return f"{int(whole)}.{part}" if part else str(int(whole))
