"""The full-text index: words from Python analysers in a contentless FTS5 table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from celestial_engine.core.text.words import Analyser, PairsAndStems
from celestial_engine.errors import AnalyserMissingError, Problem, Reason, problem
from celestial_engine.ports import Progress
from celestial_engine.storage.sqlite.dialect import Database, in_list
from celestial_engine.storage.sqlite.key_sets import Keys
from celestial_engine.storage.sqlite.rows import indexed_text
from celestial_engine.storage.sqlite.search.word_ranking import Frequency, ranked

if TYPE_CHECKING:
    from celestial_engine.core.retrieval.bm25 import WordWeights

_TOLD_EVERY = 100
_MERGED_PAGES = 500  # per transaction
_MOST_RANGES = 64


def _kind(name: str) -> str:
    return name.partition("-")[0]


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
        self._analysers: dict[str, Analyser] = {}
        self._preferred = preferred
        self._insists = insists

    @property
    def preferred(self) -> Analyser:
        return self._of(self._preferred) or PairsAndStems()

    def analyser(self, db: Database) -> Analyser:
        """Returns the analyser that made the words of the index."""
        return self.analyser_named(self._noted(db))

    def analyser_named(self, name: str) -> Analyser:
        analyser = self._of(_kind(name))
        if analyser is None or analyser.name != name:
            raise _missing(name)
        return analyser

    def renewal(self, db: Database) -> Analyser | None:
        return self.renewal_of(self._noted(db))

    def renewal_of(self, name: str) -> Analyser | None:
        """Returns the analyser that must rebuild the words: of a new database, or after its version changed."""
        analyser = self._of(_kind(name))
        if analyser is None:
            if name and not self._insists:
                raise _missing(name)
            return self.preferred
        return None if analyser.name == name else analyser

    def _of(self, kind: str) -> Analyser | None:
        if kind not in self._analysers and kind in self._makers:
            self._analysers[kind] = self._makers[kind]()
        return self._analysers.get(kind)

    def _noted(self, db: Database) -> str:
        row = db.execute("SELECT value FROM meta WHERE key = 'analyser'").fetchone()
        return "" if row is None else str(row[0])

    def add(self, db: Database, seq: int, text: str) -> None:
        self.add_many(db, [(seq, text)])

    def add_many(self, db: Database, texts: Iterable[tuple[int, str]]) -> None:
        words_of = self.analyser(db).index_words
        db.executemany(
            "INSERT INTO words (rowid, body) VALUES (?, ?)", ((seq, " ".join(words_of(text))) for seq, text in texts)
        )

    def _add(self, db: Database, analyser: Analyser, seq: int, text: str) -> None:
        db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (seq, " ".join(analyser.index_words(text))))

    def remove(self, db: Database, seq: int, text: str) -> None:
        """Removes a memory; a contentless table needs the words that it removes."""
        db.execute(
            "INSERT INTO words (words, rowid, body) VALUES ('delete', ?, ?)",
            (seq, " ".join(self.analyser(db).index_words(text))),
        )

    def search(
        self,
        db: Database,
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
        return ranked(_FtsPostings(db, low, high, among), self.analyser(db), question, total, limit)

    def rebuild(self, db: Database, analyser: Analyser, progress: Progress | None = None) -> int:
        """Rebuilds the index from the texts with this analyser; returns how many there were."""
        db.execute("INSERT INTO words (words) VALUES ('delete-all')")
        db.execute("INSERT OR REPLACE INTO meta VALUES ('analyser', ?)", (analyser.name,))
        (total,) = db.execute("SELECT ifnull(sum(orbiting), 0) FROM owners").fetchone()
        rows = db.execute(
            "SELECT seq, content, facets FROM items JOIN texts USING (seq) WHERE state IN ('active', 'faded') "
            "ORDER BY seq"
        )
        count = 0
        for count, (seq, content, facets) in enumerate(rows, 1):
            self._add(db, analyser, seq, indexed_text(content, facets))
            if progress is not None and count % _TOLD_EVERY == 0:
                progress(count, max(count, total))
        return count

    def merge(self, db: Database, *, first: bool) -> bool:
        """Takes a step towards one segment without deleted words; False when there is nothing left to do."""
        before = db.total_changes
        # A negative number starts merging all segments into one; positive ones continue.
        pages = -_MERGED_PAGES if first else _MERGED_PAGES
        db.execute("INSERT INTO words (words, rank) VALUES ('merge', ?)", (pages,))
        return db.total_changes - before > 1

    def problems(self, db: Database) -> list[Problem]:
        """Returns how the index differs from the texts."""
        analyser = self.analyser(db)
        expected: Counter[str] = Counter()
        keys: set[int] = set()
        for seq, content, facets in db.execute(
            "SELECT seq, content, facets FROM items JOIN texts USING (seq) WHERE state IN ('active', 'faded')"
        ):
            keys.add(seq)
            expected.update(set(analyser.index_words(indexed_text(content, facets))))
        problems = []
        indexed = {seq for (seq,) in db.execute("SELECT id FROM words_docsize")}
        if indexed != keys:
            missing, extra = len(keys - indexed), len(indexed - keys)
            problems.append(problem(None, Reason.INDEX_MISSES, missing=missing, extra=extra))
        db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_counts USING fts5vocab(main, words, row)")
        if dict(db.execute("SELECT term, doc FROM temp.word_counts").fetchall()) != expected:
            problems.append(problem(None, Reason.INDEX_DIFFERS))
        return problems


class _FtsPostings:
    """The words of the keys from `low` to `high`, or of `among`."""

    def __init__(self, db: Database, low: int, high: int, among: Keys | None) -> None:
        self._db = db
        self._low, self._high = low, high
        self._ranges = [(low, high)]
        self._chosen: tuple[int, bytes] | None = None
        if among is not None:
            self._ranges, self._chosen = among.ranges(), among.as_digits()
            if len(self._ranges) > _MOST_RANGES:
                self._ranges = [(self._ranges[-1][0], self._ranges[0][1])]

    @property
    def filtered(self) -> bool:
        return self._chosen is not None

    def frequencies(self, words: Sequence[str], most: int) -> dict[str, Frequency]:
        return {word: self._frequency(word, most) for word in words}

    def _frequency(self, word: str, most: int) -> Frequency:
        rows, oldest = self._db.execute(
            "SELECT count(*), min(rowid) FROM (SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? "
            "ORDER BY rowid DESC LIMIT ?)",
            (_match(word), self._low, self._high, most),
        ).fetchone()
        return Frequency(rows, oldest or 0)

    def newest_key(self) -> int:
        row = self._db.execute("SELECT max(seq) FROM items WHERE seq BETWEEN ? AND ?", (self._low, self._high))
        return int(row.fetchone()[0])

    def newest(self, word: str, most: int) -> list[int]:
        return self._newest(_match(word), most)

    def newest_of(self, word: str, leading: Sequence[str], scores: Mapping[int, float], most: int) -> list[int]:
        return self._newest(f"{_match(word)} AND ({' OR '.join(map(_match, leading))})", most)

    def _newest(self, match: str, most: int) -> list[int]:
        condition, values = "1", list[bytes | int]()
        if self._chosen is not None:  # filter in SQL: excluded rows never reach Python
            first, digits = self._chosen
            condition, values = "substr(?, rowid - ? + 1, 1) = x'31'", [digits, first]
        keys: list[int] = []
        for low, high in self._ranges:
            rows = self._db.execute(
                f"SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? AND {condition} "
                "ORDER BY rowid DESC LIMIT ?",
                (match, low, high, *values, most - len(keys)),
            )
            keys += [key for (key,) in rows]
        return keys

    def texts(self, keys: Sequence[int]) -> dict[int, str]:
        marks, values = in_list(keys)
        return dict(self._db.execute(f"SELECT seq, content FROM texts WHERE seq IN ({marks})", values).fetchall())


def _match(word: str) -> str:
    """Returns the quoted word, so that a query cannot contain FTS5 operators."""
    return f'"{word}"'


def _missing(analyser: str) -> AnalyserMissingError:
    from celestial_engine.install_hints import install_command

    return AnalyserMissingError(analyser=analyser, install=install_command("korean"))
