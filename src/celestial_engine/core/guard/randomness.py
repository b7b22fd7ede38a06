"""Whether a value looks random, as tokens do, or made of words, dates and names."""

from __future__ import annotations

import math
from collections import Counter

from celestial_engine.core.patterns import compiled
from celestial_engine.lang import secrets as rules

_OF_A_HASH = r"(?i:commit|hash|sha-?\d|md5|revision|checksum|digest|etag|uuid|커밋|해시)"
_WORD_WITH_NUMBER = r"[A-Za-z]?[a-z]+\d{1,4}|[A-Z]+\d{1,6}|\d+[a-z]{1,3}"
_LEAST_RANDOM_BITS = 2.9  # of entropy a character; words and dates have less
_LEAST_RANDOM_PIECE = 8
_MANY_TURNS = 5


def looks_random(value: str) -> bool:
    """Whether a value mixes letters and digits without order."""
    if len(value) < 10 or compiled(rules.PLACEHOLDER).fullmatch(value) or compiled(rules.TECHNICAL).fullmatch(value):
        return False
    pieces = [piece for piece in compiled(r"[^A-Za-z0-9]+").split(value) if len(piece) >= _LEAST_RANDOM_PIECE]
    mixed_piece = any(
        compiled(r"\d").search(piece)
        and compiled("[A-Za-z]").search(piece)
        and not compiled(_WORD_WITH_NUMBER).fullmatch(piece)
        for piece in pieces
    )
    turns = len(compiled(r"[A-Za-z](?=\d)|\d(?=[A-Za-z])").findall(value))  # between letters and digits
    return (mixed_piece or turns >= _MANY_TURNS) and entropy(value) >= _LEAST_RANDOM_BITS


def entropy(value: str) -> float:
    """Returns the bits a character."""
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in Counter(value).values())


def is_hash_label(text: str) -> bool:
    """Whether the words before a value name it a hash or an id."""
    return compiled(_OF_A_HASH).search(text) is not None
