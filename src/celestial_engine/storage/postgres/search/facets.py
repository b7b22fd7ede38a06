"""The filter index: for each facet the memories that have it, as bits; for each chunk its time span."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from celestial_engine.core.record.item_filter import Facet, FacetKind
from celestial_engine.storage.postgres.database import PostgresDatabase
from celestial_engine.storage.sqlite.key_sets import CHUNK_SHIFT, Keys, bit_of, chunk_of, keys_in, unpacked
from celestial_engine.storage.sqlite.rows import ITEM_COLUMNS
from celestial_engine.storage.sqlite.schema.migrations import OWNER_SHIFT
from celestial_engine.storage.sqlite.search.facets import Condition, FacetTables

_FEW_CHUNKS = 64
_MOST_CHARACTERS = 400
_CHUNK_BYTES = (1 << CHUNK_SHIFT) // 8
_OWNER_OF_CHUNK = OWNER_SHIFT - CHUNK_SHIFT

_Place = tuple[str, str, int]  # kind, value and chunk


class PostgresFacets(FacetTables):
    """Facets of all owners, in one transaction; facets are never shared between owners."""

    def __init__(self, db: PostgresDatabase) -> None:
        super().__init__(db)
        self._pg = db

    # -- change -------------------------------------------------------------------------------------

    def add(self, seq: int, created_at: float, facets: Iterable[Facet]) -> None:
        owner, chunk = seq >> OWNER_SHIFT, chunk_of(seq)
        self._pg.send(
            "INSERT INTO spans (owner, chunk, oldest, newest) VALUES (?, ?, ?, ?) ON CONFLICT (owner, chunk) "
            "DO UPDATE SET oldest = least(spans.oldest, excluded.oldest), "
            "newest = greatest(spans.newest, excluded.newest) "
            "WHERE spans.oldest > excluded.oldest OR spans.newest < excluded.newest",
            (owner, chunk, created_at, created_at),
        )
        named = sorted((facet.kind.value, _short(facet.value)) for facet in facets)
        if named:
            kinds, values = map(list, zip(*named, strict=True))
            place = seq & ((1 << CHUNK_SHIFT) - 1)
            self._pg.send(
                "INSERT INTO facet_bits (owner, kind, value, chunk, bits) "
                "SELECT ?, kind, value, ?, set_bit(?, ?, 1) FROM unnest(?::text[], ?::text[]) AS named (kind, value) "
                "ON CONFLICT (owner, kind, value, chunk) DO UPDATE SET bits = set_bit(facet_bits.bits, ?, 1)",
                (owner, chunk, bytes(_CHUNK_BYTES), place, kinds, values, place),
            )

    def change(self, seq: int, created_at: float, had: set[Facet], facets: set[Facet]) -> None:
        """Writes only what differs."""
        removed = {(facet.kind.value, _short(facet.value), chunk_of(seq)): bit_of(seq) for facet in had - facets}
        self._write(seq >> OWNER_SHIFT, {}, removed)
        self.add(seq, created_at, facets - had)

    def moved(self, moves: Iterable[tuple[int, int, int]]) -> None:
        """Updates the zones of these keys; the keys of one chunk are written together."""
        by_owner: dict[int, tuple[dict[_Place, int], dict[_Place, int]]] = {}
        for seq, before, after in moves:
            entered, left = by_owner.setdefault(seq >> OWNER_SHIFT, ({}, {}))
            for zone, bits in ((before, left), (after, entered)):
                place = (FacetKind.ZONE.value, str(zone), chunk_of(seq))
                bits[place] = bits.get(place, 0) | bit_of(seq)
        for owner, (entered, left) in by_owner.items():
            self._write(owner, entered, left)

    def _write(self, owner: int, entered: dict[_Place, int], left: dict[_Place, int]) -> None:
        """Sets and clears bits; a row without bits is deleted."""
        places = sorted({*entered, *left})
        if not places:
            return
        arrays = list(map(list, zip(*places, strict=True)))
        rows = self._pg.execute(
            "SELECT kind, value, chunk, bits FROM facet_bits WHERE owner = ? AND (kind, value, chunk) IN "
            "(SELECT * FROM unnest(?::text[], ?::text[], ?::bigint[]))",
            (owner, *arrays),
        )
        stored = {(kind, value, chunk): unpacked(bits) for kind, value, chunk, bits in rows}
        full: list[tuple[str, str, int, bytes]] = []
        empty: list[_Place] = []
        for place in places:
            bits = (stored.get(place, 0) & ~left.get(place, 0)) | entered.get(place, 0)
            if bits:
                full.append((*place, bits.to_bytes(_CHUNK_BYTES, "little")))
            elif place in stored:
                empty.append(place)
        if full:
            self._pg.send(
                "INSERT INTO facet_bits (owner, kind, value, chunk, bits) SELECT ?, * FROM "
                "unnest(?::text[], ?::text[], ?::bigint[], ?::bytea[]) "
                "ON CONFLICT (owner, kind, value, chunk) DO UPDATE SET bits = excluded.bits",
                (owner, *map(list, zip(*full, strict=True))),
            )
        if empty:
            self._pg.send(
                "DELETE FROM facet_bits WHERE owner = ? AND (kind, value, chunk) IN "
                "(SELECT * FROM unnest(?::text[], ?::text[], ?::bigint[]))",
                (owner, *map(list, zip(*empty, strict=True))),
            )

    def remove(self, seq: int) -> None:
        # As the index has them, so that removing works whatever it was built from.
        owner, chunk, bit = seq >> OWNER_SHIFT, chunk_of(seq), bit_of(seq)
        rows = self._pg.execute(
            "SELECT kind, value, bits FROM facet_bits WHERE owner = ? AND chunk = ?", (owner, chunk)
        )
        self._write(owner, {}, {(kind, value, chunk): bit for kind, value, bits in rows if unpacked(bits) & bit})

    # -- choice -------------------------------------------------------------------------------------

    def _bits_of_kind(self, owner: int, kind: FacetKind) -> Iterable[tuple[str, int, bytes]]:
        rows: Iterable[tuple[str, int, bytes]] = self._pg.execute(
            "SELECT value, chunk, bits FROM facet_bits WHERE owner = ? AND kind = ?", (owner, kind.value)
        )
        return rows

    def edges(self, owner: int, facet: Facet) -> tuple[int, int] | None:
        """Returns the first and the last key that have a facet."""
        rows = self._pg.execute(
            "SELECT chunk, bits FROM facet_bits WHERE owner = ? AND kind = ? AND value = ? ORDER BY chunk",
            (owner, facet.kind.value, _short(facet.value)),
        ).fetchall()
        if not rows:
            return None
        first, last = rows[0], rows[-1]
        return keys_in(first[0], unpacked(first[1]))[0], keys_in(last[0], unpacked(last[1]))[-1]

    def _union(self, owner: int, facets: Sequence[Facet], within: Keys | None) -> Keys:
        bounds, values = "", list[Any]()
        if within is not None and len(within.chunks) <= _FEW_CHUNKS:
            bounds, values = "AND chunk = ANY(?)", [list(within.chunks)]
        rows = self._pg.execute(
            "SELECT chunk, bits FROM facet_bits WHERE owner = ? AND (kind, value) IN "
            f"(SELECT * FROM unnest(?::text[], ?::text[])) {bounds}",
            (owner, [facet.kind.value for facet in facets], [_short(facet.value) for facet in facets], *values),
        )
        chunks: dict[int, int] = {}
        for chunk, bits in rows:
            chunks[chunk] = chunks.get(chunk, 0) | unpacked(bits)
        return Keys(chunks)

    def _spans_between(self, first: int, last: int) -> Iterable[tuple[int, float, float]]:
        rows: Iterable[tuple[int, float, float]] = self._pg.execute(
            "SELECT chunk, oldest, newest FROM spans WHERE owner = ? AND chunk BETWEEN ? AND ?",
            (first >> _OWNER_OF_CHUNK, first, last),
        )
        return rows

    def _rows_with(self, keys: Sequence[int], condition: Condition) -> list[tuple[float, int]]:
        if not keys:
            return []
        clause, values = condition
        rows: list[tuple[float, int]] = self._pg.execute(
            f"SELECT created_at, seq FROM items WHERE owner = ? AND seq = ANY(?) AND {clause}",
            (keys[0] >> OWNER_SHIFT, list(keys), *values),
        ).fetchall()
        return rows

    # -- upkeep -------------------------------------------------------------------------------------

    def rebuild(self) -> None:
        """Rebuilds the index from the records."""
        bits, spans = self._expected()
        for table in ("facet_bits", "spans"):
            self._pg.execute(f"DELETE FROM {table}")
        self._pg.executemany(
            "INSERT INTO facet_bits (owner, kind, value, chunk, bits) VALUES (?, ?, ?, ?, ?)",
            [
                (owner, facet.kind.value, facet.value, chunk, key_bits.to_bytes(_CHUNK_BYTES, "little"))
                for (owner, facet), keys in bits.items()
                for chunk, key_bits in keys.chunks.items()
            ],
        )
        self._pg.executemany(
            "INSERT INTO spans (owner, chunk, oldest, newest) VALUES (?, ?, ?, ?)",
            [(chunk >> _OWNER_OF_CHUNK, chunk, oldest, newest) for chunk, (oldest, newest) in spans.items()],
        )

    def _expected(self) -> tuple[dict[tuple[int, Facet], Keys], dict[int, tuple[float, float]]]:
        bits, spans = super()._expected()
        return {(owner, Facet(facet.kind, _short(facet.value))): keys for (owner, facet), keys in bits.items()}, spans

    def _indexed(self) -> Iterable[tuple[int, str, str, int, bytes]]:
        rows: Iterable[tuple[int, str, str, int, bytes]] = self._pg.execute(
            "SELECT owner, kind, value, chunk, bits FROM facet_bits"
        )
        return rows

    def _records(self) -> Iterable[tuple[Any, ...]]:
        columns = ITEM_COLUMNS.replace("embedding", "NULL")  # no facet is made of it
        rows: Iterable[tuple[Any, ...]] = self._pg.execute(
            f"SELECT {columns} FROM items JOIN texts USING (owner, seq)"
        )
        return rows


def _short(value: str) -> str:
    """Returns a value that fits into a key of an index, which takes some 2,700 bytes; only tags can be so long."""
    if len(value) <= _MOST_CHARACTERS:
        return value
    digest = hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{value[: _MOST_CHARACTERS - len(digest) - 1]}#{digest}"
