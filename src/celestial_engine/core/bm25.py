"""BM25: how well a text answers the words of a question."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

# Memories are short and of many lengths: a length counts for less, a repetition too, than in documents.
# Measured on public conversations, English and Korean: the usual 1.2 and 0.75 find less.
_K1 = 0.9
_B = 0.4


def rarity(having: float, total: float) -> float:
    """How much a word tells: much if few of all memories have it."""
    return math.log(1.0 + (max(total, having) - having + 0.5) / (having + 0.5))


def bm25(texts: Sequence[Sequence[str]], rarities: Mapping[str, float]) -> list[float]:
    """The score of each text, given as its words, for the words whose rarity is known."""
    average = sum(map(len, texts)) / max(1, len(texts)) or 1.0
    scores = []
    for words in texts:
        counts = Counter(words)
        pull = _K1 * (1.0 - _B + _B * len(words) / average)
        scores.append(
            sum(
                weight * counts[word] * (_K1 + 1.0) / (counts[word] + pull)
                for word, weight in rarities.items()
                if word in counts
            )
        )
    return scores
