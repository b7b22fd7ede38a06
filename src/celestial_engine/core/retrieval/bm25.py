"""BM25: how well a text matches the words of a query."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

# Memories are short and vary in length: length and repetition count for less than in documents.
# Measured on public conversations, English and Korean: the usual 1.2 and 0.75 find less.
_K1 = 0.9
_B = 0.4


def rarity(having: float, total: float) -> float:
    """Inverse document frequency: high if few of all memories have the word."""
    return math.log(1.0 + (max(total, having) - having + 0.5) / (having + 0.5))


@dataclass(frozen=True)
class WordWeights:
    """The weights of a query's words among one owner's memories, including words that no memory has."""

    rarities: Mapping[str, float]
    average_length: float
    sums: Mapping[int, float] = field(default_factory=dict)  # position -> rarities of the words it has
    holders: Mapping[str, Set[int]] = field(default_factory=dict)  # word -> positions of the memories that have it

    @property
    def ideal(self) -> float:
        """The score of a text of average length that has every word of the query once."""
        return sum(self.rarities.values())

    def score(self, words: Sequence[str]) -> float:
        """Returns the BM25 score of a text, passed as its words."""
        counts = Counter(words)
        length_norm = _K1 * (1.0 - _B + _B * len(words) / (self.average_length or 1.0))
        return sum(
            weight * counts[word] * (_K1 + 1.0) / (counts[word] + length_norm)
            for word, weight in self.rarities.items()
            if word in counts
        )

    def score_at(self, position: int) -> float:
        """Approximates the score of a memory whose text was not read: every word once, average length."""
        return self.sums.get(position, 0.0)


def average_length(texts: Sequence[Sequence[str]]) -> float:
    return sum(map(len, texts)) / max(1, len(texts)) or 1.0
