"""The full-text index: words made in Python, in a contentless FTS5 table that knows who has which word."""

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
from celestial_engine.storage.sqlite.rows import told_text

# A question's work is bounded, however large the store. Its rarest words lead, until together they have so
# many rows of the index; the next few only weigh what the leading ones found; so many texts are read in full.
_MOST_ROWS = 5_000
_MOST_FOLLOWING = 4
_READ_TEXTS = 40
_READ_CHARACTERS = 4_000
_TOLD_EVERY = 100
_MERGED_PAGES = 500  # a transaction
_MOST_RANGES = 64
# Within a filter the lists of common words are read from end to end: no more of them than this, unless too few
# memories were found by then.
_MOST_WALKED = 150_000


def _kind(name: str) -> str:
    return name.partition("-")[0]


@dataclass(frozen=True)
class _Word:
    """A word of a question that somebody has."""

    text: str
    rows: int  # of the index that will be read for it, where there is no filter
    having: float  # how many have it, by estimate if they are many
    rarity: float

    @property
    def match(self) -> str:
        """Quoted, every word is a word: no operator of FTS5 can come from a question."""
        return f'"{self.text}"'


class WordIndex:
    """Kept in step with the texts, in the same transaction, with the words of one analyser alone.

    Which one is written in the database: another process may have changed it a moment ago.
    """

    def __init__(
        self,
        makers: Mapping[str, Callable[[], Analyser]] | None = None,
        preferred: str = "pairs",
        *,
        insists: bool = False,
    ) -> None:
        """Analysers by their kind, made when first needed: some take long to load.

        The preferred one makes the words of a new database; who insists has it replace one that is not here.
        """
        self._makers: dict[str, Callable[[], Analyser]] = {"pairs": PairsAndStems, **(makers or {})}
        self._made: dict[str, Analyser] = {}
        self._preferred = preferred
        self._insists = insists

    @property
    def preferred(self) -> Analyser:
        return self._of(self._preferred) or PairsAndStems()

    def analyser(self, db: sqlite3.Connection) -> Analyser:
        """The one whose words the index holds."""
        name = self._noted(db)
        known = self._of(_kind(name))
        if known is None or known.name != name:
            raise _missing(name)
        return known

    def renewal(self, db: sqlite3.Connection) -> Analyser | None:
        """The analyser that has to make the words anew: of a new database, or for another version of itself."""
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
        """A contentless table must be told the words that it is to forget."""
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
        """Keys between `low` and `high`, or of `among`, with their BM25, best first.

        Any word counts, none is required. What a word weighs it weighs among all; who is not among those asked for
        does not stand in anybody's way.
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
        """From the texts, all over again, by this analyser; gives how many there were."""
        db.execute("INSERT INTO words (words) VALUES ('delete-all')")
        db.execute("INSERT OR REPLACE INTO meta VALUES ('analyser', ?)", (analyser.name,))
        (total,) = db.execute("SELECT ifnull(sum(orbiting), 0) FROM owners").fetchone()
        rows = db.execute(
            "SELECT seq, content, facets FROM items JOIN texts USING (seq) WHERE state IN ('active', 'faded') "
            "ORDER BY seq"
        )
        done = 0
        for done, (seq, content, facets) in enumerate(rows, 1):
            self._add(db, analyser, seq, told_text(content, facets))
            if progress is not None and done % _TOLD_EVERY == 0:
                progress(done, max(done, total))
        return done

    def merge(self, db: sqlite3.Connection, *, first: bool) -> bool:
        """A step towards one segment, in which no deleted word is left; False when there is nothing more to do."""
        before = db.total_changes
        # A negative number makes all segments one merge; positive ones go on with it.
        pages = -_MERGED_PAGES if first else _MERGED_PAGES
        db.execute("INSERT INTO words (words, rank) VALUES ('merge', ?)", (pages,))
        return db.total_changes - before > 1

    def problems(self, db: sqlite3.Connection) -> list[Problem]:
        """How the index differs from what the texts say."""
        analyser = self.analyser(db)
        expected: Counter[str] = Counter()
        keys: set[int] = set()
        for seq, content, facets in db.execute(
            "SELECT seq, content, facets FROM items JOIN texts USING (seq) WHERE state IN ('active', 'faded')"
        ):
            keys.add(seq)
            expected.update(set(analyser.index_words(told_text(content, facets))))
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
    """How many have the word: counted up to the bound, beyond that as dense as among the newest."""
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
    """The keys in whose texts words are looked for."""

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
        """The rarest words with whoever has them, at least one word, and the words that are left."""
        ranked = sorted(words, key=lambda word: word.rarity, reverse=True)
        leading: dict[_Word, list[int]] = {}
        rows, walked = 0, 0.0
        for place, word in enumerate(ranked):
            enough = rows + word.rows > self._most
            if self._chosen is not None:  # how many there will be, nobody knows before
                enough = rows > self._most or (rows >= wanted and walked + word.having > _MOST_WALKED)
            if place and enough:
                return leading, ranked[place:]
            leading[word] = self.newest(word.match)
            rows += len(leading[word])
            walked += word.having
        return leading, []

    def newest(self, match: str) -> list[int]:
        """However many others match: all of these are found, up to the bound."""
        condition, values = "1", list[bytes | int]()
        if self._chosen is not None:  # asked in SQL: whoever is not chosen never comes to Python
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
        content = "" if row is None else row[0]  # the index knows more than there is; `check` says so
        words = analyser.quick_words(content[:_READ_CHARACTERS])
        # The index alone knows what stands further down a long text, and what takes long to make out.
        texts.append(words + [word for word, holders in having.items() if key in holders and word not in words])
    weights = WordWeights(rarities, average_length(texts), sums)
    scores = zip(keys, map(weights.score, texts), strict=True)
    return sorted(scores, key=lambda pair: (pair[1], pair[0]), reverse=True), weights


def _missing(analyser: str) -> AnalyserMissingError:
    from celestial_engine.install_hints import install_command

    return AnalyserMissingError(analyser=analyser, install=install_command("korean"))
