"""Records in tables: `items` for counters and filters, `texts` for what is only read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from celestial_engine.core.orbit.memory_function import Course
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.record.item_filter import FacetKind, ItemFilter, facet, facets_of
from celestial_engine.core.record.labels import Attribute, Subject
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.graph import relations_of
from celestial_engine.core.text.words import with_tags
from celestial_engine.errors import NotFoundError
from celestial_engine.ports import LastingFact, Recalled, SessionSpan
from celestial_engine.storage.sqlite.checksums import checksum
from celestial_engine.storage.sqlite.dialect import NO_LIMIT, in_list
from celestial_engine.storage.sqlite.items.ledger import SqliteLedgerWriter
from celestial_engine.storage.sqlite.items.self_state import SqliteSelfWriter
from celestial_engine.storage.sqlite.items.transaction import SQL_VARIABLES, Transaction, update_zone_index
from celestial_engine.storage.sqlite.rows import (
    ITEM_COLUMNS,
    ITEM_TABLES,
    RANKING_COLUMNS,
    departure_columns,
    enum_value,
    facets_json,
    indexed_text,
    item_from,
    ranking_columns,
    reading_columns,
    to_json,
)
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT, OWNER_SHIFT

if TYPE_CHECKING:
    from celestial_engine.core.paging import PagePosition

_ANYBODY_IN_ORBIT = ItemFilter()
_NewRow = tuple[int, CelestialItem, Course]  # the key of a new memory, the memory, its course
# Written as in the index `items_lasting`, or SQLite does not use it.
_LASTING = (
    "SELECT id FROM items WHERE owner = ? AND subject = ? AND attribute = ? AND lifetime = 2 "
    f"AND {IN_ORBIT} ORDER BY created_at DESC, seq DESC LIMIT ?"
)


class SqliteItems:
    """Reads records within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    @property
    def _select(self) -> str:
        return f"SELECT {ITEM_COLUMNS} FROM {ITEM_TABLES}"

    def _read(self, row: tuple[Any, ...], owner: Owner) -> CelestialItem:
        return item_from(row, owner)

    def get(self, owner: Owner, item_id: str) -> CelestialItem | None:
        number = self._tx.number(owner)
        row = self._tx.db.execute(f"{self._select} WHERE owner = ? AND id = ?", (number, item_id)).fetchone()
        return None if row is None else self._read(row, owner)

    def get_many(self, owner: Owner, item_ids: Sequence[str]) -> list[CelestialItem]:
        number = self._tx.number(owner)
        items: dict[str, CelestialItem] = {}
        for start in range(0, len(item_ids), SQL_VARIABLES):
            marks, part = in_list(item_ids[start : start + SQL_VARIABLES])
            rows = self._tx.db.execute(f"{self._select} WHERE owner = ? AND id IN ({marks})", (number, *part))
            items.update((row[1], self._read(row, owner)) for row in rows)
        return [items[item_id] for item_id in item_ids if item_id in items]

    def ids_starting(self, owner: Owner, prefix: str, limit: int) -> list[str]:
        rows = self._tx.db.execute(
            "SELECT id FROM items WHERE owner = ? AND id BETWEEN ? AND ? ORDER BY id LIMIT ?",
            (self._tx.number(owner), prefix, prefix + chr(sys.maxunicode), limit),
        )
        return [item_id for (item_id,) in rows]

    def newest(
        self, owner: Owner, chosen: ItemFilter, limit: int | None, before: PagePosition | None = None
    ) -> list[CelestialItem]:
        number = self._tx.number(owner)
        bound = None
        if before is not None:
            bound = before.created_at, next(iter(self._tx.ids_by_key(owner, [before.item_id])), 0)
        if chosen != _ANYBODY_IN_ORBIT:
            return self._items(owner, self._tx.facets.newest(number, chosen, limit, bound))
        rows = self._tx.db.execute(
            f"{self._select} WHERE owner = ? AND {IN_ORBIT} "
            f"{'' if bound is None else 'AND (created_at, items.seq) < (?, ?) '}"
            "ORDER BY created_at DESC, items.seq DESC LIMIT ?",
            (number, *(bound or ()), NO_LIMIT if limit is None else limit),
        )
        return [self._read(row, owner) for row in rows]

    def _items(self, owner: Owner, keys: Sequence[int]) -> list[CelestialItem]:
        number, items = self._tx.number(owner), dict[int, CelestialItem]()
        for start in range(0, len(keys), SQL_VARIABLES):
            condition, values = self._tx.with_keys(number, keys[start : start + SQL_VARIABLES])
            rows = self._tx.db.execute(f"{self._select} WHERE {condition}", values)
            items.update((row[0], self._read(row, owner)) for row in rows)
        return [items[key] for key in keys]

    def lasting(self, owner: Owner, each: int) -> list[LastingFact]:
        number = self._tx.number(owner)
        return [
            LastingFact(subject, attribute, item_id)
            for place, subject in enumerate(Subject)
            for position, attribute in enumerate(Attribute)
            for (item_id,) in self._tx.db.execute(_LASTING, (number, place, position, each))
        ]

    def session_span(self, owner: Owner, session_id: str) -> SessionSpan | None:
        edges = self._tx.facets.edges(self._tx.number(owner), facet(FacetKind.SESSION, session_id))
        if edges is None:
            return None
        first, last = (self._items(owner, [key])[0] for key in edges)
        minutes = first.time.relative_time_minutes or 0.0
        return SessionSpan(first.created_at - 60.0 * minutes, last.time.sequence or 0)

    def session_ids(self, owner: Owner, chosen: ItemFilter) -> list[str]:
        return self._tx.facets.values(self._tx.number(owner), FacetKind.SESSION, chosen)

    def page(self, owner: Owner, after: int, limit: int) -> list[tuple[int, CelestialItem]]:
        low, high = self._tx.key_range(owner)
        rows = self._tx.db.execute(
            f"{self._select} WHERE items.seq BETWEEN ? AND ? ORDER BY items.seq LIMIT ?",
            (max(low, after + 1), high, limit),
        )
        return [(row[0], self._read(row, owner)) for row in rows]

    def state_counts(self, owner: Owner) -> dict[State, int]:
        number = self._tx.number(owner)
        rows = self._tx.db.execute("SELECT state, count(*) FROM items WHERE owner = ? GROUP BY state", (number,))
        return {enum_value(State, state): count for state, count in rows}

    def key_of(self, owner: Owner, item_id: str) -> int:
        number = self._tx.number(owner)
        row = self._tx.db.execute("SELECT seq FROM items WHERE owner = ? AND id = ?", (number, item_id)).fetchone()
        if row is None:
            raise NotFoundError(item_id=item_id)
        return int(row[0])

    def keys_of(self, owner: Owner, item_ids: Sequence[str]) -> dict[str, int]:
        return {item_id: key for key, item_id in self._tx.ids_by_key(owner, item_ids).items()}

    def id_of(self, owner: Owner, key: int) -> str:
        row = self._tx.db.execute(
            "SELECT id FROM items WHERE seq = ? AND owner = ?", (key, self._tx.number(owner))
        ).fetchone()
        if row is None:
            raise KeyError(key)
        return str(row[0])

    def category_counts(self, owner: Owner) -> dict[Category, int]:
        number = self._tx.number(owner)
        counts = self._tx.facets.counts(number, FacetKind.CATEGORY, self._tx.facets.chosen(number, ItemFilter()))
        return {enum_value(Category, category): count for category, count in counts.items()}


