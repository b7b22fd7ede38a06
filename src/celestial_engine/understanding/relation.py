"""How a newer statement relates to an older one of the same person: the features that all judges of pairs share.

What the newer text says about change is read from its words, once; of the older one only its stored labels and words
are needed, so that many can be compared quickly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import log
from typing import NamedTuple

from celestial_engine.core.record.labels import Attribute, Lifetime, Subject
from celestial_engine.core.record.reading import Change

# A person has one of these at a time.
ONE_AT_A_TIME = frozenset(
    {
        Attribute.NAME, Attribute.AGE, Attribute.BIRTHDAY, Attribute.ORIGIN, Attribute.HOME, Attribute.BODY,
        Attribute.PARTNER, Attribute.WORK, Attribute.EMPLOYER, Attribute.STUDY, Attribute.DIET, Attribute.COMMUTE,
        Attribute.VEHICLE, Attribute.DEVICE, Attribute.BELIEF, Attribute.SCHEDULE, Attribute.MONEY,
        Attribute.MEDICINE,
    }
)  # fmt: skip
_ATTRIBUTES = tuple(Attribute)
_NUMBER = re.compile(r"\d+")
_LEAST = 0.01  # probabilities below it count as it
_LEAST_ODDS, _MOST_ODDS = -10.0, 6.0


# Names of `features`, in their order.
FEATURES = (
    "constant", "replaces", "repeats", "union", "share of older", "share of newer", "alike", "same attribute",
    "same subject", "older of user", "newer of user", "older passes", "older season", "newer passes", "newer season",
    "one at a time", "one at a time here", "corrects", "older length", "newer length", "same numbers",
    "other numbers", "replaces alike", "replaces union", "repeats union", "repeats alike", "replaces subject",
)  # fmt: skip


class ReadStatement(NamedTuple):
    """A statement as it is compared: its words and labels."""

    words: frozenset[str]
    numbers: frozenset[str]
    characters: int
    subject: Subject
    attribute: Attribute
    lifetime: Lifetime

    @classmethod
    def of(
        cls, text: str, words: Iterable[str], subject: Subject, attribute: Attribute, lifetime: Lifetime
    ) -> ReadStatement:
        return cls(frozenset(words), frozenset(_NUMBER.findall(text[:400])), len(text), subject, attribute, lifetime)


def features(older: ReadStatement, newer: ReadStatement, change: Change) -> list[float]:
    """Returns the features of a pair that need neither topics nor vectors."""
    shared = len(older.words & newer.words)
    union = shared / (len(older.words | newer.words) or 1)
    alike = log(max(_LEAST, change.attributes[_ATTRIBUTES.index(older.attribute)]))
    at_one = float(older.attribute is newer.attribute)
    subject = float(older.subject is newer.subject)
    single = float(older.attribute in ONE_AT_A_TIME)
    numbers = float(bool(older.numbers) and older.numbers == newer.numbers)
    other_numbers = float(bool(older.numbers and newer.numbers) and older.numbers != newer.numbers)
    replaces, same = change.replaces, change.same
    return [
        1.0, replaces, same, union, shared / (len(older.words) or 1), shared / (len(newer.words) or 1),
        alike, at_one, subject, float(older.subject is Subject.USER), float(newer.subject is Subject.USER),
        float(older.lifetime is Lifetime.PASSING), float(older.lifetime is Lifetime.SEASON),
        float(newer.lifetime is Lifetime.PASSING), float(newer.lifetime is Lifetime.SEASON),
        single, single * at_one, change.correction,
        min(older.characters, 300) / 100, min(newer.characters, 300) / 100, numbers, other_numbers,
        replaces * alike, replaces * union, same * union, same * alike, replaces * subject,
    ]  # fmt: skip


def limited_odds(odds: float | None) -> float:
    """Returns the log odds that one statement ends another, within bounds; very unlikely if nobody can tell."""
    return _LEAST_ODDS if odds is None else max(_LEAST_ODDS, min(_MOST_ODDS, odds))
