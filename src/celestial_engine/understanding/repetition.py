"""Repetition: whether a new statement says again, in other words, what an older one says.

Boosted trees weigh the features of `relation`, how much of its wording each text shares with the other, and what the
vectors of both tell. Letters count beside words, because 다녀요 and 다닌다, or "bike" and "biking", share only these.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp

from celestial_engine.core.record.reading import Change
from celestial_engine.core.sameness.succession import Nearness
from celestial_engine.understanding import relation
from celestial_engine.understanding.relation import ReadStatement, limited_odds
from celestial_engine.understanding.repetition_trees import log_odds

FEATURES = (
    *relation.FEATURES,
    "older parts",  # the share of the older one's parts of words that the newer one has
    "newer parts",
    "older pairs",  # the same for pairs of letters, spaces left out
    "newer pairs",
    "older weight",  # the share of the older one's words, longer ones counting more
    "newer weight",
    "older own",  # how many words only the older one has
    "newer own",
    "shared",
    "closeness",  # of their vectors, 0 to 1; NO_VECTORS without
    "ends",  # how likely the newer one ends the older one by their vectors, as log odds
)
NO_VECTORS = -1.0
_READ_CHARACTERS = 600
_TEXTS_CACHED = 512
_PART = 3


def features(
    older: ReadStatement, newer: ReadStatement, texts: tuple[str, str], change: Change, near: Nearness | None
) -> list[float]:
    """Returns the values of FEATURES; `texts` are those of the older and of the newer one."""
    first_parts, first_pairs = _letters(texts[0][:_READ_CHARACTERS])
    second_parts, second_pairs = _letters(texts[1][:_READ_CHARACTERS])
    shared = older.words & newer.words
    weight = sum(map(len, shared))
    return [
        *relation.features(older, newer, change),
        _share(first_parts, second_parts),
        _share(second_parts, first_parts),
        _share(first_pairs, second_pairs),
        _share(second_pairs, first_pairs),
        weight / (sum(map(len, older.words)) or 1),
        weight / (sum(map(len, newer.words)) or 1),
        float(len(older.words - newer.words)),
        float(len(newer.words - older.words)),
        float(len(shared)),
        NO_VECTORS if near is None else near.closeness,
        limited_odds(None if near is None else near.end_odds),
    ]


def repeat_chance(values: list[float]) -> float:
    """Returns how likely the newer statement says nothing but what the older one says."""
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, log_odds(values)))))


@lru_cache(maxsize=_TEXTS_CACHED)
def _letters(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Returns the parts of a text, three characters each, and the pairs of its letters and digits."""
    plain = " ".join(text.lower().split())
    letters = "".join(filter(str.isalnum, plain))
    return (
        frozenset(plain[start : start + _PART] for start in range(len(plain) - _PART + 1)),
        frozenset(letters[start : start + 2] for start in range(len(letters) - 1)),
    )


def _share(parts: frozenset[str], others: frozenset[str]) -> float:
    return len(parts & others) / (len(parts) or 1)
