"""The full-text index: words made in Python, in a contentless FTS5 table that knows who has which word."""

from __future__ import annotations

import sqlite3
from collections import Counter
from dataclasses import dataclass

from celestial_engine.core.bm25 import bm25, rarity
from celestial_engine.core.words import ANALYSER, index_words, query_words

# A question's work is bounded, however large the store: so many rows of the index in all, newest first,
# and so many texts that are read and scored in full.
_MOST_ROWS = 20_000
_LEAST_ROWS_A_WORD = 500
_READ_TEXTS = 40
_READ_CHARACTERS = 4_000


@dataclass(frozen=True)
class _Postings:
    """Who has a word: all of them, or the newest if they are too many."""

    keys: list[int]
    complete: bool
    having: float  # how many have it; estimated where not all were read


class WordIndex:
    """Kept in step with the texts, in the same transaction."""

    analyser = ANALYSER

    def add(self, db: sqlite3.Connection, seq: int, text: str) -> None:
        db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (seq, " ".join(index_words(text))))

    def remove(self, db: sqlite3.Connection, seq: int, text: str) -> None:
        """A contentless table must be told the words that it is to forget."""
        db.execute(
            "INSERT INTO words (words, rowid, body) VALUES ('delete', ?, ?)", (seq, " ".join(index_words(text)))
        )

    def search(
        self, db: sqlite3.Connection, question: str, low: int, high: int, total: int, limit: int
    ) -> list[tuple[int, float]]:
        """Keys between `low` and `high` with their BM25, best first. Any word counts, none is required."""
        words = query_words(question)
        if not words or limit == 0:
            return []
        most = max(_LEAST_ROWS_A_WORD, _MOST_ROWS // len(words))
        postings = {word: _postings(db, f'"{word}"', low, high, total, most) for word in words}
        rarities = {word: rarity(found.having, total) for word, found in postings.items() if found.keys}
        weights: dict[int, float] = {}
        having: dict[int, list[str]] = {}
        for word, weight in rarities.items():
            for key in postings[word].keys:
                weights[key] = weights.get(key, 0.0) + weight
                having.setdefault(key, []).append(word)
        # Old memories that share several common words would be missed among the newest of each.
        common = sorted((word for word in rarities if not postings[word].complete), key=rarities.__getitem__)
        for some in {tuple(common), tuple(common[-2:])}:
            if len(some) > 1:
                shared = _postings(db, " AND ".join(f'"{word}"' for word in some), low, high, total, most)
                together = sum(rarities[word] for word in some)
                for key in shared.keys:
                    weights[key] = max(weights.get(key, 0.0), together)
        promising = sorted(weights, key=lambda key: (weights[key], key), reverse=True)[: max(_READ_TEXTS, limit)]
        return _scored(db, promising, rarities, having)[:limit]

    def rebuild(self, db: sqlite3.Connection) -> None:
        """From the texts, all over again."""
        db.execute("INSERT INTO words (words) VALUES ('delete-all')")
        rows = db.execute(
            "SELECT seq, content FROM items JOIN texts USING (seq) WHERE state IN ('active', 'faded') ORDER BY seq"
        )
        for seq, content in rows:
            self.add(db, seq, content)

    def problems(self, db: sqlite3.Connection) -> list[str]:
        """How the index differs from what the texts say."""
        expected: Counter[str] = Counter()
        keys: set[int] = set()
        for seq, content in db.execute(
            "SELECT seq, content FROM items JOIN texts USING (seq) WHERE state IN ('active', 'faded')"
        ):
            keys.add(seq)
            expected.update(set(index_words(content)))
        found = []
        indexed = {seq for (seq,) in db.execute("SELECT id FROM words_docsize")}
        if indexed != keys:
            found.append(f"full-text index: {len(keys - indexed)} memories missing, {len(indexed - keys)} too many")
        db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_counts USING fts5vocab(main, words, row)")
        if dict(db.execute("SELECT term, doc FROM temp.word_counts").fetchall()) != expected:
            found.append("full-text index: its words differ from the texts")
        return found


def _postings(db: sqlite3.Connection, match: str, low: int, high: int, total: int, most: int) -> _Postings:
    """Quoted, every word is a word: no operator of FTS5 can come from a question."""
    rows = db.execute(
        "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?",
        (match, low, high, most),
    )
    keys = [key for (key,) in rows]
    if len(keys) < most:
        return _Postings(keys, True, len(keys))
    # As dense among the older ones as among the newest.
    (newest,) = db.execute("SELECT max(seq) FROM items WHERE seq BETWEEN ? AND ?", (low, high)).fetchone()
    return _Postings(keys, False, min(float(total), total * len(keys) / max(1, newest - keys[-1] + 1)))


def _scored(
    db: sqlite3.Connection, keys: list[int], rarities: dict[str, float], having: dict[int, list[str]]
) -> list[tuple[int, float]]:
    texts = []
    for key in keys:
        (content,) = db.execute("SELECT content FROM texts WHERE seq = ?", (key,)).fetchone()
        words = index_words(content[:_READ_CHARACTERS])
        # Further down a long text the index alone knows what stands there.
        texts.append(words + [word for word in having.get(key, ()) if word not in words])
    scores = zip(keys, bm25(texts, rarities), strict=True)
    return sorted(scores, key=lambda pair: (pair[1], pair[0]), reverse=True)
