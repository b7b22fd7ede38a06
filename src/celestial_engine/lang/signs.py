"""Signs by which a text shows what kind it is.

A text is looked at as a set: English by its words, Korean, which glues, by its pairs of characters as well. What is
not in the set need not be searched for, and most signs are not.
"""

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    """One of these words, whole."""

    words: frozenset[str]


class Parts(NamedTuple):
    """One of these anywhere, also inside a word, and how each begins."""

    parts: tuple[str, ...]
    pairs: frozenset[str]


class Pattern(NamedTuple):
    """A regular expression; where words or pairs are named, it is tried only when the text has one of them."""

    regex: str
    beside: frozenset[str] = frozenset()


Sign = Words | Parts | Pattern


def words(text: str) -> Words:
    return Words(frozenset(text.split()))


def parts(text: str) -> Parts:
    found = tuple(text.split())
    return Parts(found, frozenset(part[:2] for part in found))