class SqliteItemWriter(SqliteItems):
    """Reads and writes records. Changes keep a version in the ledger; a purge also clears ledger and self."""

    __slots__ = ("_ledger", "_self")

    def __init__(self, transaction: Transaction, ledger: SqliteLedgerWriter, self_state: SqliteSelfWriter) -> None:
        super().__init__(transaction)
        self._ledger = ledger
        self._self = self_state

    def add(self, item: CelestialItem, course: Course) -> int:
        return self.add_many([(item, course)])[0]

    def add_many(self, items: Sequence[tuple[CelestialItem, Course]]) -> list[int]:
        newest: dict[int, int] = {}
        rows: list[_NewRow] = []
        for item, course in items:
            number = self._tx.enrolled(item.owner)
            seq = newest[number] = (newest.get(number) or self._newest_key(number)) + 1
            rows.append((seq, item, course))
        self._add_rows(rows)
        return [seq for seq, _, _ in rows]

    def _newest_key(self, number: int) -> int:
        low, high = number << OWNER_SHIFT, ((number + 1) << OWNER_SHIFT) - 1
        last = self._tx.db.execute("SELECT max(seq) FROM items WHERE seq BETWEEN ? AND ?", (low, high)).fetchone()[0]
        return low if last is None else int(last)

    def add_at(self, seq: int, item: CelestialItem, course: Course) -> None:
        """Adds a memory with a key that no other memory has."""
        self._add_rows([(seq, item, course)])

    def _add_rows(self, rows: Sequence[_NewRow]) -> None:
        """Adds records and indexes them table by table. A memory out of orbit is in no index but that of facets."""
        self._tx.db.executemany(
            "INSERT INTO items (seq, owner, id, state, zone, piece, level, next_moment, tier, protection, "
            "created_at, last_recalled_at, idle_since, recall_count, mention_count, arbitrary_importance, "
            "importance_source, context_score, expires_at, state_since, departed_for, departed_at, purge_at, "
            "lifetime, subject, attribute, value) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (seq, seq >> OWNER_SHIFT, item.id, item.state.value, item.zone, int(course.piece), course.level,
                 course.next_moment, item.tier.value, item.protection.value, item.created_at, item.last_recalled_at,
                 item.idle_since, item.recall_count, item.mention_count, item.arbitrary_importance,
                 item.importance_source, item.context_score, item.expires_at, item.state_since,
                 *departure_columns(item.departure), *reading_columns(item))
                for seq, item, course in rows
            ),
        )  # fmt: skip
        self._tx.db.executemany(
            f"INSERT INTO texts (seq, content, metadata, facets, checksum, {RANKING_COLUMNS}) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((seq, *_text_columns(item), *ranking_columns(item)) for seq, item, _ in rows),
        )
        self._index([(seq, item) for seq, item, _ in rows if item.state.in_orbit])
        for seq, item, _ in rows:
            if item.embedding is not None:
                self._tx.vectors.add(seq, item.embedding, searchable=item.state.in_orbit)
        self._tx.facets.add_many((seq, item.created_at, facets_of(item)) for seq, item, _ in rows)

    def rewrite(self, item: CelestialItem, course: Course) -> None:
        self._tx.writable(item.owner)
        seq = self.key_of(item.owner, item.id)
        old = self.get(item.owner, item.id)
        self._ledger.keep_version(old)
        found_as_before = old is not None and indexed_values(old) == indexed_values(item)
        if not found_as_before:
            self._unindex(seq)
        self._tx.db.execute(
            "UPDATE items SET state = ?, zone = ?, piece = ?, level = ?, next_moment = ?, tier = ?, "
            "protection = ?, created_at = ?, last_recalled_at = ?, idle_since = ?, recall_count = ?, "
            "mention_count = ?, arbitrary_importance = ?, importance_source = ?, context_score = ?, expires_at = ?, "
            "state_since = ?, departed_for = ?, departed_at = ?, purge_at = ?, lifetime = ?, subject = ?, "
            "attribute = ?, value = ? WHERE seq = ?",
            (item.state.value, item.zone, int(course.piece), course.level, course.next_moment, item.tier.value,
             item.protection.value, item.created_at, item.last_recalled_at, item.idle_since, item.recall_count,
             item.mention_count, item.arbitrary_importance, item.importance_source, item.context_score,
             item.expires_at, item.state_since, *departure_columns(item.departure), *reading_columns(item), seq),
        )  # fmt: skip
        self._tx.db.execute(
            f"UPDATE texts SET (content, metadata, facets, checksum, {RANKING_COLUMNS}) = "
            "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE seq = ?",
            (*_text_columns(item), *ranking_columns(item), seq),
        )
        if not found_as_before and item.state.in_orbit:
            self._index([(seq, item)])
        self._tx.vectors.put(seq, item.embedding, searchable=item.state.in_orbit)
        self._tx.facets.change(seq, item.created_at, facets_of(old) if old else set(), facets_of(item))

    def reinforce(self, owner: Owner, now: float, recalled: Sequence[Recalled]) -> None:
        number = self._tx.writable(owner)
        update_zone_index(self._tx, number, {each.key: each.zone for each in recalled})
        self._tx.db.executemany(
            "UPDATE items SET recall_count = recall_count + 1, last_recalled_at = ?, idle_since = NULL, "
            "context_score = ?, zone = ?, piece = ?, level = ?, next_moment = ? WHERE seq = ? AND owner = ?",
            [
                (now, context, zone, int(course.piece), course.level, course.next_moment, key, number)
                for key, context, zone, course in recalled
            ],
        )

    def mention(self, owner: Owner, item_id: str) -> None:
        self._tx.db.execute(
            "UPDATE items SET mention_count = mention_count + 1 WHERE owner = ? AND id = ?",
            (self._tx.writable(owner), item_id),
        )

    def purge(self, owner: Owner, item_id: str) -> None:
        self._tx.writable(owner)
        seq = self.key_of(owner, item_id)
        self._remove_backlinks(owner, item_id)
        self._unindex(seq)
        self._tx.vectors.remove(seq)
        self._tx.facets.remove(seq)
        self._ledger.forget_versions(owner, item_id)
        self._self.forget_item(owner, item_id)
        self._tx.db.execute("DELETE FROM texts WHERE seq = ?", (seq,))
        self._tx.db.execute("DELETE FROM items WHERE seq = ?", (seq,))

    def _remove_backlinks(self, owner: Owner, item_id: str) -> None:
        """Removes links to this memory from the memories that it links to; links are stored on both sides."""
        item = self.get(owner, item_id)
        tied = self.get_many(owner, item.links.tied) if item is not None else []
        untied = [replace(other, links=other.links.without(item_id)) for other in tied]
        self._tx.db.executemany(
            "UPDATE texts SET (content, metadata, facets, checksum, links) = (?, ?, ?, ?, ?) WHERE seq = ?",
            [(*_text_columns(other), other.links.count, self.key_of(owner, other.id)) for other in untied],
        )

    def _index(self, items: Sequence[tuple[int, CelestialItem]]) -> None:
        """Indexes words, statement keys and relations of memories in orbit."""
        self._tx.words.add_many(self._tx.db, ((seq, with_tags(item.content, item.tags)) for seq, item in items))
        self._tx.statement_keys.add_many((seq, item.content) for seq, item in items)
        for seq, item in items:
            self._tx.graph.add(seq >> OWNER_SHIFT, seq, relations_of(item.resolution.triples))

    def _unindex(self, seq: int) -> None:
        state, content, facets = self._tx.db.execute(
            "SELECT state, content, facets FROM items JOIN texts USING (seq) WHERE seq = ?", (seq,)
        ).fetchone()
        if enum_value(State, state).in_orbit:
            self._tx.words.remove(self._tx.db, seq, indexed_text(content, facets))
            self._tx.statement_keys.remove(seq)
            self._tx.graph.remove(seq)


def _text_columns(item: CelestialItem) -> tuple[str, str, str, int]:
    """Returns content, metadata and facets, and their checksum."""
    metadata, facets = to_json(item.metadata), facets_json(item, short=True)
    return item.content, metadata, facets, checksum(item.id, item.created_at, item.content, metadata, facets)


def indexed_values(item: CelestialItem) -> tuple[object, ...]:
    """The values that words and relations derive from: if they are unchanged, the index is not rewritten."""
    return item.state.in_orbit, item.content, item.tags, item.resolution.triples
