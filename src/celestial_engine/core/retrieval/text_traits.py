"""What ranking needs of a text: who said it and when, where the speech begins, and what kind of answer it can be.

Read once, when a memory is stored, and kept beside it: a search reads a hundred candidates for every question.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from celestial_engine.core.patterns import compiled, has_either
from celestial_engine.lang.en import questions as en_questions
from celestial_engine.lang.ko import questions as ko_questions

# Raise it whenever `text_traits` reads a text differently: stored traits of another version are read again.
TRAIT_RULES = 1
ASKS, TELLS_TIME, TELLS_AMOUNT = 1, 2, 4

_ENDS_ASKING = r"[?？]\W*(?:\[[^\]]*\]\s*)?$"  # a caption in brackets may follow
_READ = 2_000


class TextTraits(NamedTuple):
    """Speaker, time (seconds since the Unix epoch), the first character of the speech, and a sum of its kinds."""

    speaker: str | None = None
    said_at: float | None = None
    begins: int = 0
    kinds: int = 0


@lru_cache(maxsize=4)  # a writer needs them for the record and for the index
def text_traits(content: str) -> TextTraits:
    from celestial_engine.core.text.turns import read_turn  # slow to import, and a search finds stored traits

    turn = read_turn(content)
    text = turn.text[:_READ]
    kinds = ASKS * is_question(turn.text)
    kinds += TELLS_TIME * has_either(text, en_questions.TELLS_TIME, ko_questions.TELLS_TIME)
    kinds += TELLS_AMOUNT * has_either(text, en_questions.TELLS_AMOUNT, ko_questions.TELLS_AMOUNT)
    return TextTraits(turn.speaker, turn.said_at, len(content) - len(turn.text), kinds)


@lru_cache(maxsize=128)  # a prompt asks for it at each level of detail, and to put its memories in order
def said_at(content: str) -> float | None:
    """Returns when a text says that it was said, without reading the rest of it."""
    from celestial_engine.core.text.turns import read_turn

    return read_turn(content).said_at


def is_question(text: str) -> bool:
    end = text[-300:]
    return ("?" in end or "？" in end) and compiled(_ENDS_ASKING).search(end) is not None
