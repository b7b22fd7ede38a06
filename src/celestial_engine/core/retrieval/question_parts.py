"""What a question asks about, for judging whether a memory answers it: its content words, people, kind of answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from celestial_engine.core.patterns import compiled, has_either
from celestial_engine.core.retrieval.bm25 import rarity
from celestial_engine.core.retrieval.signals import Question
from celestial_engine.core.text.entities import korean_noun
from celestial_engine.core.text.hangul import batchim, is_hangul
from celestial_engine.core.text.korean import verb_of, without_particle
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.words import index_words, query_words
from celestial_engine.lang.en import questions as en_questions
from celestial_engine.lang.en import words as en_words
from celestial_engine.lang.ko import questions as ko_questions
from celestial_engine.lang.ko import words as ko_words

_READ_CHARACTERS = 1_000
_MOST_WORDS = 24
_MOST_BARE = 4
_OTHER_MEMORIES = 100
_LATIN = r"[a-z0-9]+"
_KOREAN_WORD = r"[가-힣]+"
_DIGIT = r"\d"


@dataclass(frozen=True)
class QuestionParts:
    """The parts of a question that an answer has to match."""

    words: Mapping[str, float]  # content words, and how rare each is among the owner's memories
    unknown: float  # share of the rarity of words that no memory has
    relatives: frozenset[str]  # groups of people and animals that it names
    about_self: bool
    needs_time: bool
    needs_number: bool
    is_bare: bool  # keywords or a name, not a sentence
    language: Language

    @property
    def rarity(self) -> float:
        return sum(self.words.values())

    @classmethod
    def read(cls, question: Question, rarities: Mapping[str, float], memories: int) -> QuestionParts:
        """Parses a question; `rarities`: the weights of its search words, `memories`: how many the owner has."""
        text = question.text[:_READ_CHARACTERS].casefold()
        words = {word: _rarity_of(word, rarities, memories) for word in content_words(text)}
        whole, most = sum(words.values()), _smoothed(rarity(0, memories), memories)
        return cls(
            words,
            sum(value for value in words.values() if value >= most - 1e-6) / whole if whole else 0.0,
            relatives_in(text),
            has_either(text, en_questions.SELF, ko_questions.SELF),
            question.asks_when or has_either(text, en_questions.ASKS_DATE, ko_questions.ASKS_DATE),
            (question.asks_amount and not has_either(text, en_questions.ASKS_HOW_OFTEN, ko_questions.ASKS_HOW_OFTEN))
            or has_either(text, en_questions.ASKS_NUMBER, ko_questions.ASKS_NUMBER),
            is_bare(text),
            language_of(text),
        )

    def covered(self, text: str, text_words: frozenset[str]) -> list[float]:
        """Returns the rarities of the content words that a text has; Korean nouns may be parts of longer words."""
        return [value for word, value in self.words.items() if _occurs(word, text, text_words)]


@lru_cache(maxsize=256)
def content_words(text: str) -> tuple[str, ...]:
    """Returns the words of a question that say what it is about: stems in English, nouns and stems in Korean."""
    words: dict[str, None] = {}
    latin = [word for word in compiled(_LATIN).findall(text) if word not in en_words.STOP_WORDS]
    for word in query_words(" ".join(latin)):
        if word not in en_questions.GENERIC:
            words[word] = None
    for run in [] if text.isascii() else compiled(_KOREAN_WORD).findall(text):
        if word := _korean_content(run):
            words[word] = None
    return tuple(words)[:_MOST_WORDS]


def is_bare(text: str) -> bool:
    """Whether a lower-case query is a few keywords or a name, and not a sentence."""
    words = compiled(r"[^\W_]+").findall(text)
    return 0 < len(words) <= _MOST_BARE and (
        len(words) == 1
        or not any(word in en_words.STOP_WORDS or (not word.isascii() and _asks_or_is_self(word)) for word in words)
    )


@lru_cache(maxsize=16_384)
def _korean_content(run: str) -> str:
    if _asks_or_is_self(run):
        return ""
    run = compiled(ko_questions.POSSESSIVE).sub("", run, count=1)
    noun = korean_noun(run)[0].rpartition(" ")[2]
    if noun:
        return noun
    if len(run) > 2 and (verb := next(iter(verb_of(run)), None)) is not None:
        stem = _common_start(run, verb.nominal) or run[0]  # 살았어: 삶 begins with another syllable
        return stem if len(stem) > 1 or (batchim(stem) and stem not in ko_questions.VAGUE_STEMS) else ""
    plain = without_particle(run).noun
    return plain if len(plain) > 1 else ""


def _asks_or_is_self(run: str) -> bool:
    patterns = ko_words.SELF_WORDS, ko_words.QUESTION_WORDS
    return any(compiled(pattern).fullmatch(run) for pattern in patterns)


def _common_start(one: str, other: str) -> str:
    size = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return one[:size]


def _rarity_of(word: str, rarities: Mapping[str, float], memories: int) -> float:
    """Korean words are indexed in pairs of syllables: the rarest pair counts."""
    if word in rarities:
        return _smoothed(rarities[word], memories)
    pairs = [rarities[pair] for pair in index_words(word)[:-1] if pair in rarities] if is_hangul(word[:1]) else []
    return _smoothed(max(pairs, default=0.5 * rarity(0, memories)), memories)


def _smoothed(value: float, memories: int) -> float:
    """Returns the rarity as if there were many more memories without the word: a few say little about rare words."""
    having = (memories + 1) / math.exp(value) - 0.5
    return rarity(max(0.0, having), memories + _OTHER_MEMORIES)


def _occurs(word: str, text: str, text_words: frozenset[str]) -> bool:
    if not is_hangul(word[:1]):
        return word in text_words
    if len(word) > 1:
        return word in text
    return any(run.startswith(word) for run in compiled(_KOREAN_WORD).findall(text))


def relatives_in(text: str) -> frozenset[str]:
    """Returns the groups of people and animals that a text names."""
    groups: set[str] = set()
    known = _groups()
    for word in compiled(r"[a-z]+").findall(text):
        groups.update(known.get(word, ()))
    for run in [] if text.isascii() else compiled(_KOREAN_WORD).findall(text):
        noun = without_particle(run).noun
        groups.update(known.get(noun) or known.get(noun.rstrip("은는이가도의랑")) or ())
    return frozenset(groups)


@lru_cache(maxsize=1)
def _groups() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for known in (en_questions, ko_questions):
        for prefix, entries in (("person", known.PEOPLE), ("animal", known.ANIMALS)):
            named = {entry.split()[0]: f"{prefix}:{entry.split()[0]}" for entry in entries}
            for entry in entries:
                for word in entry.split():
                    table[word] = (named[entry.split()[0]],)
        for word, members in known.SEVERAL.items():
            table[word] = tuple(dict.fromkeys(group for member in members.split() for group in table.get(member, ())))
    return table


def contradicts(question_groups: frozenset[str], text_groups: frozenset[str]) -> bool:
    """Whether a text speaks only of other people or animals than those that a question names."""
    if not question_groups or question_groups & text_groups:
        return False
    kinds = {group.partition(":")[0] for group in question_groups}
    return any(group.partition(":")[0] in kinds for group in text_groups)


def tells_time(text: str) -> bool:
    return (
        has_either(text, en_questions.TELLS_TIME, ko_questions.TELLS_TIME)
        or compiled(_DIGIT).search(text) is not None
    )


def tells_number(text: str) -> bool:
    return has_either(text, en_questions.TELLS_AMOUNT, ko_questions.TELLS_AMOUNT) or has_either(
        text, en_questions.NUMBER_WORDS, ko_questions.NUMBER_WORDS
    )
