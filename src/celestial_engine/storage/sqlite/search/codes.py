"""Sign codes of the most recently used owners, in RAM, kept up to date across processes.

Triggers number every change of a code in `sign_changes`, which keeps the newest few thousand. A search applies the
changes after the number it knows, or reloads if those are no longer there. Each number has a random mark: a restored
older database repeats the numbers, but not the marks. Only read transactions use this cache, so that it never holds
uncommitted data.
"""

from __future__ import annotations

import os
import threading
from array import array
from collections import OrderedDict
from collections.abc import Sequence
from itertools import islice

from celestial_engine.storage.sqlite.dialect import Database
from celestial_engine.storage.sqlite.key_sets import Keys
from celestial_engine.storage.sqlite.search.scans import Row, Scan, scan_of
from celestial_engine.storage.sqlite.search.signs import code_width, off_centre

_MARKS_KEPT = 1_000
_SQL_VARIABLES = 500


class OwnerCodes:
    """The codes between two keys, as one transaction saw them, and the centre that they are relative to."""

    def __init__(self, db: Database, low: int, high: int, dimension: int) -> None:
        self._low, self._high, self._width = low, high, code_width(dimension)
        self._load(db)

    def nearest(self, vector: Sequence[float], count: int, among: Keys | None = None) -> list[int]:
        return self._scan.nearest(off_centre(vector, self._centre), count, among)

    def follow(self, db: Database) -> None:
        """Updates to the state of this transaction; a newer state from another thread is fine."""
        number, mark = db.execute("SELECT number, mark FROM sign_changes ORDER BY number DESC LIMIT 1").fetchone()
        if self._marks.get(number) == mark:
            return
        changes = db.execute(
            "SELECT number, mark, seq FROM sign_changes WHERE number >= ? ORDER BY number", (self._number,)
        ).fetchall()
        first = changes[0] if changes else (None, None)
        if first[:2] != (self._number, self._marks[self._number]) or read_centre(db) != self._centre:
            self._load(db)
            return
        changed = sorted({seq for _, _, seq in changes[1:] if self._low <= seq <= self._high})
        self._scan.change(changed, self._rows(db, changed))
        self._note([(number, mark) for number, mark, _ in changes])

    @property
    def size_bytes(self) -> int:
        return self._scan.size_bytes

    def _load(self, db: Database) -> None:
        self._centre = read_centre(db)
        self._marks: dict[int, int] = {}
        self._note(
            db.execute("SELECT number, mark FROM sign_changes ORDER BY number DESC LIMIT ?", (_MARKS_KEPT,))
            .fetchall()[::-1]
        )  # fmt: skip
        rows = db.execute(
            "SELECT seq, bits FROM signs WHERE seq BETWEEN ? AND ? AND length(bits) = ?",
            (self._low, self._high, self._width),
        ).fetchall()
        self._scan: Scan = scan_of(rows, self._width)

    def _rows(self, db: Database, keys: Sequence[int]) -> list[Row]:
        rows: list[Row] = []
        for start in range(0, len(keys), _SQL_VARIABLES):
            part = keys[start : start + _SQL_VARIABLES]
            rows += db.execute(
                f"SELECT seq, bits FROM signs WHERE seq IN ({', '.join('?' * len(part))}) AND length(bits) = ?",
                (*part, self._width),
            )
        return rows

    def _note(self, marks: Sequence[tuple[int, int]]) -> None:
        self._marks.update(marks)
        for number in list(islice(self._marks, max(0, len(self._marks) - _MARKS_KEPT))):
            del self._marks[number]
        self._number = marks[-1][0]


class CodeCache:
    """The codes of the most recently used owners, for all threads of one store, within a memory limit."""

    def __init__(self, max_bytes: int = 256 << 20) -> None:
        self._max_bytes = max_bytes
        self.clear()

    def __len__(self) -> int:
        return len(self._owners)

    def nearest(
        self,
        db: Database,
        low: int,
        high: int,
        vector: Sequence[float],
        count: int,
        among: Keys | None = None,
    ) -> list[int]:
        """Returns the keys of the nearest codes as of this transaction, or a later one from another thread."""
        if self._process != os.getpid():  # after a fork: a lost thread may hold a lock or have changed half
            self.clear()
        name = (low, len(vector))
        with self._lock:
            place = self._owners.setdefault(name, _Place())
            self._owners.move_to_end(name)
        with place.lock:
            codes = place.codes or OwnerCodes(db, low, high, len(vector))
            place.codes = None  # reload next time if the update fails halfway
            codes.follow(db)
            place.codes, place.size_bytes = codes, codes.size_bytes
            keys = codes.nearest(vector, count, among)
        self._forget_the_oldest()
        return keys

    def clear(self) -> None:
        self._lock = threading.Lock()
        self._owners: OrderedDict[tuple[int, int], _Place] = OrderedDict()
        self._process = os.getpid()

    def _forget_the_oldest(self) -> None:
        with self._lock:
            while (
                len(self._owners) > 1 and sum(place.size_bytes for place in self._owners.values()) > self._max_bytes
            ):
                self._owners.popitem(last=False)


class _Place:
    """The slot of one owner's codes, loaded or loading."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.codes: OwnerCodes | None = None
        self.size_bytes = 0


def read_centre(db: Database) -> array[float] | None:
    row = db.execute("SELECT direction FROM centre").fetchone()
    return None if row is None else array("f", row[0])
