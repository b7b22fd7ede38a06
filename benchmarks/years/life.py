"""A simulated life: what somebody tells over the years, week by week, in sentences written by hand.

`en.tsv` and `ko.tsv` hold address, kind, value and text. Nothing is trained or tuned on them.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

LANGUAGES = ("en", "ko")
_HERE = Path(__file__).parent
_WEEKS_A_YEAR = 52
_ADDRESSES = 9  # of one person
_STILL_TRUE, _QUESTIONS_UNKNOWN = 8, 4


class Sentence(NamedTuple):
    """One line of the files: what it is about, how it says it, which value it states."""

    address: str
    kind: str
    value: str
    text: str


@dataclass(frozen=True)
class Told:
    """What a person says in one week, and whether that value is told for the first time since another one."""

    week: int
    sentence: Sentence
    changes: bool


@dataclass(frozen=True)
class Life:
    """One person's years: what is told when, the questions, and the weeks without a word."""

    name: str
    language: str
    told: tuple[Told, ...]
    questions: dict[str, tuple[str, ...]]
    unknown: tuple[str, ...]
    away: frozenset[int]
    weeks: int

    def at(self, week: int) -> Iterator[Told]:
        return (told for told in self.told if told.week == week)


def sentences(language: str) -> list[Sentence]:
    lines = (_HERE / f"{language}.tsv").read_text(encoding="utf-8").splitlines()
    return [Sentence(*line.split("\t")) for line in lines if line]


def life(number: int, language: str, years: int, seed: int) -> Life:
    """Returns one life; the same numbers give the same life."""
    chance = random.Random(f"{seed}-{language}-{number}")
    by_address: defaultdict[str, list[Sentence]] = defaultdict(list)
    for sentence in sentences(language):
        by_address[sentence.address].append(sentence)
    loose = {name: by_address.pop(name) for name in ("passing", "still", "unknown")}
    weeks = years * _WEEKS_A_YEAR
    away = _absences(chance, weeks)
    present = [week for week in range(1, weeks - 2) if week not in away]
    told = [
        Told(chance.choice(present[:20]), sentence, False) for sentence in chance.sample(loose["still"], _STILL_TRUE)
    ]
    told += [Told(week, chance.choice(loose["passing"]), False) for week in present if chance.random() < 0.15]
    questions: dict[str, tuple[str, ...]] = {}
    for place, address in enumerate(chance.sample(sorted(by_address), _ADDRESSES)):
        own = by_address[address]
        questions[address] = tuple(one.text for one in own if one.kind == "question")
        revisions = 90 if place == 0 and number % 10 == 0 else chance.choice((0, 1, 1, 2, 2, 3, 4, 6))
        told += _told_at(chance, own, revisions, present)
    unknown = tuple(one.text for one in chance.sample(loose["unknown"], _QUESTIONS_UNKNOWN))
    told.sort(key=lambda one: one.week)
    return Life(f"{language}-{number}", language, tuple(told), questions, unknown, away, weeks)


def _told_at(chance: random.Random, own: list[Sentence], revisions: int, present: list[int]) -> Iterator[Told]:
    """Yields the values of one address in time: first told, changed, repeated."""
    values = sorted({one.value for one in own if one.kind == "explicit"})
    moments = sorted(chance.sample(present, min(revisions + 1, len(present))))
    value: str | None = None
    for count, week in enumerate(moments):
        value = chance.choice([one for one in values if one != value])
        stated = [one for one in own if one.value == value]
        kind = "explicit" if count == 0 or chance.random() < 0.5 else "free"
        yield Told(week, chance.choice([one for one in stated if one.kind == kind]), count > 0)
        following = moments[count + 1] if count + 1 < len(moments) else present[-1] + 1
        again = [later for later in present if week + 3 <= later < following]
        if again and chance.random() < 0.4:
            yield Told(chance.choice(again), next(one for one in stated if one.kind == "repeat"), False)


def _absences(chance: random.Random, weeks: int) -> frozenset[int]:
    away: set[int] = set()
    for _ in range(weeks // 150):
        start = chance.randrange(20, weeks - 40)
        away.update(range(start, start + chance.randrange(8, 36)))
    return frozenset(away)
