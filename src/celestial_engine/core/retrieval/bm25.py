"""BM25: how well a text answers the words of a question."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

# Memories are short and of many lengths: a length counts for less, a repetition too, than in documents.
# Measured on public conversations, English and Korean: the usual 1.2 and 0.75 find less.
_K1 = 0.9
_B = 0.4


def rarity(having: float, total: float) -> float:
    """How much a word tells: much if few of all memories have it."""
    return math.log(1.0 + (max(total, having) - having + 0.5) / (having + 0.5))


@dataclass(frozen=True)
class WordWeights:
    """What the words of one question weigh among one owner's memories; those that nobody has weigh too."""

    rarities: Mapping[str, float]
    average_length: float
    sums: Mapping[int, float] = field(default_factory=dict)  # position -> rarities of the words it has

    @property
    def ideal(self) -> float:
        """The score of a text of usual length that has every word of the question once."""
        return sum(self.rarities.values())

    def score(self, words: Sequence[str]) -> float:
        """BM25 of a text, given as its words."""
        counts = Counter(words)
        pull = _K1 * (1.0 - _B + _B * len(words) / (self.average_length or 1.0))
        return sum(
            weight * counts[word] * (_K1 + 1.0) / (counts[word] + pull)
            for word, weight in self.rarities.items()
            if word in counts
        )

    def score_at(self, position: int) -> float:
        """Nearly that, of a memory whose text was not read: it has each of its words once, in a usual length."""
        return self.sums.get(position, 0.0)


def average_length(texts: Sequence[Sequence[str]]) -> float:
    return sum(map(len, texts)) / max(1, len(texts)) or 1.0
