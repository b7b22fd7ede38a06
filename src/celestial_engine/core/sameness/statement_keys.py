"""What a text says, as a few numbers: who might say the same as it, and who might say the contrary.

Reading a text is what costs, so it is read when it comes, and what was read is kept beside it.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

from celestial_engine.core.sameness.compare import key_of, tells_change, topics_of

RULES = 1  # raised whenever the rules of reading change: what was read by others is read again


class StatementKeys(NamedTuple):
    """Texts that say the same have the same key, those that contradict each other share a topic."""

    key: int
    topics: tuple[int, ...]
    changing: bool  # it says itself that something is different now


def statement_keys_of(text: str) -> StatementKeys:
    """The marks of a text; whoever has the same by chance is compared, and found different."""
    return StatementKeys(_mark(key_of(text)), tuple(map(_mark, topics_of(text))), tells_change(text))


def _mark(words: str) -> int:
    digest = blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)
