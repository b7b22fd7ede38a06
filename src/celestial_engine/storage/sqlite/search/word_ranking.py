"""Which memories match the words of a query best: the same arithmetic for every database.

`Postings` is what a database knows about words: which memories have them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import NamedTuple, Protocol

from celestial_engine.core.retrieval.bm25 import WordWeights, average_length, rarity
from celestial_engine.core.text.words import Analyser

# These limit the work of a query, however large the store is. Its rarest words lead until their rows reach the limit;
# the next few words only weigh what the leading ones found; so many texts are read in full.
_MOST_ROWS = 5_000
_MOST_FOLLOWING = 4
_READ_TEXTS = 40
_READ_CHARACTERS = 4_000
# With a filter, the row lists of common words are read completely: at most this many rows, unless too few memories
# were found by then.
_MOST_WALKED = 150_000

KeyScore = tuple[int, float]


class Frequency(NamedTuple):
    """How many memories have a word, counted up to a limit from the newest on, and the oldest key of them."""

    rows: int
    oldest: int


class Postings(Protocol):
    """The words of one owner's memories in orbit, or of those among them that a filter chose."""

    @property
    def filtered(self) -> bool: ...
    def frequencies(self, words: Sequence[str], most: int) -> Mapping[str, Frequency]:
        """Counts each word up to `most`, without the filter; a word that no memory has may be left out."""
        ...

    def newest_key(self) -> int:
        """The key of the owner's newest memory."""
        ...

    def newest(self, word: str, most: int) -> list[int]:
        """The keys of the newest memories that have the word, within the filter, newest first."""
        ...

    def newest_of(self, word: str, leading: Sequence[str], scores: Mapping[int, float], most: int) -> list[int]:
        """The same, of those that also have a leading word: `scores` has their keys."""
        ...

    def texts(self, keys: Sequence[int]) -> Mapping[int, str]: ...


@dataclass(frozen=True)
class _Word:
    """A query word that occurs in the index."""

    text: str
    rows: int  # rows of the index that are read for it without a filter
    having: float  # how many memories have it; an estimate if they are many
    rarity: float


def ranked(
    postings: Postings, analyser: Analyser, question: str, total: int, limit: int
) -> tuple[list[KeyScore], WordWeights]:
    """Returns keys with their BM25, best first.

    Any word counts, none is required. Word weights come from all memories, but only those within the filter are
    ranked.
    """
    most = max(_MOST_ROWS, limit)
    words = _looked_up(postings, analyser.query_words(question), total, most)
    rarities = {word.text: word.rarity for word in words}
    leading, following = _leading(postings, [word for word in words if word.rows], limit, most)
    weights: dict[int, float] = {}
    for word, keys in leading.items():
        for key in keys:
            weights[key] = weights.get(key, 0.0) + word.rarity
    having = {word.text: set(keys) for word, keys in leading.items()}
    leaders = list(having)
    for word in following[:_MOST_FOLLOWING]:
        keys = postings.newest_of(word.text, leaders, weights, most)
        having[word.text] = set(keys)
        for key in keys:
            if key in weights:
                weights[key] += word.rarity
    promising = nlargest(max(_READ_TEXTS, limit), weights, key=lambda key: (weights[key], key))
    found, word_weights = _scored(postings, analyser, promising, rarities, having, weights)
    return found[:limit], word_weights


def _looked_up(postings: Postings, texts: Sequence[str], total: int, most: int) -> list[_Word]:
    """Counts the memories with each word up to the limit; beyond, estimates from the newest."""
    frequencies = postings.frequencies(texts, most)
    words = []
    for text in texts:
        rows, oldest = frequencies.get(text, (0, 0))
        having = float(rows)
        if rows == most:
            having = min(float(total), total * rows / (postings.newest_key() - oldest + 1))
        words.append(_Word(text, rows, having, rarity(having, total)))
    return words


def _leading(
    postings: Postings, words: list[_Word], wanted: int, most: int
) -> tuple[dict[_Word, list[int]], list[_Word]]:
    """Returns the rarest words with their memories, at least one word, and the remaining words."""
    by_rarity = sorted(words, key=lambda word: word.rarity, reverse=True)
    leading: dict[_Word, list[int]] = {}
    rows, walked = 0, 0.0
    for place, word in enumerate(by_rarity):
        enough = rows + word.rows > most
        if postings.filtered:  # the counts are not known in advance
            enough = rows > most or (rows >= wanted and walked + word.having > _MOST_WALKED)
        if place and enough:
            return leading, by_rarity[place:]
        leading[word] = postings.newest(word.text, most)
        rows += len(leading[word])
        walked += word.having
    return leading, []


def _scored(
    postings: Postings,
    analyser: Analyser,
    keys: list[int],
    rarities: dict[str, float],
    having: dict[str, set[int]],
    sums: dict[int, float],
) -> tuple[list[KeyScore], WordWeights]:
    contents, texts = postings.texts(keys), []
    for key in keys:
        content = contents.get(key, "")  # without one, the index has a stale row; `check` reports it
        words = analyser.quick_words(content[:_READ_CHARACTERS])
        # Only the index knows words far down a long text, and words that are slow to analyse.
        texts.append(words + [word for word, holders in having.items() if key in holders and word not in words])
    weights = WordWeights(rarities, average_length(texts), sums, having)
    scores = zip(keys, map(weights.score, texts), strict=True)
    return sorted(scores, key=lambda pair: (pair[1], pair[0]), reverse=True), weights
