"""Succession: which older statements a new one makes outdated, and which it only repeats.

Trained trees judge; where they are unsure, the rules of `compare` decide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from celestial_engine.core.record.labels import Attribute, Lifetime, Subject

# With vectors, and by words alone: of the statements of people left out that stay true, 1.2 % are ended by mistake.
REPLACES_FROM, REPLACES_BY_WORDS_FROM = 0.79, 0.52
SAME_FROM = 0.62  # takes 1 to 4 % of other pairs for a repetition, most of which were written to mislead
# Above it the text itself shows that something changed: then memories at other addresses are compared too.
TELLS_CHANGE_FROM = -0.5
# From here on the rules are asked, as for a shared topic: parsing two texts is slow. A single word says too little.
_UNSURE_FROM, _UNSURE_OF_WORDS_FROM = 0.15, 0.3


class Statement(NamedTuple):
    """A stored statement as it is compared with a new one."""

    item_id: str
    content: str
    subject: Subject
    attribute: Attribute
    lifetime: Lifetime
    topics: frozenset[int] = frozenset()  # contradicting statements share one


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


# An older statement and what the two vectors tell (None: no vectors).
Compared = tuple[Statement, "Nearness | None"]
# All older statements that a newer one may end in, and how likely it ends each of them.
EndChances = Callable[[Sequence[Compared]], list[float]]
# One older statement in, and how likely the newer one says nothing but what that says.
Repeats = Callable[[Statement, "Nearness | None"], float]


def is_replaced(compared: Compared, newer_text: str, chance: float, topics: Collection[int]) -> bool:
    """Whether the newer text, which has these topics, makes the older statement outdated.

    `chance`: how likely it does by the trained judgement.
    """
    older, near = compared
    if chance >= (REPLACES_BY_WORDS_FROM if near is None else REPLACES_FROM):
        return True
    words = min(len(older.content.split()), len(newer_text.split()))
    least = _UNSURE_FROM if words > 1 else _UNSURE_OF_WORDS_FROM
    unsure = chance >= least or not older.topics.isdisjoint(topics)
    return unsure and contradicts(older.content, newer_text)


def contradicts(older: str, newer: str) -> bool:
    """Whether both texts cannot be true, by the rules."""
    from celestial_engine.core.sameness.compare import Sameness, compare  # slow to import; a search does not need it

    return compare(older, newer) is Sameness.CONFLICT
