"""Vectors: scanned by sign codes, the nearest compared exactly. No index file, nothing to rebuild."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from operator import itemgetter
from struct import Struct

from celestial_engine.errors import Problem, Reason, problem
from celestial_engine.storage.sqlite.dialect import Database, in_list
from celestial_engine.storage.sqlite.key_sets import Keys
from celestial_engine.storage.sqlite.rows import vector_blob
from celestial_engine.storage.sqlite.search.codes import CodeCache, OwnerCodes, read_centre
from celestial_engine.storage.sqlite.search.scans import numpy_if_loaded
from celestial_engine.storage.sqlite.search.signs import centre_of, code_of, dot, norm_of

COMPARED = 600  # how many of the nearest sign codes are compared exactly; an owner with fewer: all
_SQL_VARIABLES = 500
CENTRES_AT = (1_000, 10_000)  # vector counts at which the centre is computed and then improved
_CENTRE_SAMPLE = 500
_COUNTED_EVERY = 32
_RECODED_AT_ONCE = 1_000
_WITHOUT = (
    "items JOIN texts USING (seq) "
    "WHERE seq > ? AND state IN ('active', 'faded') AND seq NOT IN (SELECT seq FROM vectors)"
)

KeyScore = tuple[int, float]
Row = tuple[int, bytes, float | None]  # key, vector, and its norm if known


class VectorTable:
    """Vectors of one model, in one transaction. Only memories in orbit have signs and are found."""

    def __init__(self, db: Database, cache: CodeCache | None = None) -> None:
        """A writer has no cache: its changes may be rolled back."""
        self._db = db
        self._cache = cache
        self._centre_read = False
        self._centre: array[float] | None = None

    # -- search -------------------------------------------------------------------------------------

    def search(
        self, low: int, high: int, vector: Sequence[float], limit: int, among: Keys | None = None
    ) -> list[KeyScore]:
        """Returns keys from `low` to `high`, or of `among`, with their cosine, nearest first; only above 0."""
        keys = self._candidates(low, high, array("f", vector), max(COMPARED, limit), among)
        pairs = [pair for pair in self.compare(keys, vector) if pair[1] > 0.0]
        pairs.sort(key=itemgetter(1), reverse=True)
        best: list[KeyScore] = []
        for start in range(0, len(pairs), max(1, limit)):
            if len(best) >= limit:
                break
            part = pairs[start : start + limit]
            # The cache may contain a memory that returned to orbit after this transaction began.
            searched = self._searchable([seq for seq, _ in part])
            best += [pair for pair in part if pair[0] in searched]
        return best[:limit]

    def read(self, keys: Sequence[int]) -> list[tuple[int, Sequence[float]]]:
        """Returns the vector of each key that has one."""
        return [(seq, array("f", blob)) for seq, blob, _ in self._vectors_of(keys)]

    def compare(self, keys: Sequence[int], vector: Sequence[float]) -> list[KeyScore]:
        """Returns the exact cosine of each key that has a vector of this length."""
        return self.compared(self._vectors_of(keys), vector)

    def compared(self, rows: Sequence[Row], vector: Sequence[float]) -> list[KeyScore]:
        """Returns the exact cosine of each row with a vector of this length."""
        query = array("f", vector)
        length = norm_of(query)
        rows = [row for row in rows if len(row[1]) == len(query) * query.itemsize]
        if not rows or length == 0.0:
            return []
        return _cosines_by_numpy(rows, query, length) if numpy_if_loaded() else _cosines(rows, query, length)

    def _candidates(self, low: int, high: int, query: Sequence[float], count: int, among: Keys | None) -> list[int]:
        if among is not None and len(among) <= count:
            return list(among)
        more = self._db.execute(
            "SELECT 1 FROM signs WHERE seq BETWEEN ? AND ? LIMIT 1 OFFSET ?", (low, high, count)
        ).fetchone()
        if more is None:
            rows = self._db.execute("SELECT seq FROM signs WHERE seq BETWEEN ? AND ?", (low, high))
            return [seq for (seq,) in rows if among is None or seq in among]
        if self._cache is None:
            return OwnerCodes(self._db, low, high, len(query)).nearest(query, count, among)
        return self._cache.nearest(self._db, low, high, query, count, among)

    def _vectors_of(self, keys: Sequence[int]) -> list[Row]:
        rows: list[Row] = []
        for part in _parts(keys):
            marks, values = in_list(part)
            rows += self._db.execute(f"SELECT seq, embedding, norm FROM vectors WHERE seq IN ({marks})", values)
        return rows

    def _searchable(self, keys: Sequence[int]) -> set[int]:
        searchable: set[int] = set()
        for part in _parts(keys):
            marks, values = in_list(part)
            rows = self._db.execute(f"SELECT seq FROM signs WHERE seq IN ({marks})", values)
            searchable.update(seq for (seq,) in rows)
        return searchable

    # -- change -------------------------------------------------------------------------------------

    def put(self, seq: int, embedding: list[float] | None, *, searchable: bool) -> None:
        """Stores or removes the vector and its signs. Unchanged values are not rewritten."""
        row = self._db.execute(
            "SELECT embedding, signs.seq IS NOT NULL FROM vectors LEFT JOIN signs USING (seq) WHERE seq = ?", (seq,)
        ).fetchone()
        blob = None if embedding is None else vector_blob(embedding)
        if row is not None and row[0] != blob:
            self.remove(seq)
            row = None
        if blob is None:
            return
        searched = row is not None and bool(row[1])
        if searched and searchable:
            return
        vector = array("f", blob)
        norm = norm_of(vector)
        if row is None:
            self._db.execute("INSERT INTO vectors (seq, embedding, norm) VALUES (?, ?, ?)", (seq, blob, norm))
        if searchable:
            self._add_sign(seq, vector, norm)
        elif searched:
            self._db.execute("DELETE FROM signs WHERE seq = ?", (seq,))

    def add(self, seq: int, embedding: list[float], *, searchable: bool) -> None:
        """Stores the vector of a new memory."""
        vector = array("f", vector_blob(embedding))
        norm = norm_of(vector)
        self._db.execute("INSERT INTO vectors (seq, embedding, norm) VALUES (?, ?, ?)", (seq, vector.tobytes(), norm))
        if searchable:
            self._add_sign(seq, vector, norm)

    def _add_sign(self, seq: int, vector: array[float], norm: float) -> None:
        if not self._centre_read:
            self._centre, self._centre_read = read_centre(self._db), True
        bits = code_of(vector, norm, self._centre)
        self._db.execute("INSERT INTO signs (seq, bits) VALUES (?, ?)", (seq, bits))
        if seq % _COUNTED_EVERY == 0:
            self._centre_if_due()

    def remove(self, seq: int) -> None:
        self._db.execute("DELETE FROM vectors WHERE seq = ?", (seq,))
        self._db.execute("DELETE FROM signs WHERE seq = ?", (seq,))

    def blob(self, stored: bytes) -> bytes:
        """Returns a vector as the database returns it, as floats in the order of this machine."""
        return stored

    def problems(self) -> list[Problem]:
        """Returns how many vectors cannot be compared with the others."""
        rows = self._db.execute(
            "SELECT length(embedding), count(*) FROM vectors GROUP BY 1 ORDER BY 2 DESC"
        ).fetchall()
        odd = sum(count for _, count in rows[1:])
        return [problem(None, Reason.VECTORS_DIFFER, count=odd)] if odd else []

    def remove_odd(self) -> None:
        """Removes vectors of another length than most; `reindex` makes them again."""
        for (length,) in self._db.execute(
            "SELECT length(embedding) FROM vectors GROUP BY 1 ORDER BY count(*) DESC LIMIT -1 OFFSET 1"
        ).fetchall():
            keys = self._db.execute("SELECT seq FROM vectors WHERE length(embedding) = ?", (length,)).fetchall()
            for (seq,) in keys:
                self.remove(seq)

    def remove_all(self) -> None:
        self._db.execute("DELETE FROM vectors")
        self._db.execute("DELETE FROM signs")
        self._db.execute("DELETE FROM centre")
        self._centre_read = False

    # -- centre -------------------------------------------------------------------------------------

    def _centre_if_due(self) -> None:
        """Recomputes all codes when there are enough vectors for a centre, or for a better one."""
        row = self._db.execute("SELECT made_of FROM centre").fetchone()
        made_of = 0 if row is None else int(row[0])
        due = next((step for step in CENTRES_AT if step > made_of), None)
        if due is not None and self._has(due):
            self.renew_centre()

    def renew_centre(self) -> None:
        """Computes a new centre from vectors of the whole store, so that no language or owner dominates."""
        keys = [seq for (seq,) in self._db.execute("SELECT seq FROM signs ORDER BY seq")]
        if len(keys) < CENTRES_AT[0]:
            return
        sample = self._vectors_of(keys[:: max(1, len(keys) // _CENTRE_SAMPLE)])
        centre = centre_of(array("f", blob) for _, blob, _ in sample)
        if centre is None:
            return
        self._centre, self._centre_read = centre, True
        self._db.execute("DELETE FROM centre")
        self._db.execute("INSERT INTO centre (made_of, direction) VALUES (?, ?)", (len(keys), centre.tobytes()))
        for start in range(0, len(keys), _RECODED_AT_ONCE):
            rows = self._vectors_of(keys[start : start + _RECODED_AT_ONCE])
            vectors = [(seq, array("f", blob), norm) for seq, blob, norm in rows]
            self._db.executemany(
                "UPDATE signs SET bits = ? WHERE seq = ?",
                [(code_of(vector, norm or norm_of(vector), centre), seq) for seq, vector, norm in vectors],
            )

    def _has(self, count: int) -> bool:
        query = "SELECT 1 FROM signs LIMIT 1 OFFSET ?"
        return self._db.execute(query, (count - 1,)).fetchone() is not None

    # -- who has none -------------------------------------------------------------------------------

    def dimension(self) -> int | None:
        row = self._db.execute("SELECT length(embedding) / 4 FROM vectors LIMIT 1").fetchone()
        return None if row is None else int(row[0])

    def missing(self, after: int, limit: int) -> list[tuple[int, str]]:
        return self._db.execute(
            f"SELECT seq, content FROM {_WITHOUT} ORDER BY seq LIMIT ?", (after, limit)
        ).fetchall()

    def count_missing(self, after: int) -> int:
        return int(self._db.execute(f"SELECT count(*) FROM {_WITHOUT}", (after,)).fetchone()[0])


def _parts(keys: Sequence[int]) -> Iterator[list[int]]:
    return (list(keys[start : start + _SQL_VARIABLES]) for start in range(0, len(keys), _SQL_VARIABLES))


def _cosines(rows: list[Row], query: array[float], length: float) -> list[KeyScore]:
    pairs = []
    numbers = query.tolist()
    unpacked = Struct(f"{len(query)}f").unpack  # iterating a tuple is faster than an array
    for seq, blob, norm in rows:
        vector = unpacked(blob)
        size = (norm or norm_of(vector)) * length
        if size > 0.0:
            pairs.append((seq, min(1.0, dot(vector, numbers) / size)))
    return pairs


def _cosines_by_numpy(rows: list[Row], query: array[float], length: float) -> list[KeyScore]:
    np = numpy_if_loaded()
    matrix = np.frombuffer(b"".join([blob for _, blob, _ in rows]), np.float32).reshape(len(rows), len(query))
    norms = np.array([norm or norm_of(array("f", blob)) for _, blob, norm in rows])
    if not norms.all():  # rarely: copying all vectors takes as long as comparing them
        rows = [row for row, norm in zip(rows, norms, strict=True) if norm]
        matrix, norms = matrix[norms > 0.0], norms[norms > 0.0]
    products = np.einsum("ij,j->i", matrix, np.array(query, np.float64))  # starts no threads, unlike `@`
    cosines = np.minimum(1.0, products / (norms * length))
    return list(zip([row[0] for row in rows], cosines.tolist(), strict=True))
