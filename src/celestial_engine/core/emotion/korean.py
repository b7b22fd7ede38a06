"""Finds emotion words in a Korean sentence, with negation, degree and contrast around them.

Korean attaches endings to stems and people omit spaces, so every syllable may begin a word: the longest known form
there counts, and what it covers is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from celestial_engine.core.emotion.words import NOTHING, EmotionHit, Sense, factors, senses
from celestial_engine.core.text.hangul import conjugated, is_hangul
from celestial_engine.lang.ko import emotion as ko_emotion

_BEFORE = 12  # characters before an emotion word that may raise, lower or negate it
_AFTER = 14
_SUPPOSED = 0.7
_LEAST = 0.3  # the lowest factor of an emotion word
_EARLIER, _LATER = 0.7, 1.2
_DENIED_BEFORE = re.compile(ko_emotion.DENIED_BEFORE)
_DENIED_AFTER = re.compile(ko_emotion.DENIED_AFTER)
_CONTRAST = re.compile(ko_emotion.CONTRASTS)
_SUPPOSING = re.compile(ko_emotion.SUPPOSING)


class _Form(NamedTuple):
    sense: Sense
    anywhere: bool


class _Tables(NamedTuple):
    forms: dict[str, _Form]
    lengths: dict[str, tuple[int, ...]]  # first one or two syllables -> lengths of the forms, longest first
    factors: dict[str, float]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    forms: dict[str, _Form] = {}
    entries = senses(ko_emotion.FEELINGS, ko_emotion.DENIED)
    entries |= dict.fromkeys(ko_emotion.NOTHING_FELT.split(), NOTHING)
    for entry, sense in sorted(
        entries.items(), key=lambda each: "-" in each[0]
    ):  # explicit forms take precedence over conjugated ones
        for form in _forms_of(entry.removeprefix("^")):
            anywhere = len(form) > 1 and not entry.startswith("^")
            forms.setdefault(form, _Form(sense, anywhere))
    lengths: dict[str, set[int]] = {}
    for form in forms:
        lengths.setdefault(form[:2], set()).add(len(form))
    for beginning, sizes in lengths.items():  # fall back to a form of one syllable
        sizes |= {1} & lengths.get(beginning[0], set())
    return _Tables(
        forms,
        {beginning: tuple(sorted(sizes, reverse=True)) for beginning, sizes in lengths.items()},
        factors(ko_emotion.RAISING, ko_emotion.LOWERING),
    )


def _forms_of(entry: str) -> set[str]:
    if entry.endswith("-"):
        stem = entry[:-1]
        irregular = stem[-1] if not is_hangul(stem[-1]) else ""
        return {form for _, form in conjugated(stem.rstrip(irregular) if irregular else stem, irregular)[1]}
    return {entry.replace("_", " "), entry.replace("_", "")}


def hits_in(sentence: str, plainly: bool = False) -> Iterator[EmotionHit]:
    """Yields the emotion words of a sentence; `plainly` ignores the words around them."""
    hits = list(_longest_forms(sentence))
    if plainly or not hits:
        yield from hits
        return
    table = _tables().factors
    cut = _last_contrast(sentence)
    supposed = _SUPPOSED if _SUPPOSING.search(sentence) else 1.0
    for start, word, sense, _, _ in hits:
        before = sentence[max(0, start - _BEFORE) : start]
        factor = supposed * _degree(before, table)
        if cut is not None:
            factor *= _EARLIER if start < cut else _LATER
        denied = _denied(before, sentence, start + len(word))
        yield EmotionHit(start, word, sense.turned() if denied else sense, factor)


def _longest_forms(sentence: str) -> Iterator[EmotionHit]:
    """Yields the longest known form at each position, left to right, without overlaps."""
    forms, lengths, _ = _tables()
    end = 0
    for index in [at for at, first in enumerate(sentence) if sentence[at : at + 2] in lengths or first in lengths]:
        if index < end:
            continue
        for length in lengths.get(sentence[index : index + 2]) or lengths[sentence[index]]:
            form = forms.get(sentence[index : index + length])
            if form is not None and (form.anywhere or index == 0 or not is_hangul(sentence[index - 1])):
                end = index + length
                if form.sense.emotions:
                    yield EmotionHit(index, sentence[index:end].rstrip(), form.sense, 1.0)
                break


def _denied(before: str, sentence: str, end: int) -> bool:
    return bool(_DENIED_BEFORE.search(before) or _DENIED_AFTER.match(sentence, end, end + _AFTER))


def _degree(before: str, table: dict[str, float]) -> float:
    """Returns the factor of the last two words before an emotion word."""
    return max(_LEAST, 1.0 + sum(table.get(word, 0.0) for word in before.split()[-2:]))


def _last_contrast(sentence: str) -> int | None:
    end = None
    for match in _CONTRAST.finditer(sentence):
        end = match.end()
    return end
