"""Signs: words and patterns that indicate the kind of a text.

A text is represented as a set: English by its words, Korean also by its pairs of characters. A sign is searched for
only if the set has one of its words or pairs, and most signs are skipped that way.
"""

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    """Matches one of these whole words."""

    words: frozenset[str]


class Parts(NamedTuple):
    """Matches one of these strings anywhere; `pairs` are their first two characters."""

    parts: tuple[str, ...]
    pairs: frozenset[str]


class Pattern(NamedTuple):
    """A regular expression; with `beside` it is tried only if the text has one of these words or pairs."""

    regex: str
    beside: frozenset[str] = frozenset()


Sign = Words | Parts | Pattern


def words(text: str) -> Words:
    return Words(frozenset(text.split()))


def parts(text: str) -> Parts:
    found = tuple(text.split())
    return Parts(found, frozenset(part[:2] for part in found))
