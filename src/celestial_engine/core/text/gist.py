"""The gist of a memory (level 1): its one or two most informative sentences, verbatim."""

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

_READ_CHARACTERS = 8_000
_ELLIPSIS = "…"
_EDGES = ".,!?…~:;\"'()[]“”‘’ㅋㅎㅠㅜ^*-"
_CLAUSE = (
    r"(?<=[,;:—–])\s+|(?<!\s)\s+(?=(?:but|because|so|which|while|and|though|although)\s)|(?<=[가-힣][고서만데며])\s+"
)
_JOINING = "\u200d\ufe0e\ufe0f"


def gist_of(text: str, most: int = 100) -> str:
    """Returns the most informative part of a text in at most `most` characters; a short text unchanged."""
    whole = " ".join(text.split())
    if len(whole) <= most:
        return whole
    turn = read_turn(text[:_READ_CHARACTERS])
    prefix = f"{turn.speaker}: " if turn.speaker and len(turn.speaker) + 2 < most // 2 else ""
    room = most - len(prefix)
    units = [" ".join(sentence.split()) for sentence in sentences_of(turn.text)]
    korean = language_of(turn.text) is Language.KO
    return prefix + (_best_sentences(units, room, korean) or _cut(" ".join(turn.text.split()) or whole, room))


def _best_sentences(units: list[str], room: int, korean: bool) -> str:
    """Returns the most informative sentences that fit, in order; of a too long sentence its best clauses."""
    weighed = sorted(((weight_of(unit, korean), -index) for index, unit in enumerate(units)), reverse=True)
    weighed = [pair for pair in weighed if pair[0] > 0] or weighed[:1]
    if not weighed:
        return ""
    first = units[-weighed[0][1]]
    if len(first) > room:
        return _best_clauses(first, room, korean)
    taken = {-weighed[0][1]}
    for _, index in weighed[1:]:
        if sum(len(units[i]) + 1 for i in taken) + len(units[-index]) <= room:
            taken.add(-index)
    return " ".join(units[index] for index in sorted(taken))


def _best_clauses(sentence: str, room: int, korean: bool) -> str:
    """Returns the run of clauses with the highest weight that fits, or the beginning of the sentence."""
    clauses = compiled(_CLAUSE).split(sentence)
    weights = [weight_of(clause, korean) for clause in clauses]
    best, heaviest = "", 0.0
    for start, first in enumerate(clauses):
        joined, weight = first, weights[start]
        for clause, added in zip(clauses[start + 1 :], weights[start + 1 :], strict=True):
            if len(joined) + 1 + len(clause) > room:
                break
            joined, weight = f"{joined} {clause}", weight + added
        if len(joined) <= room and weight > heaviest:
            best, heaviest = joined, weight
    shortened = _cut(sentence, room)
    return shortened if weight_of(shortened, korean) >= heaviest else best.rstrip(",;:—– ")


def weight_of(sentence: str, korean: bool) -> float:
    """Weighs a sentence by its names, numbers and nouns; more if it is about the speaker."""
    topics = ko_topics if korean else en_topics
    words = [word for token in sentence.split() if (word := _word(token, korean)).plain]
    plain = [word.plain for word in words]
    if topics.SMALL_TALK.issuperset(plain):  # also if there are no words
        return 0.0
    # the first word is always capitalised
    weight = min(words[0].weight, 1.0) + sum([word.weight for word in words[1:]])
    if not topics.FIRST_PERSON.isdisjoint(plain):
        weight += 1.5
    return weight * (0.5 if sentence.endswith("?") else 1)


class _Word(NamedTuple):
    plain: str
    weight: float


@lru_cache(maxsize=16_384)
def _word(token: str, korean: bool) -> _Word:
    word = token.strip(_EDGES)
    plain = word.casefold()
    if any(sign.isdigit() for sign in word):
        return _Word(plain, 2.0)
    if not (korean_noun(word)[0] if korean else is_content(plain)):
        return _Word(plain, 0.0)
    return _Word(plain, 1.7 if word[0].isupper() and not korean else 1.0)


def _cut(text: str, room: int) -> str:
    """Returns the beginning of a text, cut between words and never inside a grapheme."""
    if len(text) <= room:
        return text
    end = max(room - len(_ELLIPSIS), 0)
    blank = text.rfind(" ", 0, end + 1)
    if blank > end // 2:
        end = blank
    while end > 0 and _joins_previous(text[end], text[end - 1]):
        end -= 1
    return text[:end].rstrip(" ,;:") + _ELLIPSIS


def _joins_previous(sign: str, before: str) -> bool:
    """Whether a character combines with the one before it: accents, skin tones, joined emoji."""
    joined = unicodedata.combining(sign) or unicodedata.category(sign).startswith("M") or sign in _JOINING
    tone = "\U0001f3fb" <= sign <= "\U0001f3ff"
    flags = "\U0001f1e6" <= sign <= "\U0001f1ff" and "\U0001f1e6" <= before <= "\U0001f1ff"
    jamo = "\u1160" <= sign <= "\u11ff"
    return bool(joined) or tone or flags or jamo or before == "\u200d" or "\ud800" <= before <= "\udbff"
