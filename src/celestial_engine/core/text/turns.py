"""Parses chat lines with a date and a speaker: `[1:56 pm on 8 May, 2023] Caroline: Hey Mel!`."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import NamedTuple

from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.english import verb_form
from celestial_engine.core.text.hangul import batchim, is_hangul
from celestial_engine.core.text.korean import Ending, verb_of
from celestial_engine.lang.en import grammar as en_grammar
from celestial_engine.lang.en import topics as en_topics
from celestial_engine.lang.ko import nouns as ko_nouns
from celestial_engine.lang.ko import topics as ko_topics

_LABELS = en_topics.LABELS | ko_topics.LABELS
_ROLES = en_topics.ROLES | ko_topics.ROLES
_NOTED = (
    (en_topics.NOTED | en_grammar.VERBS | en_grammar.ADJECTIVES | en_grammar.VAGUE_NOUNS | en_grammar.ATTRIBUTES)
    | ko_topics.NOTED
    | ko_nouns.ATTRIBUTES
)
_MARKS = ".!?~…,;:\"'“”‘’()ㅋㅎㅠㅜ"
_LONGEST_PREFIX = 100
_SPEECH_CHARACTERS = 200  # characters of a line that decide whether it is speech
_FLAGS = re.IGNORECASE | re.ASCII
_MONTH_NUMBERS = {month[:3]: number for number, month in enumerate(en_topics.MONTHS, start=1)}

_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DAYS = (
    r"(?P<y>\d{4})\s?[-/.]\s?(?P<m>\d{1,2})\s?[-/.]\s?(?P<d>\d{1,2})\.?(?!\d)",
    r"(?P<y>\d{4})년\s?(?P<m>\d{1,2})월\s?(?P<d>\d{1,2})일",
    rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH},? ?(?P<y>\d{{4}})\b",
    rf"\b{_MONTH} (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})\b",
)
_CLOCK = (
    r"(?:(?P<before>오전|오후|am|pm)\s?)?(?P<h>\d{1,2})(?:\s?시(?:\s?(?P<mk>\d{1,2})분)?|"
    r":(?P<mi>\d{2})(?::(?P<s>\d{2})(?:[.,]\d{1,9})?)?)"
    r"\s?(?P<after>[ap]\.?m\b\.?)?\s?(?P<zone>Z\b|[+-]\d{2}:?\d{2}\b)?|\b(?P<bare>\d{1,2}) ?(?P<half>[ap]m)\b"
)
# What a date may contain besides its numbers: weekdays, "on", "at", brackets.
_REST = r"(?:\b(?:on|at|mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\b|[월화수목금토일](?:요일)?|[T\s,.()\[\]|·-])*"
_SPEAKER = r"(?P<speaker>[^\s:：\[\]()<>|,.!?][^:：\[\]()<>|\n,!?]{0,38}?)\s?[:：](?!//)(?:\s+|(?=\S))"
_LATIN_NAME = r"[A-Z\u00c0-\u00de][\w.'’-]{0,19}(?: [A-Z\u00c0-\u00de][\w.'’-]{0,19}){0,2}"
_HANGUL_NAME = r"[가-힣]{2,5}(?:\s?[씨님])?"
_KAKAO = r"\[(?P<speaker>[^\[\]\n]{1,30})\] \[[^\[\]\n]{0,6}\d{1,2}:\d{2}[^\[\]\n]{0,6}\] "


class Turn(NamedTuple):
    """Speaker, time (seconds since the Unix epoch; UTC if there is no time zone) and text of a line."""

    speaker: str | None
    said_at: float | None
    text: str


@lru_cache(maxsize=4)  # callers parse the same line several times in a row
def read_turn(text: str) -> Turn:
    """Splits off the date and speaker at the beginning of a line; without them returns the text unchanged."""
    line = text.lstrip()
    if kakao := compiled(_KAKAO).match(line):
        return Turn(kakao["speaker"], None, line[kakao.end() :])
    stamp, rest = _stamp(line)
    speaker, content = _speaker(rest, dated=stamp is not None)
    if (stamp is None and speaker is None) or not content.strip():
        return Turn(None, None, text)
    return Turn(speaker, _moment(stamp) if stamp else None, content)


def _stamp(line: str) -> tuple[str | None, str]:
    """Splits off the date at the beginning of a line, in brackets or before a dash or a name."""
    head = line[:_LONGEST_PREFIX]
    if head[:1] in ("[", "("):
        end = _closing(head)
        inside = head[1:end]
        if end > 0 and (_day(inside) or compiled(_CLOCK, _FLAGS).fullmatch(inside)):
            return inside, line[end + 1 :].lstrip(" -–—:|\t")
        return None, line
    if head[:1].isdigit() or head[:3].casefold() in _MONTH_NUMBERS:
        return _bare_stamp(head, line)
    return None, line


def _bare_stamp(head: str, line: str) -> tuple[str | None, str]:
    """A date without brackets counts only if a speaker follows: "2023-05-08 we met" is a sentence."""
    day = _day(head)
    if day is None or day.start() > 12:
        return None, line
    end = day.end()
    clock = re.compile(_CLOCK, re.IGNORECASE).search(head, end)
    if clock and compiled(_REST, re.IGNORECASE).fullmatch(head[end : clock.start()]):
        end = clock.end()
    rest = line[end:].lstrip(" -–—|,\t")
    return (line[:end], rest) if _speaker(rest, dated=True)[0] else (None, line)


def _closing(head: str) -> int:
    if head[0] == "[":
        return head.find("]")
    depth = 0
    for index, sign in enumerate(head):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return index
    return -1


def _speaker(line: str, *, dated: bool) -> tuple[str | None, str]:
    match = compiled(_SPEAKER).match(line[:_LONGEST_PREFIX])
    if match is None:
        return None, line
    name = match["speaker"].strip("*_ ")
    plain = name.casefold()
    if plain in _ROLES:
        return name, line[match.end() :].lstrip()
    if _is_label(plain):
        return None, line
    content = line[match.end() :].lstrip()
    if not (compiled(_LATIN_NAME).fullmatch(name) or _is_korean_name(name)):
        return None, line
    # "Lisbon:2" is no speech: without a date a name needs a space after its colon.
    is_speech = dated or (
        line[match.end() - 1].isspace() and _is_spoken_by(name, content[:_SPEECH_CHARACTERS].rstrip())
    )
    return (name, content) if is_speech else (None, line)


def _is_spoken_by(name: str, content: str) -> bool:
    """Whether a line without a date is speech and not a note: "Anna: I'm here", but "Budget: 300 dollars"."""
    if not _NOTED.isdisjoint(name.casefold().split()):
        return False
    if compiled(_LATIN_NAME).fullmatch(name):
        return name.startswith(en_topics.TITLES) or _is_speech(content)
    if name.endswith(("씨", "님")) or _is_vocative(name) or _has_family_name(name):
        return True
    if name in ko_topics.KIN:  # 엄마: 김영희 is a note
        return len(content.split()) > 2 or _is_speech(content)
    known = name in ko_nouns.NOUNS and not name.endswith("은")  # 지은 is also a name
    return not known and _is_speech(content)


def _is_speech(content: str) -> bool:
    if any(compiled(topics.SPEECH, re.IGNORECASE).search(content) for topics in (en_topics, ko_topics)):
        return True
    words = [word.strip(_MARKS) for word in content.split()]
    if not words or words[0].casefold() in ("a", "an"):  # Haskell: a language that ...
        return False
    if is_hangul(words[-1][-1:]):
        return _has_spoken_ending(words)
    lower_words = [word for word in words[1:] if word.isalpha() and word.islower()]
    return content[-1] == "!" or (content[-1] in ".…" and lower_words != []) or any(map(_is_verb, lower_words))


def _has_spoken_ending(words: list[str]) -> bool:
    """Whether the last verb is in spoken style: 밥 먹었어, 밥 먹자; not 회의를 마쳤다."""
    last = words[-1]
    if last[-1] == "자" and len(words) > 1 and any(verb.tail == "고" for verb in verb_of(last[:-1] + "고")):
        return True
    return any(
        verb.ending in (Ending.FINAL, Ending.ASKING, Ending.HONORIFIC) and not verb.tail.endswith(("다", "음"))
        for verb in verb_of(last)[:1]
    )


def _is_verb(plain: str) -> bool:
    form = verb_form(plain)
    return plain in en_grammar.BE or plain in en_grammar.MODALS or (form is not None and form.kinds != {"ing"})


def _is_vocative(name: str) -> bool:
    """Whether it is a name in the vocative: 지은아, 민수야."""
    first_name, ending = name[:-1], name[-1]
    fits = ending == ("아" if batchim(first_name) else "야")
    return len(first_name) > 1 and fits and ko_topics.NAME_SYLLABLES.issuperset(first_name)


def _has_family_name(name: str) -> bool:
    """Whether it is a full name: 김민수, 김 민수; not 강아지 or 방문일."""
    plain = name.replace(" ", "")
    return (
        len(plain) == 3
        and plain[0] in ko_nouns.SURNAMES
        and ko_topics.NAME_SYLLABLES.issuperset(plain[1:])
        and plain[-1] not in "일장기화"
        and plain not in ko_nouns.NOUNS
    )


def _is_label(plain: str) -> bool:
    return plain.endswith(ko_topics.LABEL_ENDINGS) or not _LABELS.isdisjoint(plain.split())


def _is_korean_name(name: str) -> bool:
    family, _, given = name.partition(" ")
    if family in ko_nouns.SURNAMES and compiled(r"[가-힣]{1,3}").fullmatch(given):
        return True
    return bool(compiled(_HANGUL_NAME).fullmatch(name))


@lru_cache(maxsize=4096)  # lines of a chat often have the same date
def _day(stamp: str) -> re.Match[str] | None:
    for pattern in _DAYS:
        if match := compiled(pattern, _FLAGS).search(stamp):
            return match
    return None


@lru_cache(maxsize=4096)
def _moment(stamp: str) -> float | None:
    """Returns seconds since the epoch; None for a day or an hour that does not exist."""
    day = _day(stamp)
    if day is None:
        return None
    parts = day.groupdict()
    month = _MONTH_NUMBERS[parts["month"][:3].casefold()] if parts.get("month") else int(parts["m"])
    others = stamp[: day.start()] + " " + stamp[day.end() :]
    hour, minute, second, utc_offset = _time_of_day(others)
    try:
        local = datetime(int(parts["y"]), month, int(parts["d"]), hour, minute, second, tzinfo=timezone.utc)
        return (local - utc_offset).timestamp()
    except (ValueError, OverflowError):
        return None


def _time_of_day(text: str) -> tuple[int, int, int, timedelta]:
    match = compiled(_CLOCK, _FLAGS).search(text)
    if match is None:
        return 0, 0, 0, timedelta()
    hour = int(match["h"] or match["bare"])
    half = (match["before"] or match["after"] or match["half"] or "").replace(".", "").casefold()
    if half in ("am", "오전", "pm", "오후") and hour <= 12:
        hour = hour % 12 + (12 if half in ("pm", "오후") else 0)
    zone = match["zone"] or "Z"
    utc_offset = timedelta()
    if zone not in "Zz":
        utc_offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:])) * (-1 if zone[0] == "-" else 1)
    return hour, int(match["mi"] or match["mk"] or 0), int(match["s"] or 0), utc_offset
