"""The word index: a row for every word of a memory, by owner and word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from celestial_engine.core.text.words import Analyser
from celestial_engine.errors import Problem, Reason, problem
from celestial_engine.ports import Progress
from celestial_engine.storage.postgres.database import PostgresDatabase
from celestial_engine.storage.sqlite.key_sets import Keys
from celestial_engine.storage.sqlite.rows import indexed_text
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT
from celestial_engine.storage.sqlite.search.word_ranking import Frequency

_KEYS_IN_SQL = 10_000  # a filter of more keys is applied here
_FEW_ROWS = 1_000  # that come with the count of a word
_TEXTS_AT_ONCE = 500
_TEXTS = f"SELECT owner, seq, content, facets FROM items JOIN texts USING (owner, seq) WHERE {IN_ORBIT}"


def add_words(db: PostgresDatabase, owner: int, seq: int, words: Sequence[str]) -> None:
    if words:
        db.send(
            "INSERT INTO words (owner, word, seq) SELECT ?, word, ? FROM unnest(?::text[]) AS word",
            (owner, seq, sorted(set(words))),
        )


def remove_words(db: PostgresDatabase, owner: int, seq: int, words: Sequence[str]) -> None:
    db.send(
        "DELETE FROM words WHERE owner = ? AND word = ANY(?::text[]) AND seq = ?", (owner, sorted(set(words)), seq)
    )


def rebuild_words(db: PostgresDatabase, analyser: Analyser, progress: Progress | None = None) -> int:
    """Rebuilds the index of all owners from the texts; returns how many there were."""
    db.execute("DELETE FROM words")
    db.execute(
        "INSERT INTO meta (key, value) VALUES ('analyser', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (analyser.name,),
    )
    (total,) = db.execute("SELECT coalesce(sum(orbiting), 0)::bigint FROM owner_state").fetchone()
    count, last = 0, (0, 0)
    while rows := db.execute(
        f"{_TEXTS} AND (owner, seq) > (?, ?) ORDER BY owner, seq LIMIT ?", (*last, _TEXTS_AT_ONCE)
    ).fetchall():
        for owner, seq, content, facets in rows:
            add_words(db, owner, seq, analyser.index_words(indexed_text(content, facets)))
        count, last = count + len(rows), rows[-1][:2]
        if progress is not None:
            progress(count, max(count, total))
    return count


def word_problems(db: PostgresDatabase, analyser: Analyser) -> list[Problem]:
    """Returns how the index differs from the texts."""
    expected: Counter[tuple[int, int]] = Counter()
    differs = False
    for owner, seq, content, facets in db.execute(_TEXTS).fetchall():
        words = set(analyser.index_words(indexed_text(content, facets)))
        rows = db.execute(
            "SELECT count(*) FROM words WHERE owner = ? AND word = ANY(?::text[]) AND seq = ?",
            (owner, sorted(words), seq),
        ).fetchone()
        expected[owner, seq] = len(words)
        differs = differs or rows[0] != len(words)
    indexed = {(owner, seq): rows for owner, seq, rows in db.execute(
        "SELECT owner, seq, count(*) FROM words GROUP BY owner, seq"
    ).fetchall()}  # fmt: skip
    problems = []
    worded = {key for key, count in expected.items() if count}
    if indexed.keys() != worded:
        missing, extra = len(worded - indexed.keys()), len(indexed.keys() - worded)
        problems.append(problem(None, Reason.INDEX_MISSES, missing=missing, extra=extra))
    if differs or any(expected[key] != rows for key, rows in indexed.items()):
        problems.append(problem(None, Reason.INDEX_DIFFERS))
    return problems


class TablePostings:
    """The words of one owner's memories, or of those of `among`."""

    def __init__(self, db: PostgresDatabase, owner: int, among: Keys | None) -> None:
        self._db, self._owner, self._among = db, owner, among
        self._few = list(among) if among is not None and len(among) <= _KEYS_IN_SQL else None
        self._read: dict[str, list[int]] = {}

    @property
    def filtered(self) -> bool:
        return self._among is not None

    def frequencies(self, words: Sequence[str], most: int) -> dict[str, Frequency]:
        # The keys of rare words come with their count, which saves a query for each of them.
        rows = self._db.execute(
            "SELECT asked.word, count(*), min(seq), CASE WHEN count(*) <= ? THEN array_agg(seq) END "
            "FROM unnest(?::text[]) AS asked (word) CROSS JOIN LATERAL "
            "(SELECT seq FROM words WHERE owner = ? AND words.word = asked.word ORDER BY seq DESC LIMIT ?) AS newest "
            "GROUP BY asked.word",
            (_FEW_ROWS if self._among is None else -1, list(words), self._owner, most),
        ).fetchall()
        self._read = {word: sorted(keys, reverse=True) for word, _, _, keys in rows if keys is not None}
        return {word: Frequency(count, oldest) for word, count, oldest, _ in rows}

    def newest_key(self) -> int:
        row = self._db.execute("SELECT max(seq) FROM items WHERE owner = ?", (self._owner,)).fetchone()
        return int(row[0])

    def newest(self, word: str, most: int) -> list[int]:
        if word in self._read:
            return self._read[word][:most]
        if self._few is not None:
            return self._rows(word, self._few, most)
        rows = self._db.execute(
            "SELECT seq FROM words WHERE owner = ? AND word = ? ORDER BY seq DESC"
            + ("" if self._among is not None else " LIMIT ?"),
            (self._owner, word, *(() if self._among is not None else (most,))),
        )
        if self._among is None:
            return [seq for (seq,) in rows]
        return [seq for (seq,) in rows if seq in self._among][:most]

    def newest_of(self, word: str, leading: Sequence[str], scores: Mapping[int, float], most: int) -> list[int]:
        return self._rows(word, list(scores), most)

    def _rows(self, word: str, keys: list[int], most: int) -> list[int]:
        rows = self._db.execute(
            "SELECT seq FROM words WHERE owner = ? AND word = ? AND seq = ANY(?) ORDER BY seq DESC LIMIT ?",
            (self._owner, word, keys, most),
        )
        return [seq for (seq,) in rows]

    def texts(self, keys: Sequence[int]) -> dict[int, str]:
        rows = self._db.execute(
            "SELECT seq, content FROM texts WHERE owner = ? AND seq = ANY(?)", (self._owner, list(keys))
        )
        return dict(rows.fetchall())
