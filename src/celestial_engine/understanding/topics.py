"""Topics: a short vector of what a text is about, so that a question finds what shares no word with it.

"Which pills am I on?" and "I take ramipril and a statin" have no word in common; both are about medication. Two heads
compare vectors: does a memory answer a question, and does a newer statement end an older one?
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from math import sqrt

from celestial_engine.understanding.features import hashed
from celestial_engine.understanding.heads import Heads, Vector, normalised
from celestial_engine.understanding.model import ModelFileError, unpacked
from celestial_engine.understanding.rules import is_foreign

logger = logging.getLogger(__name__)

FILE = "topics.bin"
_READ_CHARACTERS = 1_000
_TEXTS_CACHED = 4_096  # the memories of an owner are compared with every question
_NEWER_CACHED = 16  # a new statement is compared with several older ones


class Topics:
    """Compares texts by one file of trained vectors."""

    def __init__(self, raw: bytes) -> None:
        """Raises ModelFileError if this is not such a file."""
        model = unpacked(raw)
        self._heads, self._table = Heads.of(model), model.tables[0]
        self._vector = lru_cache(maxsize=_TEXTS_CACHED)(self._vector_of)
        self._ends_of = lru_cache(maxsize=_NEWER_CACHED)(self._heads.ends_of)

    def answer_chances(self, question: str, texts: Sequence[str]) -> list[float]:
        asked = self._vector(question[:_READ_CHARACTERS])
        if asked is None:
            return [0.0] * len(texts)
        vectors = [self._vector(text[:_READ_CHARACTERS]) for text in texts]
        chances = iter(self._heads.answer_chances(asked, [vector for vector in vectors if vector is not None]))
        return [0.0 if vector is None else next(chances) for vector in vectors]

    def end_odds(self, newer: str, older: str) -> float | None:
        first, second = self._vector(newer[:_READ_CHARACTERS]), self._vector(older[:_READ_CHARACTERS])
        return None if first is None or second is None else self._ends_of(first)(second)

    def _vector_of(self, text: str) -> Vector | None:
        if is_foreign(text):
            return None
        text_hashes = hashed(text)
        size = sqrt(max(1, len(text_hashes.checksums)))
        sums = self._table.sums(self._table.rows_of(text_hashes))
        return normalised([total / size + bias for total, bias in zip(sums, self._heads.bias, strict=True)])


def answer_chances(question: str, texts: Sequence[str]) -> list[float]:
    """Returns how likely each text answers the question, if at most one of them does; 0 where nobody can tell."""
    topics = default_topics()
    return [0.0] * len(texts) if topics is None else topics.answer_chances(question, texts)


def end_odds(newer: str, older: str) -> float | None:
    """Returns the log odds that the newer statement ends what the older one tells; None if nobody can tell."""
    topics = default_topics()
    return None if topics is None else topics.end_odds(newer, older)


@lru_cache(maxsize=1)
def default_topics() -> Topics | None:
    """Returns the topics that come with the package; None, with a warning, if their file cannot be used."""
    try:
        return Topics((files(__package__) / FILE).read_bytes())
    except (OSError, ModelFileError) as error:
        logger.warning("memories are found by words alone, because the trained topics cannot be used: %s", error)
        return None
