"""Removes times from a text; what is left may happen again.

Times are searched in a normalised copy and cut out of the text as it was written, so that no other character
changes. A time that its sentence cannot do without stays: "my birthday is May 3", "yesterday was great".
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.korean import copula_of
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.lang.en import time as en_time
from celestial_engine.lang.en import times_to_drop as en
from celestial_engine.lang.ko import time as ko_time
from celestial_engine.lang.ko import times_to_drop as ko

_ISO = r"(?<![0-9])(?:19|20)[0-9]{2}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?:[T ][0-9:.]+Z?)?"
_CLUSTER = r"[^\u0300-\u036f\u1160-\u11ff\u3099\u309a][\u0300-\u036f\u1160-\u11ff\u3099\u309a]*|."
_SENTENCE_ENDS = ".!?…。\n"
_CLOSING = ",.!?;:…)"  # and nothing: "" is in every string


class _Cut(NamedTuple):
    """A part of a text, from its first character to the one after its last."""

    start: int
    end: int


def without_times(text: str) -> str:
    """Removes dates, weekdays and hours: "2월 15일 삐돌이가 카페에 갔다" -> "삐돌이가 카페에 갔다"."""
    left = text.strip()
    for cut in reversed(_cuts(left)):
        left = _joined(left[: cut.start], left[cut.start : cut.end], left[cut.end :])
    return left.strip()


def has_times(text: str) -> bool:
    """Whether a text names a time, even one that cannot be removed."""
    return bool(times_in(text))


def times_in(text: str) -> tuple[str, ...]:
    """Returns the times that a text names, as they are written."""
    plain = _Plain(text)
    return tuple(plain.text[span.start : span.end].casefold() for span in _spans(plain))


@lru_cache(maxsize=2)
def _time_patterns(korean: bool) -> tuple[re.Pattern[str], ...]:
    """Returns the patterns; a match without the group `ends` is part of a longer word or phrase."""
    if korean:
        patterns = (*(pattern for _, pattern in ko_time.PATTERNS), *ko.MOMENTS)
        return tuple(re.compile(rf"(?:{pattern})(?P<ends>{ko.AFTER_MOMENTS})?") for pattern in patterns)
    patterns = (*(pattern for _, pattern in en_time.PATTERNS), *en.MOMENTS)
    return tuple(
        re.compile(rf"{en.BEFORE_MOMENTS}(?:{pattern})(?P<ends>{en.AFTER_MOMENTS})?", re.IGNORECASE)
        for pattern in patterns
    )


class _Plain:
    """A text in normal form, and where each of its characters was in the original."""

    def __init__(self, text: str) -> None:
        self.original = text
        if text.isascii():
            self.text = text
            self._places: list[_Cut] | None = None
            return
        clusters = list(compiled(_CLUSTER, re.DOTALL).finditer(text))
        forms = [unicodedata.normalize("NFKC", cluster[0]) for cluster in clusters]
        self.text = "".join(forms)
        self._places = [_Cut(*cluster.span()) for cluster, form in zip(clusters, forms, strict=True) for _ in form]

    def place(self, start: int, end: int) -> _Cut:
        """Returns the original place of a part that is not empty."""
        if self._places is None:
            return _Cut(start, end)
        return _Cut(self._places[start].start, self._places[end - 1].end)


def _spans(plain: _Plain) -> list[_Cut]:
    """Returns the times of a text in order, without those that only begin a longer phrase: 5월 3일이에요."""
    dates = [_Cut(*match.span()) for match in compiled(_ISO).finditer(plain.text)]
    text = plain.text
    for date in dates:  # 2024-03-01 Jun is not the first of June
        text = text[: date.start] + "\0" * (date.end - date.start) + text[date.end :]
    found, unfinished = list(dates), list[_Cut]()
    for pattern in _time_patterns(language_of(plain.text) is Language.KO):
        for match in pattern.finditer(text):
            skipped = compiled(en.NOT_BEFORE_MOMENTS, re.IGNORECASE).match(match[0])
            span = _Cut(match.start() + (skipped.end() if skipped else 0), match.end())
            (found if match["ends"] is not None else unfinished).append(span)
    return sorted(
        span
        for span in found
        if not any(longer.start < span.end < longer.end for longer in unfinished) and span.start < span.end
    )


def _cuts(text: str) -> list[_Cut]:
    """Returns the times that can be removed, in order; times in a row are one."""
    plain = _Plain(text)
    runs: list[_Cut] = []
    for span in _spans(plain):
        if runs and (span.start <= runs[-1].end or _joins(plain.text[runs[-1].end : span.start])):
            runs[-1] = _Cut(runs[-1].start, max(runs[-1].end, span.end))
        else:
            runs.append(span)
    needed = _needed_in_korean if language_of(plain.text) is Language.KO else _needed_in_english
    return [plain.place(*run) for run in runs if not needed(plain.text, run)]


def _joins(between: str) -> bool:
    return (
        compiled(rf"\s*(?:{en.BETWEEN_MOMENTS}|{ko.BETWEEN_MOMENTS})?\s*", re.IGNORECASE).fullmatch(between)
        is not None
    )


def _needed_in_english(text: str, cut: _Cut) -> bool:
    """Whether the time is what a verb or a preposition beside it needs."""
    before, after = text[: cut.start].rstrip(), text[cut.end :].lstrip()
    previous, following = _last_word(before), _first_word(after)
    if previous in en.NEEDS_WORD_AFTER:
        return following == "" or following in en.STARTS_CLAUSE
    starts = not before or before[-1] in _SENTENCE_ENDS or previous in en.STARTS_CLAUSE
    return starts and following in en.NEEDS_SUBJECT


def _needed_in_korean(text: str, cut: _Cut) -> bool:
    """Whether the time is what its sentence says: 제 생일은 5월 3일, 5월 3일은 제 생일이에요."""
    before, after = text[: cut.start].rstrip(), text[cut.end :].lstrip()
    if not after or after[0] in ".,!?…~ㅋㅎㅠㅜ":
        return before[-1:] in ko.NEEDS_PREDICATE
    said = text[cut.start : cut.end].rstrip()
    sentence = compiled("[.!?…\n]").split(after)[0].split()
    dated = said[-1] in "은는" and compiled(r"\d").search(said) is not None
    return dated and bool(sentence) and copula_of(sentence[-1].rstrip("~ㅋㅎㅠㅜ")) is not None


def _last_word(text: str) -> str:
    match = compiled(r"([^\W_]+(?:['’][^\W_]+)?)$").search(text)
    return "" if match is None else match[1].casefold()


def _first_word(text: str) -> str:
    match = compiled(r"([^\W_]+(?:['’][^\W_]+)?)").match(text)
    return "" if match is None else match[1].casefold()


def _joined(before: str, time: str, after: str) -> str:
    """Joins what is left around a time, with the punctuation that still makes sense."""
    start, end = before.rstrip(), after.lstrip()
    if not start or start[-1] in _SENTENCE_ENDS:
        end = compiled(r"^[\s,.:;~-]+").sub("", end)
        end = end[:1].upper() + end[1:] if time[0].isupper() else end
        return f"{start} {end}" if start else end
    if start[-1] in ",;:-" and end[:1] in _CLOSING:
        start = start.rstrip(" ,;:-")
        end = end.removeprefix(",").lstrip()
    return f"{start}{end}" if end[:1] in _CLOSING else f"{start} {end}"
