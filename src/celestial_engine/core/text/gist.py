"""Level 1 of a memory: its most telling sentence or two, in its own words."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.english import is_content
from celestial_engine.core.text.entities import korean_noun
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.sentences import sentences_of
from celestial_engine.core.text.turns import read_turn
from celestial_engine.lang.en import topics as en_topics
from celestial_engine.lang.ko import topics as ko_topics

_LOOKED_AT = 8_000
_ELLIPSIS = "…"
_EDGES = ".,!?…~:;\"'()[]“”‘’ㅋㅎㅠㅜ^*-"
_CLAUSE = r"(?<=[,;:—–])\s+|\s+(?=(?:but|because|so|which|while|and|though|although)\s)|(?<=[가-힣][고서만데며])\s+"
_JOINING = "\u200d\ufe0e\ufe0f"


def gist_of(text: str, most: int = 100) -> str:
    """The most telling part of a text in at most `most` characters; a short text as it is."""
    whole = " ".join(text.split())
    if len(whole) <= most:
        return whole
    turn = read_turn(text[:_LOOKED_AT])
    named = f"{turn.speaker}: " if turn.speaker and len(turn.speaker) + 2 < most // 2 else ""
    room = most - len(named)
    units = [" ".join(sentence.split()) for sentence in sentences_of(turn.text)]
    korean = language_of(turn.text) is Language.KO
    return named + (_best(units, room, korean) or _cut(" ".join(turn.text.split()) or whole, room))


def _best(units: list[str], room: int, korean: bool) -> str:
    """The most telling sentences that fit, in their order; of one that is too long, its most telling clauses."""
    weighed = sorted(((_weight(unit, korean), -index) for index, unit in enumerate(units)), reverse=True)
    weighed = [pair for pair in weighed if pair[0] > 0] or weighed[:1]
    if not weighed:
        return ""
    first = units[-weighed[0][1]]
    if len(first) > room:
        return _clauses(first, room, korean)
    taken = {-weighed[0][1]}
    for _, index in weighed[1:]:
        if sum(len(units[i]) + 1 for i in taken) + len(units[-index]) <= room:
            taken.add(-index)
    return " ".join(units[index] for index in sorted(taken))


def _clauses(sentence: str, room: int, korean: bool) -> str:
    """The run of clauses that weighs most within the room, or the beginning of the sentence."""
    clauses = compiled(_CLAUSE).split(sentence)
    weights = [_weight(clause, korean) for clause in clauses]
    best, heaviest = "", 0.0
    for start, first in enumerate(clauses):
        joined, weight = first, weights[start]
        for clause, more in zip(clauses[start + 1 :], weights[start + 1 :], strict=True):
            if len(joined) + 1 + len(clause) > room:
                break
            joined, weight = f"{joined} {clause}", weight + more
        if len(joined) <= room and weight > heaviest:
            best, heaviest = joined, weight
    shortened = _cut(sentence, room)
    return shortened if _weight(shortened, korean) >= heaviest else best.rstrip(",;:—– ")


def _weight(sentence: str, korean: bool) -> float:
    """How much a sentence tells: its names, numbers and things, more when it is about the one who speaks."""
    topics = ko_topics if korean else en_topics
    words = [word for said in sentence.split() if (word := _word(said, korean)).plain]
    plain = [word.plain for word in words]
    if topics.SMALL_TALK.issuperset(plain):  # also when there is no word at all
        return 0.0
    # the first word has its capital from the sentence
    weight = min(words[0].weight, 1.0) + sum([word.weight for word in words[1:]])
    if not topics.FIRST_PERSON.isdisjoint(plain):
        weight += 1.5
    return weight * (0.5 if sentence.endswith("?") else 1)


class _Word(NamedTuple):
    plain: str
    weight: float


@lru_cache(maxsize=16_384)
def _word(said: str, korean: bool) -> _Word:
    word = said.strip(_EDGES)
    plain = word.casefold()
    if any(sign.isdigit() for sign in word):
        return _Word(plain, 2.0)
    if not (korean_noun(word)[0] if korean else is_content(plain)):
        return _Word(plain, 0.0)
    return _Word(plain, 1.7 if word[0].isupper() and not korean else 1.0)


def _cut(text: str, room: int) -> str:
    """The beginning of a text, cut between words and never inside a character."""
    if len(text) <= room:
        return text
    end = max(room - len(_ELLIPSIS), 0)
    blank = text.rfind(" ", 0, end + 1)
    if blank > end // 2:
        end = blank
    while end > 0 and _holds_on(text[end], text[end - 1]):
        end -= 1
    return text[:end].rstrip(" ,;:") + _ELLIPSIS


def _holds_on(sign: str, before: str) -> bool:
    """Whether a character belongs to the one before it: accents, skin tones, joined emoji."""
    joined = unicodedata.combining(sign) or unicodedata.category(sign).startswith("M") or sign in _JOINING
    tone = "\U0001f3fb" <= sign <= "\U0001f3ff"
    flags = "\U0001f1e6" <= sign <= "\U0001f1ff" and "\U0001f1e6" <= before <= "\U0001f1ff"
    jamo = "\u1160" <= sign <= "\u11ff"
    return bool(joined) or tone or flags or jamo or before == "\u200d" or "\ud800" <= before <= "\udbff"
