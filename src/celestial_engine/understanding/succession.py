"""Succession: how likely a newer statement ends each of some older ones: "sold the car" after "I drive a red Fiat".

Boosted trees weigh the features of `relation`, what vectors tell, and how far each older statement is ahead of the
others: a change ends one thing, and what is as likely as something else is not surely meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, inf

from celestial_engine.core.record.reading import Change
from celestial_engine.core.sameness.succession import Nearness
from celestial_engine.understanding import relation, topics
from celestial_engine.understanding.relation import ReadStatement, limited_odds
from celestial_engine.understanding.succession_trees import log_odds

FEATURES = (
    *relation.FEATURES,
    "closeness",  # of their vectors, 0 to 1; NO_VECTORS without
    "ends",  # how likely the newer one ends the older one by what both are about, as log odds
    "lead",  # how far that is ahead of the likeliest other one, or behind it
)
NO_VECTORS = -1.0
_MOST_ODDS, _MOST_LEAD = limited_odds(inf), 16.0
_RIVAL = 0.0  # the odds of the rival of an only candidate
_LEAST_CHANCE = 0.08  # what cannot reach it is not compared by topics, which is slow


def end_chances(
    text: str, newer: ReadStatement, change: Change, older: Sequence[tuple[ReadStatement, str, Nearness | None]]
) -> list[float]:
    """Returns how likely a text ends each older statement; with each its text and what vectors tell."""
    pairs = [pair_features(statement, newer, change, near) for statement, _, near in older]
    if all(_chance([*pair, _MOST_ODDS, _MOST_LEAD]) < _LEAST_CHANCE for pair in pairs):
        return [0.0] * len(older)
    odds = [
        topics.end_odds(text, content) if near is None or near.end_odds is None else near.end_odds
        for _, content, near in older
    ]
    return [_chance([*pair, *judged]) for pair, judged in zip(pairs, with_lead(odds), strict=True)]


def pair_features(older: ReadStatement, newer: ReadStatement, change: Change, near: Nearness | None) -> list[float]:
    """Returns the values of FEATURES but for the last two, which depend on the other statements."""
    return [*relation.features(older, newer, change), NO_VECTORS if near is None else near.closeness]


def with_lead(odds: Iterable[float | None]) -> list[tuple[float, float]]:
    """Returns the last two of FEATURES for each of the older statements that one text may end."""
    limited = [limited_odds(each) for each in odds]
    first, second = sorted((*limited, _RIVAL, _RIVAL) if len(limited) < 2 else limited, reverse=True)[:2]
    return [(each, each - (second if each == first else first)) for each in limited]


def _chance(values: Sequence[float]) -> float:
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, log_odds(values)))))
