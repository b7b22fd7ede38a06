"""The filter index: for each facet the memories that have it, as bits; for each chunk its time span.

A filter is a few facets, each a thousand rows per million memories; their AND gives the matches. What bits cannot
express (an exact importance, a moment) is checked on the remaining rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from typing import Any

from celestial_engine.core.record.item_filter import Facet, FacetKind, ItemFilter, facets_of
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.errors import Problem, Reason, problem
from celestial_engine.storage.sqlite.dialect import Database
from celestial_engine.storage.sqlite.key_sets import Keys, bit_of, chunk_of, keys_in, packed, unpacked
from celestial_engine.storage.sqlite.rows import ITEM_COLUMNS, ITEM_TABLES, UnreadableRowError, item_from
from celestial_engine.storage.sqlite.schema.migrations import OWNER_SHIFT

_SQL_VARIABLES = 500
_MOST_ROWS_CHECKED = 20_000  # up to this many rows are read one by one; beyond, the list comes from an index
_FEW_CHUNKS = 64

Condition = tuple[str, list[Any]]
_Place = tuple[int, Facet, int]  # owner, facet, chunk


class FacetTables:
    """Facets of all owners, in one transaction; facets are never shared between owners."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._chosen: dict[tuple[int, ItemFilter, int], Keys] = {}
        self._reset_write_cache()

    def _reset_write_cache(self) -> None:
        """Resets the cache of this transaction's writes, which saves reading them back; a removal clears it."""
        self._numbers: dict[tuple[int, Facet], int] = {}
        self._bits: dict[tuple[int, int], int] = {}

    # -- change -------------------------------------------------------------------------------------

    def add(self, seq: int, created_at: float, facets: Iterable[Facet]) -> None:
        self.add_many([(seq, created_at, facets)])

    def add_many(self, rows: Iterable[tuple[int, float, Iterable[Facet]]]) -> None:
        """Adds keys with their times and facets; what keys of one chunk share is written once."""
        spans: dict[int, tuple[float, float]] = {}
        entered: dict[_Place, int] = {}
        for seq, created_at, facets in rows:
            owner, chunk, bit = seq >> OWNER_SHIFT, chunk_of(seq), bit_of(seq)
            oldest, newest = spans.get(chunk, (created_at, created_at))
            spans[chunk] = min(oldest, created_at), max(newest, created_at)
            for facet in facets:
                place = (owner, facet, chunk)
                entered[place] = entered.get(place, 0) | bit
        self._db.executemany(
            "INSERT INTO spans (chunk, oldest, newest) VALUES (?, ?, ?) ON CONFLICT (chunk) DO UPDATE "
            "SET oldest = min(oldest, excluded.oldest), newest = max(newest, excluded.newest)",
            [(chunk, *span) for chunk, span in spans.items()],
        )
        self._enter(entered)

    def _enter(self, entered: Mapping[_Place, int]) -> None:
        written: list[tuple[int, int, bytes]] = []
        for (owner, facet, chunk), new in entered.items():
            name = (owner, facet)
            number = self._numbers.get(name) or self._number(*name) or self._named(*name)
            self._numbers[name] = number
            bits = self._bits[number, chunk] = self._stored_bits(number, chunk) | new
            written.append((number, chunk, packed(bits)))
        self._db.executemany(
            "INSERT INTO facet_bits (facet, chunk, bits) VALUES (?, ?, ?) "
            "ON CONFLICT (facet, chunk) DO UPDATE SET bits = excluded.bits",
            written,
        )

    def _stored_bits(self, number: int, chunk: int) -> int:
        if (number, chunk) in self._bits:
            return self._bits[number, chunk]
        row = self._db.execute(
            "SELECT bits FROM facet_bits WHERE facet = ? AND chunk = ?", (number, chunk)
        ).fetchone()
        return 0 if row is None else unpacked(row[0])

    def change(self, seq: int, created_at: float, had: set[Facet], facets: set[Facet]) -> None:
        """Writes only what differs."""
        numbers = [self._number(seq >> OWNER_SHIFT, facet) for facet in had - facets]
        self._remove(chunk_of(seq), bit_of(seq), [number for number in numbers if number is not None])
        self.add(seq, created_at, facets - had)

    def moved(self, moves: Iterable[tuple[int, int, int]]) -> None:
        """Updates the zones of these keys; the keys of one chunk are written together."""
        left: dict[_Place, int] = {}
        entered: dict[_Place, int] = {}
        for seq, before, after in moves:
            for zone, bits in ((before, left), (after, entered)):
                place = (seq >> OWNER_SHIFT, Facet(FacetKind.ZONE, str(zone)), chunk_of(seq))
                bits[place] = bits.get(place, 0) | bit_of(seq)
        self._enter(entered)
        for (owner, facet, chunk), bits_out in left.items():
            number = self._number(owner, facet)
            if number is not None:
                self._remove(chunk, bits_out, [number])

    def remove(self, seq: int) -> None:
        self._remove(chunk_of(seq), bit_of(seq), list(self._facets_of(seq)))

    def _remove(self, chunk: int, removed: int, numbers: Sequence[int]) -> None:
        self._reset_write_cache()
        for number in numbers:
            rest = self._stored_bits(number, chunk) & ~removed
            if rest:
                self._db.execute(
                    "UPDATE facet_bits SET bits = ? WHERE facet = ? AND chunk = ?", (packed(rest), number, chunk)
                )
            else:
                self._db.execute("DELETE FROM facet_bits WHERE facet = ? AND chunk = ?", (number, chunk))

    def _facets_of(self, seq: int) -> list[int]:
        """Returns the facets as the index has them, so that removing works whatever it was built from."""
        rows = self._db.execute("SELECT facet, bits FROM facet_bits WHERE chunk = ?", (chunk_of(seq),))
        bit = bit_of(seq)
        return [number for number, bits in rows if unpacked(bits) & bit]

    def _number(self, owner: int, facet: Facet) -> int | None:
        row = self._db.execute(
            "SELECT facet FROM facets WHERE owner = ? AND kind = ? AND value = ?",
            (owner, facet.kind.value, facet.value),
        ).fetchone()
        return None if row is None else int(row[0])

    def _named(self, owner: int, facet: Facet) -> int:
        cursor = self._db.execute(
            "INSERT INTO facets (owner, kind, value) VALUES (?, ?, ?)", (owner, facet.kind.value, facet.value)
        )
        return int(cursor.lastrowid or 0)

    # -- choice -------------------------------------------------------------------------------------

    def chosen(self, owner: int, where: ItemFilter) -> Keys:
        """Returns exactly the memories that match a filter."""
        name = (owner, where, self._db.total_changes)
        if name not in self._chosen:
            self._chosen[name] = self._exactly(owner, where)
        return self._chosen[name]

    def _exactly(self, owner: int, where: ItemFilter) -> Keys:
        keys = self._by_facets(owner, where)
        doubtful = where.doubtful_importance
        if doubtful is not None and keys:
            unsure = keys & self._union(owner, [doubtful], keys)
            condition: Condition = ("arbitrary_importance >= ?", [where.min_importance])
            keys = (keys - unsure) | self._checked_rows(owner, unsure, condition)
        times = _times(where)
        if times is not None and keys:
            inside, unsure = self._by_spans(keys, where)
            keys = inside | self._checked_rows(owner, unsure, times)
        return keys

    def newest(
        self, owner: int, where: ItemFilter, limit: int | None, before: tuple[float, int] | None = None
    ) -> list[int]:
        """Returns the keys of the newest matches: chunk by chunk, until no other chunk can hold a newer one."""
        keys = self._by_facets(owner, where)
        spans = sorted(((newest, chunk) for chunk, _, newest in self._spans(keys, where)), reverse=True)
        condition, values = _conditions(where)
        if before is not None:
            condition, values = f"{condition} AND (created_at, seq) < (?, ?)", [*values, *before]
            oldest = {chunk: oldest for chunk, oldest, _ in self._spans(keys, where)}
            spans = [(newest, chunk) for newest, chunk in spans if oldest[chunk] <= before[0]]
        best: list[tuple[float, int]] = []
        for newest, chunk in spans:
            if limit is not None and len(best) >= limit and (not limit or newest < best[limit - 1][0]):
                break
            best += self._rows_with(keys_in(chunk, keys.chunks[chunk]), (condition, values))
            best = sorted(best, reverse=True) if limit is None else nlargest(limit, best)
        return [seq for _, seq in best]

    def values(self, owner: int, kind: FacetKind, where: ItemFilter) -> list[str]:
        """Returns the values of one kind among the matches, in order."""
        chosen = self.chosen(owner, where)
        rows = self._bits_of_kind(owner, kind)
        return sorted({value for value, chunk, bits in rows if unpacked(bits) & chosen.chunks.get(chunk, 0)})

    def counts(self, owner: int, kind: FacetKind, within: Keys | None = None) -> dict[str, int]:
        """Counts the memories by value of a kind, of all or of some."""
        counts: dict[str, int] = {}
        for value, chunk, packed_bits in self._bits_of_kind(owner, kind):
            bits = unpacked(packed_bits) & (-1 if within is None else within.chunks.get(chunk, 0))
            if bits:
                counts[value] = counts.get(value, 0) + bits.bit_count()
        return counts

    def _bits_of_kind(self, owner: int, kind: FacetKind) -> Iterable[tuple[str, int, bytes]]:
        return self._db.execute(
            "SELECT value, chunk, bits FROM facets JOIN facet_bits USING (facet) WHERE owner = ? AND kind = ?",
            (owner, kind.value),
        )

    def edges(self, owner: int, facet: Facet) -> tuple[int, int] | None:
        """Returns the first and the last key that have a facet."""
        number = self._number(owner, facet)
        if number is None:
            return None
        first, last = (
            self._db.execute(
                f"SELECT chunk, bits FROM facet_bits WHERE facet = ? ORDER BY chunk {order} LIMIT 1", (number,)
            ).fetchone()
            for order in ("ASC", "DESC")
        )
        return keys_in(first[0], unpacked(first[1]))[0], keys_in(last[0], unpacked(last[1]))[-1]

    def _by_facets(self, owner: int, where: ItemFilter) -> Keys:
        keys: Keys | None = None
        for facets in where.facets():
            part = self._union(owner, facets, keys)
            keys = part if keys is None else keys & part
            if not keys:
                break
        return keys or Keys()

    def _union(self, owner: int, facets: Sequence[Facet], within: Keys | None) -> Keys:
        numbers = [number for facet in facets if (number := self._number(owner, facet)) is not None]
        if not numbers:
            return Keys()
        bounds = ""
        if within is not None and len(within.chunks) <= _FEW_CHUNKS:
            bounds = f"AND chunk IN ({_numbers(within.chunks)})"
        union = Keys()
        for number in numbers:
            rows = self._db.execute(f"SELECT chunk, bits FROM facet_bits WHERE facet = ? {bounds}", (number,))
            part = Keys({chunk: int.from_bytes(bits, "little") for chunk, bits in rows.fetchall()})
            union = union | part if union else part
        return union

    def _spans(self, keys: Keys, where: ItemFilter) -> list[tuple[int, float, float]]:
        """Returns the chunks that may hold matching times, with their oldest and newest time."""
        if not keys:
            return []
        start, end = where.created_from, where.created_until
        rows = self._spans_between(min(keys.chunks), max(keys.chunks))
        return [
            (chunk, oldest, newest)
            for chunk, oldest, newest in rows
            if chunk in keys.chunks and (start is None or newest >= start) and (end is None or oldest <= end)
        ]

    def _spans_between(self, first: int, last: int) -> Iterable[tuple[int, float, float]]:
        return self._db.execute("SELECT chunk, oldest, newest FROM spans WHERE chunk BETWEEN ? AND ?", (first, last))

    def _by_spans(self, keys: Keys, where: ItemFilter) -> tuple[Keys, Keys]:
        """Splits the keys: chunks fully within the time, and chunks whose rows must be checked."""
        start, end = where.created_from, where.created_until
        inside, unsure = Keys(), Keys()
        for chunk, oldest, newest in self._spans(keys, where):
            whole = (start is None or oldest >= start) and (end is None or newest <= end)
            (inside if whole else unsure).chunks[chunk] = keys.chunks[chunk]
        return inside, unsure

    def _checked_rows(self, owner: int, keys: Keys, condition: Condition) -> Keys:
        """Returns the keys whose rows meet a condition."""
        clause, values = condition
        if len(keys) > _MOST_ROWS_CHECKED:
            rows = self._db.execute(f"SELECT seq FROM items WHERE owner = ? AND {clause}", (owner, *values))
            return keys & Keys.of(seq for (seq,) in rows)
        return Keys.of(seq for _, seq in self._rows_with(list(keys), condition))

    def _rows_with(self, keys: Sequence[int], condition: Condition) -> list[tuple[float, int]]:
        """Returns the times and keys of those of these rows that meet a condition."""
        clause, values = condition
        rows: list[tuple[float, int]] = []
        for start in range(0, len(keys), _SQL_VARIABLES):
            part = _numbers(keys[start : start + _SQL_VARIABLES])
            rows += self._db.execute(
                f"SELECT created_at, seq FROM items WHERE seq IN ({part}) AND {clause}", values
            ).fetchall()
        return rows

    # -- upkeep -------------------------------------------------------------------------------------

    def rebuild(self) -> None:
        """Rebuilds the index from the records."""
        for table in ("facet_bits", "facets", "spans"):
            self._db.execute(f"DELETE FROM {table}")
        bits, spans = self._expected()
        for owner, facet in bits:
            number = self._named(owner, facet)
            self._db.executemany(
                "INSERT INTO facet_bits (facet, chunk, bits) VALUES (?, ?, ?)",
                [(number, chunk, packed(key_bits)) for chunk, key_bits in bits[owner, facet].chunks.items()],
            )
        self._db.executemany(
            "INSERT INTO spans (chunk, oldest, newest) VALUES (?, ?, ?)",
            [(chunk, oldest, newest) for chunk, (oldest, newest) in spans.items()],
        )

    def problems(self) -> list[Problem]:
        """Returns how the index differs from the records."""
        bits, spans = self._expected()
        indexed: dict[tuple[int, Facet], Keys] = {}
        for owner, kind, value, chunk, blob in self._indexed():
            indexed.setdefault((owner, Facet(FacetKind(kind), value)), Keys()).chunks[chunk] = unpacked(blob)
        empty = Keys()
        names = indexed.keys() | bits.keys()
        wrong = sum(indexed.get(name, empty).chunks != bits.get(name, empty).chunks for name in names)
        findings = [problem(None, Reason.FACETS_DIFFER, count=wrong)] if wrong else []
        indexed_spans = {chunk: span for chunk, *span in self._db.execute("SELECT chunk, oldest, newest FROM spans")}
        late = [
            chunk
            for chunk, (oldest, newest) in spans.items()
            if chunk not in indexed_spans or indexed_spans[chunk][0] > oldest or indexed_spans[chunk][1] < newest
        ]
        return findings + ([problem(None, Reason.TIMES_DIFFER, count=len(late))] if late else [])

    def _indexed(self) -> Iterable[tuple[int, str, str, int, bytes]]:
        return self._db.execute("SELECT owner, kind, value, chunk, bits FROM facets JOIN facet_bits USING (facet)")

    def _records(self) -> Iterable[tuple[Any, ...]]:
        return self._db.execute(f"SELECT {ITEM_COLUMNS} FROM {ITEM_TABLES}")

    def _expected(self) -> tuple[dict[tuple[int, Facet], Keys], dict[int, tuple[float, float]]]:
        bits: dict[tuple[int, Facet], Keys] = {}
        spans: dict[int, tuple[float, float]] = {}
        for row in self._records():
            seq = row[0]
            try:
                item = item_from(row, LOCAL_OWNER)
            except UnreadableRowError:
                continue  # `check` reports it
            chunk = chunk_of(seq)
            oldest, newest = spans.get(chunk, (item.created_at, item.created_at))
            spans[chunk] = (min(oldest, item.created_at), max(newest, item.created_at))
            for facet in facets_of(item):
                chunks = bits.setdefault((seq >> OWNER_SHIFT, facet), Keys()).chunks
                chunks[chunk] = chunks.get(chunk, 0) | bit_of(seq)
        return bits, spans


def _numbers(values: Iterable[int]) -> str:
    return ", ".join(map(str, values))


def _times(where: ItemFilter) -> Condition | None:
    bounds = (("created_at >= ?", where.created_from), ("created_at <= ?", where.created_until))
    bounds_set = [(clause, value) for clause, value in bounds if value is not None]
    return (
        (" AND ".join(clause for clause, _ in bounds_set), [value for _, value in bounds_set]) if bounds_set else None
    )


def _conditions(where: ItemFilter) -> Condition:
    """Returns what can be checked on the row itself."""
    clauses, values = ["TRUE"], list[Any]()
    if where.doubtful_importance is not None:
        clauses.append("arbitrary_importance >= ?")
        values.append(where.min_importance)
    times = _times(where)
    if times is not None:
        clauses.append(times[0])
        values += times[1]
    return " AND ".join(clauses), values
