"""Hashed keys of a statement, to look up memories that may say the same or contradict it.

Parsing a text is slow, so it is parsed once when it is stored, and the keys are stored with it.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from celestial_engine.core.sameness.compare import key_of, tells_change, topics_of

RULES = 1  # increment when the parsing rules change: stored keys of older rules are computed again


class StatementKeys(NamedTuple):
    """Texts that say the same share the key, contradicting texts share a topic."""

    key: int
    topics: tuple[int, ...]
    changing: bool  # the text itself says that something changed


@lru_cache(maxsize=64)  # a new text is compared with others and then stored
def statement_keys_of(text: str) -> StatementKeys:
    """Returns the keys of a text; a hash collision is harmless, because matches are compared in full."""
    return StatementKeys(_hash(key_of(text)), tuple(map(_hash, topics_of(text))), tells_change(text))


def _hash(text: str) -> int:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)
