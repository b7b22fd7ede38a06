"""Embedders without a package: the caller's own function, and hashed letters as the fallback."""

from __future__ import annotations

import math
import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence


class FunctionEmbedder:
    """Any `text -> list[float]`. Its name keeps its vectors apart from another model's."""

    def __init__(self, function: Callable[[str], Sequence[float]], name: str = "function") -> None:
        self._function = function
        self.name = name

    def passages(self, texts: Sequence[str]) -> list[Sequence[float]]:
        return [self._function(text) for text in texts]

    def query(self, text: str) -> Sequence[float]:
        return self._function(text)

    def closeness(self, cosine: float) -> float:
        return min(1.0, max(0.0, cosine))


class HashedEmbedder:
    """Hashed letter groups: no meaning, but misspellings and inflections get close vectors.

    Hangul in groups of one to three syllables, other words in groups of three to five letters.
    """

    name = "hashed-letters-1"
    _DIMENSION = 512
    _RUN = re.compile(r"(?P<hangul>[가-힣]+)|\w+")

    def passages(self, texts: Sequence[str]) -> list[Sequence[float]]:
        return [self.query(text) for text in texts]

    def query(self, text: str) -> Sequence[float]:
        vector = [0.0] * self._DIMENSION
        for group, count in Counter(self._groups(text)).items():
            code = zlib.crc32(group.encode())
            vector[code % self._DIMENSION] += math.sqrt(count) * (1.0 if code >> 31 else -1.0)
        norm = math.hypot(*vector)
        if not norm:  # only punctuation: all such texts get the same vector
            vector[0] = norm = 1.0
        return [value / norm for value in vector]

    def closeness(self, cosine: float) -> float:
        return min(1.0, max(0.0, cosine / 0.6))

    def _groups(self, text: str) -> Iterator[str]:
        for match in self._RUN.finditer(unicodedata.normalize("NFKC", text).casefold()):
            word, sizes = (match.group(), (1, 2, 3)) if match["hangul"] else (f"<{match.group()}>", (3, 4, 5))
            for size in sizes:
                for start in range(len(word) - size + 1):
                    yield word[start : start + size]
