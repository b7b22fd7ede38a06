"""The words of a Korean sentence that tell how it feels, with what stands around them.

Korean glues endings to stems and people leave out spaces, so words are looked for at every syllable: the longest
known form that begins there counts, and what it covers is not looked at again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from celestial_engine.core.emotion.words import NOTHING, EmotionHit, Sense, factors, senses
from celestial_engine.core.text.hangul import conjugated, is_hangul
from celestial_engine.lang.ko import emotion as ko_emotion

_BEFORE = 12  # characters before a feeling that may raise, lower or deny it
_AFTER = 14
_SUPPOSED = 0.7
_LEAST = 0.3  # what is left of a feeling however much it is lowered
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
    lengths: dict[str, tuple[int, ...]]  # of the forms that begin with one or two syllables, longest first
    factors: dict[str, float]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    forms: dict[str, _Form] = {}
    known = senses(ko_emotion.FEELINGS, ko_emotion.DENIED)
    known |= dict.fromkeys(ko_emotion.NOTHING_FELT.split(), NOTHING)
    for entry, sense in sorted(known.items(), key=lambda each: "-" in each[0]):  # what is written out comes first
        for form in _forms_of(entry.removeprefix("^")):
            anywhere = len(form) > 1 and not entry.startswith("^")
            forms.setdefault(form, _Form(sense, anywhere))
    lengths: dict[str, set[int]] = {}
    for form in forms:
        lengths.setdefault(form[:2], set()).add(len(form))
    for beginning, found in lengths.items():  # where no longer form stands, one of a single syllable may
        found |= {1} & lengths.get(beginning[0], set())
    return _Tables(
        forms,
        {beginning: tuple(sorted(found, reverse=True)) for beginning, found in lengths.items()},
        factors(ko_emotion.RAISING, ko_emotion.LOWERING),
    )


def _forms_of(entry: str) -> set[str]:
    if entry.endswith("-"):
        stem = entry[:-1]
        irregular = stem[-1] if not is_hangul(stem[-1]) else ""
        return {form for _, form in conjugated(stem.rstrip(irregular) if irregular else stem, irregular)[1]}
    return {entry.replace("_", " "), entry.replace("_", "")}


def hits_in(sentence: str, plainly: bool = False) -> Iterator[EmotionHit]:
    """The words of a sentence that tell of a mood; `plainly` without a look at what stands around them."""
    found = list(_found(sentence))
    if plainly or not found:
        yield from found
        return
    table = _tables().factors
    cut = _last_contrast(sentence)
    supposed = _SUPPOSED if _SUPPOSING.search(sentence) else 1.0
    for start, word, sense, _, _ in found:
        before = sentence[max(0, start - _BEFORE) : start]
        factor = supposed * _raised(before, table)
        if cut is not None:
            factor *= _EARLIER if start < cut else _LATER
        denied = _denied(before, sentence, start + len(word))
        yield EmotionHit(start, word, sense.turned() if denied else sense, factor)


def _found(sentence: str) -> Iterator[EmotionHit]:
    """The longest known form at each place, from left to right; none inside another."""
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


def _raised(before: str, table: dict[str, float]) -> float:
    """By the last two words before a feeling."""
    return max(_LEAST, 1.0 + sum(table.get(word, 0.0) for word in before.split()[-2:]))


def _last_contrast(sentence: str) -> int | None:
    found = None
    for match in _CONTRAST.finditer(sentence):
        found = match.end()
    return found
