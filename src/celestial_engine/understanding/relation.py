"""How a newer statement relates to an older one of the same person: it replaces it, repeats it, or both are true.

A small linear model over a few features of the two. What the newer text says about change is read from its words,
once; of the older one only its stored labels and words are needed, so that many can be compared quickly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from math import exp, log
from typing import NamedTuple

from celestial_engine.core.record.labels import Attribute, Lifetime, Subject
from celestial_engine.core.record.reading import Change
from celestial_engine.core.sameness.succession import Nearness, Relation

LABELS = ("replaces", "same", "both")

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
_COMPARES_TOPICS_FROM = 0.1


# Names of `features`, in their order.
FEATURES = (
    "constant", "replaces", "repeats", "union", "share of older", "share of newer", "alike", "same attribute",
    "same subject", "older of user", "newer of user", "older passes", "older season", "newer passes", "newer season",
    "one at a time", "one at a time here", "corrects", "older length", "newer length", "same numbers",
    "other numbers", "replaces alike", "replaces union", "repeats union", "repeats alike", "replaces subject",
)  # fmt: skip
_ALIKE = FEATURES.index("alike")


class Told(NamedTuple):
    """A stored statement: its words and labels."""

    words: frozenset[str]
    numbers: frozenset[str]
    characters: int
    subject: Subject
    attribute: Attribute
    lifetime: Lifetime

    @classmethod
    def of(cls, text: str, words: Iterable[str], subject: Subject, attribute: Attribute, lifetime: Lifetime) -> Told:
        return cls(frozenset(words), frozenset(_NUMBER.findall(text[:400])), len(text), subject, attribute, lifetime)


def features(older: Told, newer: Told, change: Change) -> list[float]:
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


def with_topic(pair: Sequence[float], end_odds: float | None) -> list[float]:
    """Returns the features to add if topics were compared: the log odds that the newer one ends the older one."""
    topic, (_, replaces, same, union), alike = limited_odds(end_odds) / 3, pair[:4], pair[_ALIKE]
    return [topic, topic * replaces, topic * same, topic * alike / 3, topic * union]


def with_closeness(pair: Sequence[float], closeness: float) -> list[float]:
    """Returns the features to add if the closeness of the two vectors (0 to 1) is known."""
    (_, replaces, same, union), alike = pair[:4], pair[_ALIKE]
    return [
        closeness, closeness * closeness, closeness * replaces, closeness * same, closeness * union,
        closeness * alike,
    ]  # fmt: skip


def with_heads(pair: Sequence[float], closeness: float, end_odds: float) -> list[float]:
    """Returns the features to add if heads over the two vectors tell more than their closeness."""
    return [*with_closeness(pair, closeness), *with_topic(pair, end_odds), closeness * limited_odds(end_odds) / 3]


class Relations:
    """The trained coefficients of pairs alone, with topics, with vectors, and with heads over these: a row a label,
    a column a feature."""

    def __init__(
        self,
        plain: Sequence[Sequence[float]] = (),
        with_topics: Sequence[Sequence[float]] = (),
        with_vectors: Sequence[Sequence[float]] = (),
        with_heads: Sequence[Sequence[float]] = (),
    ) -> None:
        self._plain = plain
        self._with_topics = with_topics
        self._with_vectors = with_vectors
        self._with_heads = with_heads

    def relation(
        self, older: Told, newer: Told, change: Change, near: Nearness | None, end_odds: Callable[[], float | None]
    ) -> Relation:
        """Returns how the newer one relates to the older one. Topics are compared only if it might replace it."""
        pair = features(older, newer, change)
        if near is not None and near.end_odds is not None:
            return _softmax(self._with_heads, pair + with_heads(pair, near.closeness, near.end_odds))
        if near is not None:
            return _softmax(self._with_vectors, pair + with_closeness(pair, near.closeness))
        relation = _softmax(self._plain, pair)
        if relation.replaces < _COMPARES_TOPICS_FROM:
            return relation
        return Relation(_softmax(self._with_topics, pair + with_topic(pair, end_odds())).replaces, relation.same)


def _softmax(rows: Sequence[Sequence[float]], values: Sequence[float]) -> Relation:
    raw = [sum(map(float.__mul__, row, values)) for row in rows]
    highest = max(raw)
    grown = [exp(value - highest) for value in raw]
    whole = sum(grown)
    return Relation(grown[0] / whole, grown[1] / whole)
