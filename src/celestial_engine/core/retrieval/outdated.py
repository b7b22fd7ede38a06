"""What is compared to tell which of the memories found for a question is outdated, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from celestial_engine.core.record.labels import Attribute, Lifetime, Subject

# A memory further down is rarely what answered before (the first number), or does now.
MOST_OLDER, MOST_COMPARED = 4, 12


class Found(NamedTuple):
    """A memory that was found: what it says, its labels, how likely it answers and with how many of the words."""

    text: str
    subject: Subject
    attribute: Attribute
    lifetime: Lifetime
    probability: float
    covered: float
    vector: Sequence[float] | None = None


class Outdated(NamedTuple):
    """The places of a memory that is outdated and of the one that says how it is now, and how likely that is."""

    older: int
    newer: int
    probability: float


Closeness = Callable[[Found, Found], "float | None"]  # of two vectors; None without
