"""Finds what several texts say again and again: one sentence in their own words, and how often it happened.

The texts may differ in one place, where they name different things: "카페에서 아메리카노 마심" and "카페에서 라떼
마심" are "카페에서 아메리카노, 라떼 마심 (2번)". What differs anywhere else is no repetition. What was only told
again is not counted: each event must have a time or a thing of its own, or be said to be one more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from celestial_engine.core.model.faithful import has_negation, kind_of
from celestial_engine.core.patterns import compiled
from celestial_engine.core.sameness.strip_time import times_in, without_times
from celestial_engine.core.text.english import is_adverb, verb_form
from celestial_engine.core.text.entities import korean_noun
from celestial_engine.core.text.hangul import with_particle
from celestial_engine.core.text.korean import nominals, qualities, verb_of, without_particle
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.sentences import sentences_of
from celestial_engine.core.text.stemming import stem
from celestial_engine.lang.en import distillation as en
from celestial_engine.lang.en import grammar as en_grammar
from celestial_engine.lang.ko import distillation as ko
from celestial_engine.lang.ko import grammar as ko_grammar
from celestial_engine.lang.ko import time as ko_time

_LONGEST = 60  # words of a text that is compared
_LONGEST_SLOT = 3  # words that name a thing
_EDGES = ".,!?…~·;:\"'“”‘’()ㅋㅎㅠㅜ"
_AGAIN = ko.AGAIN | en.AGAIN
_COUNT = r"\s\((?:(\d+) ?번|(\d+) times|(twice))\)$"


@dataclass(frozen=True)
class Repetition:
    """A sentence that several texts say, and how often it happened; 1 if that is not known."""

    sentence: str
    times: int

    @property
    def text(self) -> str:
        return with_count(self.sentence, self.times)


@dataclass(frozen=True)
class _Statement:
    """A text, prepared for comparison: its words, the times it names, and what it counts already."""

    words: list[str]
    when: tuple[str, ...]
    again: bool  # it says that it is one more time
    times: int
    comparable: bool

    @classmethod
    def read(cls, text: str) -> _Statement:
        timeless = without_times(text)
        sentence, times = without_count(timeless)
        words = sentence.split()
        counted_words = [word for word in words if _plain(word) not in _AGAIN] or words
        one = len(sentences_of(sentence)) == 1 and len(words) <= _LONGEST and not sentence.endswith("?")
        return cls(counted_words, times_in(text), len(counted_words) < len(words), times, one)


def with_count(sentence: str, times: int) -> str:
    """Appends how often it happened: "카페에 갔다 (3번)", "went to the cafe (twice)"."""
    if times < 2:
        return sentence
    korean = language_of(sentence) is Language.KO
    count = f"{times}번" if korean else "twice" if times == 2 else f"{times} times"
    return f"{sentence.rstrip('. ')} ({count})"


def without_count(text: str) -> tuple[str, int]:
    """Splits off a count; 1 if there is none."""
    match = compiled(_COUNT).search(text)
    if match is None:
        return text, 1
    return text[: match.start()], 2 if match[3] else int(match[1] or match[2])


class _Slot(NamedTuple):
    """Where texts differ: the words from `start` on, with `after` words after it."""

    start: int
    after: int


_OTHER = _Slot(-1, -1)


def repetition_in(texts: Sequence[str]) -> Repetition | None:
    """Returns what most of the texts say but for their times, if at least two say the same."""
    statements = [_Statement.read(text) for text in texts]
    groups = (
        (group, slot, index)
        for index, one in enumerate(statements)
        if one.comparable
        for group, slot in _groups_around(index, statements)
    )
    best = max(groups, key=lambda found: (len(found[0]), -len(statements[found[2]].words), -found[2]), default=None)
    if best is None or 2 * len(best[0]) < len(texts):
        return None
    members, slot, index = [statements[each] for each in best[0]], best[1], best[2]
    sentence = " ".join(_listed([one.words for one in members], statements[index].words, slot))
    counts = _happened(statements[index].words) or any(one.times > 1 for one in members)
    return Repetition(sentence, _times(members, slot) if counts else 1)


def _times(members: Sequence[_Statement], slot: _Slot | None) -> int:
    """Returns how many different events the texts tell of, as far as they show it."""
    counted = sum(one.times for one in members if one.times > 1)
    single = [one for one in members if one.times == 1]
    own = {(one.when, name) for one in single if (name := _named(one.words, slot)) or one.when}
    once_more = sum(one.again and not one.when for one in single)
    plain = any(not (one.again or one.when or _named(one.words, slot)) for one in single)
    first = plain and (not own or any(one.again for one in single))  # what is told again has happened before
    return max(1, counted + len(own) + once_more + first)


def _groups_around(index: int, statements: Sequence[_Statement]) -> Iterator[tuple[list[int], _Slot | None]]:
    """Yields the texts that say the same as this one, by the place where they differ."""
    same, by_slot = [index], dict[_Slot, list[int]]()
    for other, one in enumerate(statements):
        if other != index and one.comparable and (slot := _difference(statements[index].words, one.words)) != _OTHER:
            (same if slot is None else by_slot.setdefault(slot, [])).append(other)
    if len(same) > 1:
        yield sorted(same), None
    for slot, others in by_slot.items():
        yield sorted([*same, *others]), slot


def _difference(line: list[str], other: list[str]) -> _Slot | None:
    """Returns where two texts differ; None if nowhere, _OTHER if they do not say the same."""
    if not line or not other or has_negation(" ".join(line)) != has_negation(" ".join(other)):
        return _OTHER
    korean = language_of(" ".join(line)) is Language.KO
    key: Callable[[str], object] = _korean_key if korean else _english_key
    keys, others = [key(word) for word in line], [key(word) for word in other]
    if keys == others:
        return None
    start = _shared(keys, others)
    shortest = min(len(keys), len(others))
    after = min(_shared(keys[::-1], others[::-1]), shortest - start)
    if not korean:
        while start and _plain(line[start - 1]) in en_grammar.DETERMINERS:  # a latte and a mocha
            start -= 1
    slots = line[start : len(line) - after], other[start : len(other) - after]
    if not all(0 < len(slot) <= _LONGEST_SLOT for slot in slots):
        return _OTHER
    following = line[len(line) - after :]
    fits = _names_things_in_korean(*slots) if korean else _names_things_in_english(line[:start], slots, following)
    return _Slot(start, after) if fits and (after if korean else start) else _OTHER


def _shared(keys: Sequence[object], others: Sequence[object]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(keys, others, strict=False)))


def _names_things_in_korean(slot: list[str], other: list[str]) -> bool:
    particles = {_korean_key(words[-1])[1] for words in (slot, other)}
    words = [word.strip(_EDGES) for word in (*slot, *other)]
    return (
        len(particles) == 1
        and particles != {"subject"}
        and all(korean_noun(word)[0] and word not in ko_grammar.NEGATING_ADVERBS for word in words)
        and not any(word in ko_grammar.ADVERBS for word in words)
        and not any(mark in word for word in (*slot[:-1], *other[:-1]) for mark in ",;:")
    )


def _names_things_in_english(before: list[str], slots: Sequence[list[str]], after: list[str]) -> bool:
    words = [_plain(word) for slot in slots for word in slot]
    leads = _plain(before[-1]) if before else ""
    follows = _plain(after[0]) if after else ""
    return (
        (leads in en_grammar.PREPOSITIONS or verb_form(leads) is not None)
        and any(verb_form(_plain(word)) is not None for word in before)
        and (not follows or follows in en_grammar.PREPOSITIONS or slots[0][-1][-1:] in ",;")
        and not any(_is_grammatical(word) for word in words)
    )


def _is_grammatical(word: str) -> bool:
    return (
        word in en_grammar.PREPOSITIONS
        or word in en_grammar.PRONOUNS - en_grammar.POSSESSIVES
        or word in en_grammar.NEGATING
        or word in en_grammar.BE
        or word in ("and", "or", "but", "to")
        or is_adverb(word)
    )


@lru_cache(maxsize=16_384)
def _korean_key(word: str) -> tuple[str, str]:
    """Returns a word without its ending, and its role: particles of the same role are alike."""
    plain = word.strip(_EDGES)
    if plain in nominals() or (len(plain) > 2 and plain.endswith(ko.NOTE_ENDINGS)):
        return plain, "past f"  # notes tell what has happened
    verbs = verb_of(plain)
    noun, particle = without_particle(plain)
    if verbs and not (particle in ("을", "를", "에서") and korean_noun(plain)[0]):
        tense = "past" if verbs[0].shape == "p" else "present"
        return verbs[0].nominal, f"{tense} {verbs[0].ending.value}"
    return noun, ko.ROLES.get(particle, particle)


@lru_cache(maxsize=16_384)
def _english_key(word: str) -> tuple[str, bool]:
    """Returns a word in its base form, and whether it is past."""
    plain = _plain(word)
    form = verb_form(plain)
    return (stem(plain), False) if form is None else (form.base, "past" in form.kinds and "base" not in form.kinds)


def _plain(word: str) -> str:
    return word.strip(_EDGES).casefold()


# -- writing it ---------------------------------------------------------------------------------------


def _named(words: list[str], slot: _Slot | None) -> str:
    """Returns what a text names where the texts differ."""
    return "" if slot is None else " ".join(words[slot.start : len(words) - slot.after])


def _listed(lines: Sequence[list[str]], line: list[str], slot: _Slot | None) -> list[str]:
    """Returns the words of the sentence, with everything that was named where the texts differ."""
    if slot is None:
        return line
    named = [_named(each, slot) for each in lines]
    mark = compiled(r"[.,!?…]*$").search(line[len(line) - slot.after - 1])
    names = list(dict.fromkeys(name.rstrip(".,!?…") for name in named))
    korean = language_of(" ".join(line)) is Language.KO
    joined = _joined_in_korean(names) if korean else _joined_in_english(names)
    return [*line[: slot.start], joined + (mark[0] if mark else ""), *line[len(line) - slot.after :]]


def _joined_in_korean(names: Sequence[str]) -> str:
    """Joins nouns; the particle of the last one stands for all: 커피, 빵을."""
    return ", ".join([*(_noun(name) for name in names[:-1]), names[-1]])


def _noun(name: str) -> str:
    head, blank, last = name.rpartition(" ")
    return head + blank + without_particle(last).noun


def _joined_in_english(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _happened(line: list[str]) -> bool:
    """Whether a sentence tells an event, which can be counted; not a state, nor a habit."""
    if language_of(" ".join(line)) is Language.KO:
        last = line[-1].strip(_EDGES)
        name = _korean_key(line[-1])[0]
        if name in ko.NOT_COUNTED or name in qualities():
            return False
        noted = last in nominals() or last.endswith(ko.NOTE_ENDINGS)
        return noted or compiled(ko_time.PAST).search(last) is not None
    verbs = (form for word in line if (form := verb_form(_plain(word))) is not None)
    first = next(verbs, None)
    return (
        first is not None and "past" in first.kinds and "base" not in first.kinds and first.base not in en.NOT_COUNTED
    )


# -- saying it shorter --------------------------------------------------------------------------------


def with_kinds(text: str) -> str:
    """Replaces several things of one listed kind by the kind: 아메리카노, 라떼 -> 커피."""
    sentence, times = without_count(text)
    korean = language_of(sentence) is Language.KO
    pattern = ko.LIST if korean else en.LIST
    shorter = compiled(pattern, re.IGNORECASE).sub(_kind_in_korean if korean else _kind_in_english, sentence)
    return with_count(shorter, times)


def _kind_in_korean(match: re.Match[str]) -> str:
    names = [name.strip() for name in match[0].split(",")]
    noun, particle = without_particle(names[-1])
    kinds = {kind_of(name) for name in (*names[:-1], noun)}
    kind = kinds.pop() if len(kinds) == 1 else ""
    if not kind:
        return match[0]
    return with_particle(kind, ko.PAIRS[particle]) if particle in ko.PAIRS else kind + particle


def _kind_in_english(match: re.Match[str]) -> str:
    names = [compiled(r"^(?:an?|the|some|my)\s+").sub("", name.strip()) for name in re.split(", | and ", match[0])]
    kinds = {kind_of(name) for name in names}
    kind = kinds.pop() if len(kinds) == 1 else ""
    return kind or match[0]
