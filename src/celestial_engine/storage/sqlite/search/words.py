"""The full-text index: words from Python analysers in a contentless FTS5 table."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from heapq import nlargest

from celestial_engine.core.retrieval.bm25 import WordWeights, average_length, rarity
from celestial_engine.core.text.words import Analyser, PairsAndStems
from celestial_engine.errors import AnalyserMissingError, Problem, Reason, problem
from celestial_engine.ports import Progress
from celestial_engine.storage.sqlite.key_sets import Keys
from celestial_engine.storage.sqlite.rows import indexed_text

# These limit the work of a query, however large the store is. Its rarest words lead until their rows reach the limit;
# the next few words only weigh what the leading ones found; so many texts are read in full.
_MOST_ROWS = 5_000
_MOST_FOLLOWING = 4
_READ_TEXTS = 40
_READ_CHARACTERS = 4_000
_TOLD_EVERY = 100
_MERGED_PAGES = 500  # per transaction
_MOST_RANGES = 64
# With a filter, the row lists of common words are read completely: at most this many rows, unless too few memories
# were found by then.
_MOST_WALKED = 150_000


def _kind(name: str) -> str:
    return name.partition("-")[0]


@dataclass(frozen=True)
class _Word:
    """A query word that occurs in the index."""

    text: str
    rows: int  # rows of the index that are read for it without a filter
    having: float  # how many memories have it; an estimate if they are many
    rarity: float

    @property
    def match(self) -> str:
        """The quoted word, so that a query cannot contain FTS5 operators."""
        return f'"{self.text}"'


class WordIndex:
    """Kept in step with the texts, in the same transaction, with the words of a single analyser.

    The database stores which one: another process may have changed it a moment ago.
    """

    def __init__(
        self,
        makers: Mapping[str, Callable[[], Analyser]] | None = None,
        preferred: str = "pairs",
        *,
        insists: bool = False,
    ) -> None:
        """Takes analysers by kind, created on first use because some load slowly.

        The preferred one indexes a new database; with `insists` it replaces one that is not installed.
        """
        self._makers: dict[str, Callable[[], Analyser]] = {"pairs": PairsAndStems, **(makers or {})}
        self._made: dict[str, Analyser] = {}
        self._preferred = preferred
        self._insists = insists

    @property
    def preferred(self) -> Analyser:
        return self._of(self._preferred) or PairsAndStems()

    def analyser(self, db: sqlite3.Connection) -> Analyser:
        """Returns the analyser that made the words of the index."""
        name = self._noted(db)
        known = self._of(_kind(name))
        if known is None or known.name != name:
            raise _missing(name)
        return known

    def renewal(self, db: sqlite3.Connection) -> Analyser | None:
        """Returns the analyser that must rebuild the words: of a new database, or after its version changed."""
        name = self._noted(db)
        known = self._of(_kind(name))
        if known is None:
            if name and not self._insists:
                raise _missing(name)
            return self.preferred
        return None if known.name == name else known

    def _of(self, kind: str) -> Analyser | None:
        if kind not in self._made and kind in self._makers:
            self._made[kind] = self._makers[kind]()
        return self._made.get(kind)

    def _noted(self, db: sqlite3.Connection) -> str:
        row = db.execute("SELECT value FROM meta WHERE key = 'analyser'").fetchone()
        return "" if row is None else str(row[0])

    def add(self, db: sqlite3.Connection, seq: int, text: str) -> None:
        self._add(db, self.analyser(db), seq, text)

    def _add(self, db: sqlite3.Connection, analyser: Analyser, seq: int, text: str) -> None:
        db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (seq, " ".join(analyser.index_words(text))))

    def remove(self, db: sqlite3.Connection, seq: int, text: str) -> None:
        """Removes a memory; a contentless table needs the words that it removes."""
        db.execute(
            "INSERT INTO words (words, rowid, body) VALUES ('delete', ?, ?)",
            (seq, " ".join(self.analyser(db).index_words(text))),
        )

    def search(
        self,
        db: sqlite3.Connection,
        question: str,
        low: int,
        high: int,
        total: int,
        limit: int,
        among: Keys | None = None,
    ) -> tuple[list[tuple[int, float]], WordWeights]:
        """Returns keys from `low` to `high`, or of `among`, with their BM25, best first.

        Any word counts, none is required. Word weights come from all memories, but only those of `among` are ranked.
        """
        most, analyser = max(_MOST_ROWS, limit), self.analyser(db)
        words = [_looked_up(db, word, low, high, total, most) for word in analyser.query_words(question)]
        rarities = {word.text: word.rarity for word in words}
        reach = _Reach(db, low, high, most, among)
        leading, following = reach.leading([word for word in words if word.rows], limit)
        weights: dict[int, float] = {}
        for word, keys in leading.items():
            for key in keys:
                weights[key] = weights.get(key, 0.0) + word.rarity
        having = {word.text: set(keys) for word, keys in leading.items()}
        anyone = " OR ".join(word.match for word in leading)
        for word in following[:_MOST_FOLLOWING]:
            keys = reach.newest(f"{word.match} AND ({anyone})")
            having[word.text] = set(keys)
            for key in keys:
                if key in weights:
                    weights[key] += word.rarity
        promising = nlargest(max(_READ_TEXTS, limit), weights, key=lambda key: (weights[key], key))
        found, word_weights = _scored(db, analyser, promising, rarities, having, weights)
        return found[:limit], word_weights

    def rebuild(self, db: sqlite3.Connection, analyser: Analyser, progress: Progress | None = None) -> int:
        """Rebuilds the index from the texts with this analyser; returns how many there were."""
        db.execute("INSERT INTO words (words) VALUES ('delete-all')")
        db.execute("INSERT OR REPLACE INTO meta VALUES ('analyser', ?)", (analyser.name,))
        (total,) = db.execute("SELECT ifnull(sum(orbiting), 0) FROM owners").fetchone()
        rows = db.execute(
            "SELECT seq, content, facets FROM items JOIN texts USING (seq) WHERE state IN ('active', 'faded') "
            "ORDER BY seq"
        )
        done = 0
        for done, (seq, content, facets) in enumerate(rows, 1):
            self._add(db, analyser, seq, indexed_text(content, facets))
            if progress is not None and done % _TOLD_EVERY == 0:
                progress(done, max(done, total))
        return done

    def merge(self, db: sqlite3.Connection, *, first: bool) -> bool:
        """Takes a step towards one segment without deleted words; False when there is nothing left to do."""
        before = db.total_changes
        # A negative number starts merging all segments into one; positive ones continue.
        pages = -_MERGED_PAGES if first else _MERGED_PAGES
        db.execute("INSERT INTO words (words, rank) VALUES ('merge', ?)", (pages,))
        return db.total_changes - before > 1

    def problems(self, db: sqlite3.Connection) -> list[Problem]:
        """Returns how the index differs from the texts."""
        analyser = self.analyser(db)
        expected: Counter[str] = Counter()
        keys: set[int] = set()
        for seq, content, facets in db.execute(
            "SELECT seq, content, facets FROM items JOIN texts USING (seq) WHERE state IN ('active', 'faded')"
        ):
            keys.add(seq)
            expected.update(set(analyser.index_words(indexed_text(content, facets))))
        found = []
        indexed = {seq for (seq,) in db.execute("SELECT id FROM words_docsize")}
        if indexed != keys:
            missing, extra = len(keys - indexed), len(indexed - keys)
            found.append(problem(None, Reason.INDEX_MISSES, missing=missing, extra=extra))
        db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_counts USING fts5vocab(main, words, row)")
        if dict(db.execute("SELECT term, doc FROM temp.word_counts").fetchall()) != expected:
            found.append(problem(None, Reason.INDEX_DIFFERS))
        return found


def _looked_up(db: sqlite3.Connection, text: str, low: int, high: int, total: int, most: int) -> _Word:
    """Counts the memories with the word up to the limit; beyond, estimates from the newest."""
    rows, oldest = db.execute(
        "SELECT count(*), min(rowid) FROM (SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? "
        "ORDER BY rowid DESC LIMIT ?)",
        (f'"{text}"', low, high, most),
    ).fetchone()
    having = float(rows)
    if rows == most:
        (newest,) = db.execute("SELECT max(seq) FROM items WHERE seq BETWEEN ? AND ?", (low, high)).fetchone()
        having = min(float(total), total * rows / (newest - oldest + 1))
    return _Word(text, rows, having, rarity(having, total))


class _Reach:
    """The keys whose texts are searched."""

    def __init__(self, db: sqlite3.Connection, low: int, high: int, most: int, among: Keys | None) -> None:
        self._db = db
        self._most = most
        self._ranges = [(low, high)]
        self._chosen: tuple[int, bytes] | None = None
        if among is not None:
            self._ranges, self._chosen = among.ranges(), among.as_digits()
            if len(self._ranges) > _MOST_RANGES:
                self._ranges = [(self._ranges[-1][0], self._ranges[0][1])]

    def leading(self, words: list[_Word], wanted: int) -> tuple[dict[_Word, list[int]], list[_Word]]:
        """Returns the rarest words with their memories, at least one word, and the remaining words."""
        ranked = sorted(words, key=lambda word: word.rarity, reverse=True)
        leading: dict[_Word, list[int]] = {}
        rows, walked = 0, 0.0
        for place, word in enumerate(ranked):
            enough = rows + word.rows > self._most
            if self._chosen is not None:  # the counts are not known in advance
                enough = rows > self._most or (rows >= wanted and walked + word.having > _MOST_WALKED)
            if place and enough:
                return leading, ranked[place:]
            leading[word] = self.newest(word.match)
            rows += len(leading[word])
            walked += word.having
        return leading, []

    def newest(self, match: str) -> list[int]:
        """Returns the newest matches, up to the limit."""
        condition, values = "1", list[bytes | int]()
        if self._chosen is not None:  # filter in SQL: excluded rows never reach Python
            first, digits = self._chosen
            condition, values = "substr(?, rowid - ? + 1, 1) = x'31'", [digits, first]
        found: list[int] = []
        for low, high in self._ranges:
            rows = self._db.execute(
                f"SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? AND {condition} "
                "ORDER BY rowid DESC LIMIT ?",
                (match, low, high, *values, self._most - len(found)),
            )
            found += [key for (key,) in rows]
        return found


def _scored(
    db: sqlite3.Connection,
    analyser: Analyser,
    keys: list[int],
    rarities: dict[str, float],
    having: dict[str, set[int]],
    sums: dict[int, float],
) -> tuple[list[tuple[int, float]], WordWeights]:
    texts = []
    for key in keys:
        row = db.execute("SELECT content FROM texts WHERE seq = ?", (key,)).fetchone()
        content = "" if row is None else row[0]  # the index has a stale row; `check` reports it
        words = analyser.quick_words(content[:_READ_CHARACTERS])
        # Only the index knows words far down a long text, and words that are slow to analyse.
        texts.append(words + [word for word, holders in having.items() if key in holders and word not in words])
    weights = WordWeights(rarities, average_length(texts), sums)
    scores = zip(keys, map(weights.score, texts), strict=True)
    return sorted(scores, key=lambda pair: (pair[1], pair[0]), reverse=True), weights


def _missing(analyser: str) -> AnalyserMissingError:
    from celestial_engine.install_hints import install_command

    return AnalyserMissingError(analyser=analyser, install=install_command("korean"))
