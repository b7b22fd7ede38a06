"""Records in tables: `items` for counters and filters, `texts` for what is only read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from celestial_engine.core.orbit.memory_function import Course
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import facets_of
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.graph import relations_of
from celestial_engine.core.text.words import with_tags
from celestial_engine.ports import Recalled
from celestial_engine.storage.postgres.adapters import vector_bytes
from celestial_engine.storage.postgres.search.words import add_words, remove_words
from celestial_engine.storage.postgres.traits import ADD_TEXT, REWRITE_TEXT
from celestial_engine.storage.postgres.transaction import PostgresTransaction
from celestial_engine.storage.sqlite.items.items import SqliteItems, indexed_values
from celestial_engine.storage.sqlite.items.ledger import SqliteLedgerWriter
from celestial_engine.storage.sqlite.items.self_state import SqliteSelfWriter
from celestial_engine.storage.sqlite.items.transaction import update_zone_index
from celestial_engine.storage.sqlite.rows import (
    ITEM_COLUMNS,
    departure_columns,
    facets_json,
    item_from,
    ranking_columns,
    reading_columns,
    to_json,
)
from celestial_engine.storage.sqlite.schema.migrations import OWNER_SHIFT

_COLUMNS = (
    "state, zone, piece, level, next_moment, tier, protection, created_at, last_recalled_at, idle_since, "
    "recall_count, mention_count, arbitrary_importance, importance_source, context_score, expires_at, state_since, "
    "departed_for, departed_at, purge_at, lifetime, subject, attribute, value"
)
_MARKS = ", ".join("?" * len(_COLUMNS.split(", ")))
_ADD = (
    f"INSERT INTO items (owner, seq, id, {_COLUMNS}) SELECT ?, coalesce(max(seq), ?) + 1, ?, {_MARKS} "
    "FROM items WHERE owner = ? RETURNING seq"
)
_ADD_AT = f"INSERT INTO items (owner, seq, id, {_COLUMNS}) VALUES (?, ?, ?, {_MARKS})"
_REWRITE = f"UPDATE items SET ({_COLUMNS}) = ROW({_MARKS}) WHERE owner = ? AND seq = ?"
_REINFORCE = (
    "UPDATE items SET recall_count = recall_count + 1, last_recalled_at = ?, idle_since = NULL, "
    "context_score = new.context_score, zone = new.zone, piece = new.piece, level = new.level, "
    "next_moment = new.next_moment "
    "FROM unnest(?::bigint[], ?::float8[], ?::int[], ?::int[], ?::float8[], ?::float8[]) "
    "AS new (seq, context_score, zone, piece, level, next_moment) WHERE items.owner = ? AND items.seq = new.seq"
)


class PostgresItems(SqliteItems):
    """Reads records within one transaction."""

    __slots__ = ("_pg",)

    def __init__(self, transaction: PostgresTransaction) -> None:
        super().__init__(transaction)
        self._pg = transaction

    @property
    def _select(self) -> str:
        return f"SELECT {ITEM_COLUMNS} FROM {self._pg.dialect.records}"

    def _read(self, row: tuple[Any, ...], owner: Owner) -> CelestialItem:
        if self._pg.vectors.pgvector and row[-1] is not None:
            row = (*row[:-1], vector_bytes(row[-1]))
        return item_from(row, owner)

    def get_many(self, owner: Owner, item_ids: Sequence[str]) -> list[CelestialItem]:
        if not item_ids:
            return []
        rows = self._pg.db.execute(
            f"{self._select} WHERE owner = ? AND id = ANY(?::text[])", (self._pg.number(owner), list(item_ids))
        )
        items = {row[1]: self._read(row, owner) for row in rows}
        return [items[item_id] for item_id in item_ids if item_id in items]

    def page(self, owner: Owner, after: int, limit: int) -> list[tuple[int, CelestialItem]]:
        rows = self._pg.db.execute(
            f"{self._select} WHERE owner = ? AND seq > ? ORDER BY seq LIMIT ?", (self._pg.number(owner), after, limit)
        )
        return [(row[0], self._read(row, owner)) for row in rows]


class PostgresItemWriter(PostgresItems):
    """Reads and writes records. Changes keep a version in the ledger; a purge also clears ledger and self."""

    __slots__ = ("_ledger", "_self")

    def __init__(
        self, transaction: PostgresTransaction, ledger: SqliteLedgerWriter, self_state: SqliteSelfWriter
    ) -> None:
        super().__init__(transaction)
        self._ledger = ledger
        self._self = self_state

    def add(self, item: CelestialItem, course: Course) -> int:
        tx, number = self._pg, self._pg.enrolled(item.owner)
        (seq,) = tx.db.execute(
            _ADD, (number, number << OWNER_SHIFT, item.id, *_columns(item, course), number)
        ).fetchone()
        self._add_beside(seq, item)
        return int(seq)

    def add_many(self, items: Sequence[tuple[CelestialItem, Course]]) -> list[int]:
        return [self.add(item, course) for item, course in items]

    def add_at(self, seq: int, item: CelestialItem, course: Course) -> None:
        """Adds a memory with a key that no other memory has."""
        self._pg.db.send(_ADD_AT, (seq >> OWNER_SHIFT, seq, item.id, *_columns(item, course)))
        self._add_beside(seq, item)

    def _add_beside(self, seq: int, item: CelestialItem) -> None:
        """Adds the text, the vector and the indexes of a memory."""
        tx, number = self._pg, seq >> OWNER_SHIFT
        tx.db.send(ADD_TEXT, (number, seq, *_text_columns(item)))
        self._index(seq, item)
        if item.embedding is not None:
            tx.vectors.add(seq, item.embedding, searchable=item.state.in_orbit)
        tx.facets.add(seq, item.created_at, facets_of(item))
        self._count(number, item.state.in_orbit)

    def rewrite(self, item: CelestialItem, course: Course) -> None:
        tx, number = self._pg, self._pg.writable(item.owner)
        seq = self.key_of(item.owner, item.id)
        old = self.get(item.owner, item.id)
        assert old is not None  # noqa: S101 - it has a key
        self._ledger.keep_version(old)
        found_as_before = indexed_values(old) == indexed_values(item)
        if not found_as_before:
            self._unindex(seq, old)
        tx.db.send(_REWRITE, (*_columns(item, course), number, seq))
        tx.db.send(REWRITE_TEXT, (*_text_columns(item), number, seq))
        if not found_as_before:
            self._index(seq, item)
        tx.vectors.put(seq, item.embedding, searchable=item.state.in_orbit)
        tx.facets.change(seq, item.created_at, facets_of(old), facets_of(item))
        self._count(number, item.state.in_orbit - old.state.in_orbit)
        if old.state is State.ARCHIVED and item.state is not State.ARCHIVED:
            self._take_out_of_archive(number, seq)

    def reinforce(self, owner: Owner, now: float, recalled: Sequence[Recalled]) -> None:
        number = self._pg.writable(owner)
        update_zone_index(self._pg, number, {each.key: each.zone for each in recalled})
        rows = [
            (key, context, zone, int(course.piece), course.level, course.next_moment)
            for key, context, zone, course in recalled
        ]
        if rows:
            self._pg.db.send(_REINFORCE, (now, *map(list, zip(*rows, strict=True)), number))

    def mention(self, owner: Owner, item_id: str) -> None:
        self._pg.db.send(
            "UPDATE items SET mention_count = mention_count + 1 WHERE owner = ? AND id = ?",
            (self._pg.writable(owner), item_id),
        )

    def purge(self, owner: Owner, item_id: str) -> None:
        tx, number = self._pg, self._pg.writable(owner)
        seq = self.key_of(owner, item_id)
        item = self.get(owner, item_id)
        assert item is not None  # noqa: S101 - it has a key
        self._remove_backlinks(owner, item)
        self._unindex(seq, item)
        tx.vectors.remove(seq)
        tx.facets.remove(seq)
        self._ledger.forget_versions(owner, item_id)
        self._self.forget_item(owner, item_id)
        self._take_out_of_archive(number, seq)
        for statement in (
            "DELETE FROM turn_hits WHERE owner = ? AND item_id = ?",
            "DELETE FROM turns WHERE owner = ? AND saved_id = ?",
            "DELETE FROM request_keys WHERE owner = ? AND item_id = ?",
            "UPDATE sync_records SET texts = NULL WHERE owner = ? AND item_id = ?",
            "UPDATE imagined_patterns SET waiting = NULL WHERE owner = ? AND waiting = ?",
        ):
            tx.db.send(statement, (number, item_id))
        tx.db.send("DELETE FROM texts WHERE owner = ? AND seq = ?", (number, seq))
        tx.db.send("DELETE FROM items WHERE owner = ? AND seq = ?", (number, seq))
        self._count(number, -item.state.in_orbit)

    def _remove_backlinks(self, owner: Owner, item: CelestialItem) -> None:
        """Removes links to this memory from the memories that it links to; links are stored on both sides."""
        number = self._pg.number(owner)
        for other in self.get_many(owner, item.links.tied):
            untied = replace(other, links=other.links.without(item.id))
            self._pg.db.send(REWRITE_TEXT, (*_text_columns(untied), number, self.key_of(owner, other.id)))

    def _take_out_of_archive(self, number: int, seq: int) -> None:
        row = self._pg.db.execute(
            "DELETE FROM archived WHERE owner = ? AND seq = ? RETURNING file", (number, seq)
        ).fetchone()
        if row is not None:
            self._pg.db.send("UPDATE archives SET changed = 1 WHERE owner = ? AND file = ?", (number, row[0]))

    def _count(self, number: int, change: int) -> None:
        """Counts the memories in orbit."""
        if change:
            self._pg.db.send("UPDATE owner_state SET orbiting = orbiting + ? WHERE owner = ?", (int(change), number))

    def _index(self, seq: int, item: CelestialItem) -> None:
        """Indexes words, statement keys and relations; a memory out of orbit is in no index."""
        if item.state.in_orbit:
            tx, number = self._pg, seq >> OWNER_SHIFT
            add_words(tx.db, number, seq, tx.analyser().index_words(with_tags(item.content, item.tags)))
            tx.statement_keys.add(seq, item.content)
            tx.graph.add(number, seq, relations_of(item.resolution.triples))

    def _unindex(self, seq: int, item: CelestialItem) -> None:
        if item.state.in_orbit:
            tx, number = self._pg, seq >> OWNER_SHIFT
            remove_words(tx.db, number, seq, tx.analyser().index_words(with_tags(item.content, item.tags)))
            tx.statement_keys.remove(seq)
            tx.graph.remove(seq)


def _text_columns(item: CelestialItem) -> tuple[Any, ...]:
    return (item.content, to_json(item.metadata), facets_json(item), *ranking_columns(item))


def _columns(item: CelestialItem, course: Course) -> tuple[Any, ...]:
    return (
        item.state.value, item.zone, int(course.piece), course.level, course.next_moment, item.tier.value,
        item.protection.value, item.created_at, item.last_recalled_at, item.idle_since, item.recall_count,
        item.mention_count, item.arbitrary_importance, item.importance_source, item.context_score, item.expires_at,
        item.state_since, *departure_columns(item.departure), *reading_columns(item),
    )  # fmt: skip
