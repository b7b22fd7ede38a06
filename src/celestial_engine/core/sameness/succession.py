"""Succession: which older statements a new one makes outdated, and which it only repeats.

Judged by the trained relation of two statements; where it is unsure, the rules of `compare` decide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from celestial_engine.core.record.labels import Attribute, Lifetime, Subject

REPLACES_FROM = 0.72  # ends a fifth of the changes told in free words, two fifths with heads, 1 % of what stays true
SAME_FROM = 0.68  # takes 2 % of other pairs for a repetition, most of which were written to mislead
# Above it the text itself shows that something changed: then memories at other addresses are compared too.
TELLS_CHANGE_FROM = -0.5
# From here on the rules are asked, as for a shared topic: parsing two texts is slow. A single word says too little.
_UNSURE_FROM, _UNSURE_OF_WORDS_FROM = 0.08, 0.3


class Statement(NamedTuple):
    """A stored statement as it is compared with a new one."""

    item_id: str
    content: str
    subject: Subject
    attribute: Attribute
    lifetime: Lifetime
    topics: frozenset[int] = frozenset()  # contradicting statements share one


class Relation(NamedTuple):
    """The probabilities that a newer statement replaces an older one, or says the same."""

    replaces: float
    same: float


class VectorScale(NamedTuple):
    """The name of the embedder that made vectors, and how close two of them are (0 to 1) by their cosine."""

    embedder: str = ""
    closeness: Callable[[float], float] = float


NO_SCALE = VectorScale()


class Nearness(NamedTuple):
    """What the vectors of two statements tell: how close they are (0 to 1), and the log odds that the newer one ends
    the older one, if heads were trained for the embedder."""

    closeness: float
    end_odds: float | None = None


# An older statement and what the two vectors tell (None: no vectors) in, their relation out.
Relate = Callable[[Statement, "Nearness | None"], Relation]
# The same in, and how likely the newer statement says nothing but what the older one says.
Repeats = Callable[[Statement, "Nearness | None"], float]


def is_replaced(older: Statement, newer_text: str, relation: Relation, topics: Collection[int]) -> bool:
    """Whether the newer text, which has these topics, makes the older statement outdated."""
    if relation.replaces >= REPLACES_FROM:
        return True
    words = min(len(older.content.split()), len(newer_text.split()))
    least = _UNSURE_FROM if words > 1 else _UNSURE_OF_WORDS_FROM
    unsure = relation.replaces >= least or not older.topics.isdisjoint(topics)
    return unsure and contradicts(older.content, newer_text)


def contradicts(older: str, newer: str) -> bool:
    """Whether both texts cannot be true, by the rules."""
    from celestial_engine.core.sameness.compare import Sameness, compare  # slow to import; a search does not need it

    return compare(older, newer) is Sameness.CONFLICT
