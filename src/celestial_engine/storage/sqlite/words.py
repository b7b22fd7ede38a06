"""The full-text index: words made in Python, in a contentless FTS5 table, ranked by BM25."""

from __future__ import annotations

import sqlite3
from collections import Counter

from celestial_engine.core.words import ANALYSER, index_words, query_words

# A question's work is bounded: its rarest words lead, until together they occur in this many memories.
# Common words of a large store would cost time and tell little.
_MOST_POSTINGS = 20_000


class WordIndex:
    """Kept in step with the texts, in the same transaction."""

    analyser = ANALYSER

    def add(self, db: sqlite3.Connection, seq: int, text: str) -> None:
        db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (seq, " ".join(index_words(text))))

    def remove(self, db: sqlite3.Connection, seq: int, text: str) -> None:
        """A contentless table must be told the words that it is to forget."""
        db.execute(
            "INSERT INTO words (words, rowid, body) VALUES ('delete', ?, ?)",
            (seq, " ".join(index_words(text))),
        )

    def search(
        self, db: sqlite3.Connection, question: str, low: int, high: int, limit: int
    ) -> list[tuple[int, float]]:
        """Keys between `low` and `high` with their BM25, best first. Any word counts, none is required."""
        words = self._affordable(db, query_words(question), low, high)
        if not words or limit == 0:
            return []
        # Quoted, every word is a word: no operator of FTS5 can come from a question.
        match = " OR ".join(f'"{word}"' for word in words)
        rows = db.execute(
            "SELECT rowid, -rank FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rank LIMIT ?",
            (match, low, high, limit),
        )
        return rows.fetchall()

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
            expected.update(index_words(content))
        found = []
        indexed = {seq for (seq,) in db.execute("SELECT id FROM words_docsize")}
        if indexed != keys:
            found.append(f"full-text index: {len(keys - indexed)} memories missing, {len(indexed - keys)} too many")
        db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_counts USING fts5vocab(main, words, row)")
        counts = dict(db.execute("SELECT term, cnt FROM temp.word_counts").fetchall())
        if counts != expected:
            found.append("full-text index: its words differ from the texts")
        return found

    def _affordable(self, db: sqlite3.Connection, words: list[str], low: int, high: int) -> list[str]:
        if len(words) < 2:
            return words
        counted = []
        for word in words:
            (count,) = db.execute(
                "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?)",
                (f'"{word}"', low, high, _MOST_POSTINGS + 1),
            ).fetchone()
            counted.append((count, word))
        chosen: list[str] = []
        spent = 0
        for count, word in sorted(counted):
            if chosen and spent + count > _MOST_POSTINGS:
                break
            chosen.append(word)
            spent += count
        return chosen
