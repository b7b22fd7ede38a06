"""The full-text index: words made in Python, in a contentless FTS5 table that knows who has which word."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import islice

from celestial_engine.core.bm25 import WordWeights, average_length, rarity
from celestial_engine.core.words import Analyser, PairsAndStems
from celestial_engine.errors import AnalyserMissingError
from celestial_engine.storage.sqlite.keys import Keys
from celestial_engine.storage.sqlite.rows import told_text

# A question's work is bounded, however large the store. Its rarest words lead, until together they have so
# many rows of the index; the next few only weigh what the leading ones found; so many texts are read in full.
_MOST_ROWS = 5_000
_MOST_FOLLOWING = 4
_READ_TEXTS = 40
_READ_CHARACTERS = 4_000
_TOLD_EVERY = 100
_MOST_RANGES = 64


def _kind(name: str) -> str:
    return name.partition("-")[0]


@dataclass(frozen=True)
class _Word:
    """A word of a question that somebody has."""

    text: str
    rows: int  # of the index that will be read for it
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
            raise AnalyserMissingError(analyser=name)
        return known

    def renewal(self, db: sqlite3.Connection) -> Analyser | None:
        """The analyser that has to make the words anew: of a new database, or for another version of itself."""
        name = self._noted(db)
        known = self._of(_kind(name))
        if known is None:
            if name and not self._insists:
                raise AnalyserMissingError(analyser=name)
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
        within: dict[str, list[int]] = {}
        if among is not None:
            within = {word.text: _newest_of(db, word.match, among, most) for word in words if word.rows}
            words = [replace(word, rows=len(within.get(word.text, ()))) for word in words]
        leading, following = _by_rarity([word for word in words if word.rows], most)
        weights: dict[int, float] = {}
        having: dict[str, set[int]] = {}
        for word in leading:
            keys = within[word.text] if within else _newest(db, word.match, low, high, most)
            having[word.text] = set(keys)
            for key in keys:
                weights[key] = weights.get(key, 0.0) + word.rarity
        anyone = " OR ".join(word.match for word in leading)
        for word in following[:_MOST_FOLLOWING]:
            keys = within[word.text] if within else _newest(db, f"{word.match} AND ({anyone})", low, high, most)
            having[word.text] = set(keys)
            for key in keys:
                if key in weights:
                    weights[key] += word.rarity
        promising = nlargest(max(_READ_TEXTS, limit), weights, key=lambda key: (weights[key], key))
        found, word_weights = _scored(db, analyser, promising, rarities, having, weights)
        return found[:limit], word_weights

    def rebuild(
        self, db: sqlite3.Connection, analyser: Analyser, progress: Callable[[int, int], None] | None = None
    ) -> int:
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

    def problems(self, db: sqlite3.Connection) -> list[str]:
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
            found.append(f"full-text index: {len(keys - indexed)} memories missing, {len(indexed - keys)} too many")
        db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_counts USING fts5vocab(main, words, row)")
        if dict(db.execute("SELECT term, doc FROM temp.word_counts").fetchall()) != expected:
            found.append("full-text index: its words differ from the texts")
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
    return _Word(text, rows, rarity(having, total))


def _by_rarity(words: list[_Word], most: int) -> tuple[list[_Word], list[_Word]]:
    """The words that lead, as many as the bound allows but at least one, and those that follow."""
    ranked = sorted(words, key=lambda word: word.rarity, reverse=True)
    rows = 0
    for place, word in enumerate(ranked):
        rows += word.rows
        if place and rows > most:
            return ranked[:place], ranked[place:]
    return ranked, []


def _newest(db: sqlite3.Connection, match: str, low: int, high: int, most: int) -> list[int]:
    rows = db.execute(
        "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?",
        (match, low, high, most),
    )
    return [key for (key,) in rows]


def _newest_of(db: sqlite3.Connection, match: str, among: Keys, most: int) -> list[int]:
    """However many others have the word: all of these are found, up to the bound."""
    ranges = among.ranges()
    if len(ranges) > _MOST_RANGES:
        ranges = [(ranges[-1][0], ranges[0][1])]
    found: list[int] = []
    for low, high in ranges:
        rows = db.execute(
            "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC",
            (match, low, high),
        )
        found += islice((key for (key,) in rows if key in among), most - len(found))
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
