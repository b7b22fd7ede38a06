"""Finds emotion words in an English sentence, with negation, degree and contrast around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from celestial_engine.core.emotion.words import NOTHING, EmotionHit, Sense, factors, senses
from celestial_engine.lang.en import emotion as en_emotion

_WORD = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?")
_DRAWN_OUT = re.compile(r"(.)\1{2,}")
_BREAK = re.compile(r"[,.;:!?()\n]|--|—")
_REACH = 6  # most words that a negator affects
_BEFORE = 3  # words before an emotion word that raise or lower it
_SHOUTED = 1.25
_SUPPOSED = 0.7
_EARLIER, _LATER = 0.5, 1.2  # before and after a "but"
_LEAST = 0.3  # the lowest factor of an emotion word
_LONGEST_WORD = 30


class _Tables(NamedTuple):
    words: dict[str, Sense]
    inflected: dict[str, Sense]  # words that also match their inflections
    phrases: dict[str, list[tuple[tuple[str, ...], Sense]]]
    factors: dict[str, float]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    words: dict[str, Sense] = {}
    inflected: dict[str, Sense] = {}
    phrases: dict[str, list[tuple[tuple[str, ...], Sense]]] = {}
    entries = senses(en_emotion.FEELINGS, en_emotion.DENIED, en_emotion.STEADFAST)
    entries |= dict.fromkeys(en_emotion.NOTHING_FELT.split(), NOTHING)
    for entry, sense in entries.items():
        exact, word = entry.startswith("="), entry.removeprefix("=")
        if "_" in word:
            first, *rest = word.split("_")
            phrases.setdefault(first, []).append((tuple(rest), sense))
        else:
            words[word] = sense
            if not exact:
                inflected[word] = sense
    for candidates in phrases.values():
        candidates.sort(key=lambda phrase: -len(phrase[0]))
    return _Tables(words, inflected, phrases, factors(en_emotion.RAISING, en_emotion.LOWERING))


@lru_cache(maxsize=16_384)
def _sense_of(word: str) -> Sense | None:
    tables = _tables()
    if len(word) > _LONGEST_WORD:
        return None
    sense = tables.words.get(word)
    if sense is None:
        sense = next((known for base in _bases(word) if (known := tables.inflected.get(base))), None)
    if sense is None and _DRAWN_OUT.search(word):  # soooo goooood
        return _sense_of(_DRAWN_OUT.sub(r"\1\1", word)) or _sense_of(_DRAWN_OUT.sub(r"\1", word))
    return sense


def _bases(word: str) -> Iterator[str]:
    """Yields possible base forms: delighted -> delight, hoping -> hope, happily -> happy."""
    if word.endswith("'s"):
        yield word[:-2]
    for ending in en_emotion.ENDINGS:
        if not word.endswith(ending) or len(word) < len(ending) + 2:
            continue
        base = word[: -len(ending)]
        yield base
        if base[-1] == "i":
            yield base[:-1] + "y"
        elif ending[0] in "ei":  # hop(e) + ed, bor(e) + ing, hug(g) + ing
            yield base + "e"
            if len(base) > 3 and base[-1] == base[-2]:
                yield base[:-1]


def hits_in(sentence: str, plainly: bool = False) -> Iterator[EmotionHit]:
    """Yields the emotion words of a sentence; `plainly` ignores the words around them."""
    matches = list(_WORD.finditer(sentence))
    if not matches:
        return
    words = [match.group().lower() for match in matches]
    table, cut, quiet = _tables().factors, _contrast(words), not sentence.isupper()
    negated_until, clause, supposed_factor = -1, 0, 1.0
    index, end = 0, 0
    while index < len(words):
        start = matches[index].start()
        if start > end + 1 and _BREAK.search(sentence, end, start):
            negated_until, clause, supposed_factor = -1, index, 1.0
        size, sense = _phrase_at(words, index)
        if size == 1 and words[index] in en_emotion.NEGATORS:
            negated_until = index + _REACH if words[index + 1 : index + 2] != ["only"] else -1
        elif sense is None and _ends_clause(words, index):
            negated_until, clause = -1, index + 1
        if words[index] in en_emotion.SUPPOSING:
            supposed_factor = _SUPPOSED
        end = matches[index + size - 1].end()
        if sense is not None and sense.emotions:
            word = sentence[start:end]
            if plainly:
                yield EmotionHit(start, word, sense, 1.0)
            else:
                factor = supposed_factor * _degree(words[max(clause, index - _BEFORE) : index], table)
                if quiet and len(word) > 2 and word.isupper():
                    factor *= _SHOUTED
                if cut is not None:
                    factor *= _EARLIER if (index < cut.at) != cut.conceding else _LATER
                yield EmotionHit(start, word, sense.turned() if index <= negated_until else sense, factor)
        index += size


def _phrase_at(words: list[str], index: int) -> tuple[int, Sense | None]:
    """Returns the length of the phrase at this index, and its sense."""
    for rest, sense in _tables().phrases.get(words[index], ()):
        if tuple(words[index + 1 : index + 1 + len(rest)]) == rest:
            return 1 + len(rest), sense
    return 1, _sense_of(words[index])


def _ends_clause(words: list[str], index: int) -> bool:
    word, following = words[index], words[index + 1 : index + 2]
    if word == "and":
        return bool(following) and following[0] in en_emotion.AND_BEGINS
    return word in en_emotion.SCOPE_ENDS or word in en_emotion.CONTRASTS


def _degree(before: list[str], table: dict[str, float]) -> float:
    return max(_LEAST, 1.0 + sum(table.get(word, 0.0) for word in before))


class _Contrast(NamedTuple):
    at: int
    conceding: bool


def _contrast(words: list[str]) -> _Contrast | None:
    """Finds the contrast of a sentence: text after "but" weighs more, text after "although" less."""
    for index in range(len(words) - 1, -1, -1):
        if words[index] in en_emotion.CONTRASTS and words[index + 1 : index + 2] != ["also"]:
            return _Contrast(index, words[index] in en_emotion.CONCEDING and index > 0)
    return None
