"""Korean notes: predicates in their noun form (싫어함, 먹음, 작성됨), times, ages and counted things."""

from __future__ import annotations

from functools import lru_cache

from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.hangul import LM, M, batchim
from celestial_engine.core.text.korean import LIGHT, ONE_SYLLABLE_ROOTS, Ending, Verb, nominals, qualities, verb_of
from celestial_engine.lang.ko import grammar as ko_grammar
from celestial_engine.lang.ko import notes as ko_notes

_LONGEST_WORD = 24
_LIGHT_ENDINGS = tuple(sorted(LIGHT, key=len, reverse=True))


@lru_cache(maxsize=16_384)
def noun_form(word: str, *, ambiguous: bool = False) -> Verb | None:
    """Returns the predicate that a word is the noun form of: 싫어함, 공부함, 까다로움; None for nouns.

    `ambiguous` also accepts words that are nouns first: 풍경을 그림, 제주도에 감.
    """
    if batchim(word) not in (M, LM) or len(word) > _LONGEST_WORD or not word.isalpha():
        return None
    noun = word in ko_notes.NOUNS or (len(word) == 1 and word not in ko_notes.SHORT_PREDICATES)
    if noun and not ambiguous:
        return None
    if word[-1] == "심" and len(word) > 2 and any(verb.shape == "e" for verb in verb_of(word[:-1] + "며")):
        return Verb(word, Ending.HONORIFIC, "m", "")  # 돌아가심
    known = word in nominals() or _is_light(word) or word.endswith(ko_notes.PREDICATE_ENDINGS)
    return Verb(word, Ending.FINAL, "m", "") if known else None


def _is_light(word: str) -> bool:
    """Whether a word is a noun and a light verb: 공부함, 작성됨, 잘함."""
    for ending in _LIGHT_ENDINGS:
        root = word.removesuffix(ending)
        if root != word and (len(root) > 1 or root in ONE_SYLLABLE_ROOTS):
            return True
    return False


@lru_cache(maxsize=16_384)
def is_time(phrase: str) -> bool:
    """Whether every word of a phrase is a time: 다음 주 화요일, 2024년 3월, 3년 전."""
    words = phrase.split()
    return bool(words) and not without_times(words) and words[-1] not in ko_notes.TIME_LEADS


def without_times(words: list[str]) -> list[str]:
    """Drops the times that a phrase begins with: 다음 주 회의 -> 회의."""
    start = 0
    while start < len(words):
        word = words[start]
        if _is_dated(word) or (start and word in ko_notes.TIME_PARTS):
            start += 1
        elif (
            word in ko_notes.TIME_LEADS
            and start + 1 < len(words)
            and (_is_dated(words[start + 1]) or words[start + 1] in ko_notes.TIME_PARTS)
        ):
            start += 2
        else:
            break
    return words[start:]


@lru_cache(maxsize=16_384)
def _is_dated(word: str) -> bool:
    return word in ko_notes.TIMES or compiled(ko_notes.DATED).fullmatch(word) is not None


def is_age(value: str) -> bool:
    return compiled(ko_notes.AGE).fullmatch(value) is not None


def attribute_of(value: str, attribute: str) -> str:
    """Returns the attribute that a value belongs to: an age after 생일 is 나이."""
    return "나이" if attribute in ko_notes.DATES and is_age(value) else attribute


def is_number(word: str) -> bool:
    """Whether a word is a number before a counter: 두 (마리), 3 (명)."""
    return word in ko_notes.NUMERALS or (word.isdecimal() and len(word) < 5)


def is_quality(nominal: str) -> bool:
    """Whether it describes its subject and needs no object: 비쌈, 높음; but not 있음 or 좋음, which have an owner."""
    return nominal in qualities() and nominal not in ko_grammar.OF_ITS_SUBJECT | ko_grammar.STATES
