"""One transaction on the database: the SQL that the flow's words stand for."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from celestial_engine.core.orbit.memory_function import Course, Piece
from celestial_engine.core.orbit.zones import Body, Move
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import FacetKind, ItemFilter, facet, facets_of
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.graph import relations_of
from celestial_engine.core.text.words import with_tags
from celestial_engine.errors import NotFoundError
from celestial_engine.ports import Due, SessionSpan
from celestial_engine.storage.sqlite.items.candidates import CandidateReading
from celestial_engine.storage.sqlite.items.idempotency_keys import KeyReading, KeysWritten
from celestial_engine.storage.sqlite.items.imagination import PatternReading, PatternsWritten
from celestial_engine.storage.sqlite.items.learning import LessonReading, LessonsWritten
from celestial_engine.storage.sqlite.items.ledger import LedgerReader, LedgerWriter
from celestial_engine.storage.sqlite.items.lives import LifeReading
from celestial_engine.storage.sqlite.items.nights import NightReading
from celestial_engine.storage.sqlite.items.pictures import PictureTables
from celestial_engine.storage.sqlite.items.retention_view import ShelfReading, ShelfWriting
from celestial_engine.storage.sqlite.items.self_state import SelfTablesRead, SelfTablesWritten
from celestial_engine.storage.sqlite.items.transaction import SQL_VARIABLES, numbers
from celestial_engine.storage.sqlite.rows import (
    ITEM_COLUMNS,
    ITEM_TABLES,
    departure_columns,
    departure_from,
    facets_json,
    item_from,
    known,
    to_json,
    told_text,
)
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT, OWNER_SHIFT

if TYPE_CHECKING:
    from celestial_engine.core.paging import PagePosition

_ANYBODY_IN_ORBIT = ItemFilter()


class SqliteReader(
    CandidateReading,
    ShelfReading,
    LedgerReader,
    NightReading,
    LifeReading,
    LessonReading,
    KeyReading,
    PatternReading,
    SelfTablesRead,
    PictureTables,
):
    """Reads within one transaction."""

    # -- items --------------------------------------------------------------------------------------

    def get(self, owner: Owner, item_id: str) -> CelestialItem | None:
        number = self._number(owner)
        row = self._db.execute(
            f"SELECT {ITEM_COLUMNS} FROM {ITEM_TABLES} WHERE owner = ? AND id = ?", (number, item_id)
        ).fetchone()
        return None if row is None else item_from(row, owner)

    def get_many(self, owner: Owner, item_ids: Sequence[str]) -> list[CelestialItem]:
        number = self._number(owner)
        found: dict[str, CelestialItem] = {}
        for start in range(0, len(item_ids), SQL_VARIABLES):
            part = item_ids[start : start + SQL_VARIABLES]
            rows = self._db.execute(
                f"SELECT {ITEM_COLUMNS} FROM {ITEM_TABLES} WHERE owner = ? AND id IN ({', '.join('?' * len(part))})",
                (number, *part),
            )
            found.update((row[1], item_from(row, owner)) for row in rows)
        return [found[item_id] for item_id in item_ids if item_id in found]

    def ids_starting(self, owner: Owner, prefix: str, limit: int) -> list[str]:
        rows = self._db.execute(
            "SELECT id FROM items WHERE owner = ? AND id BETWEEN ? AND ? ORDER BY id LIMIT ?",
            (self._number(owner), prefix, prefix + chr(sys.maxunicode), limit),
        )
        return [item_id for (item_id,) in rows]

    def newest(
        self, owner: Owner, chosen: ItemFilter, limit: int | None, before: PagePosition | None = None
    ) -> list[CelestialItem]:
        number = self._number(owner)
        bound = None if before is None else (before.created_at, next(iter(self._keys(owner, [before.item_id])), 0))
        if chosen != _ANYBODY_IN_ORBIT:
            return self._items(owner, self._facets.newest(number, chosen, limit, bound))
        rows = self._db.execute(
            f"SELECT {ITEM_COLUMNS} FROM {ITEM_TABLES} WHERE owner = ? AND {IN_ORBIT} "
            f"{'' if bound is None else 'AND (created_at, items.seq) < (?, ?) '}"
            "ORDER BY created_at DESC, items.seq DESC LIMIT ?",
            (number, *(bound or ()), -1 if limit is None else limit),
        )
        return [item_from(row, owner) for row in rows]

    def _items(self, owner: Owner, keys: Sequence[int]) -> list[CelestialItem]:
        found: dict[int, CelestialItem] = {}
        for start in range(0, len(keys), SQL_VARIABLES):
            part = numbers(keys[start : start + SQL_VARIABLES])
            rows = self._db.execute(f"SELECT {ITEM_COLUMNS} FROM {ITEM_TABLES} WHERE items.seq IN ({part})")
            found.update((row[0], item_from(row, owner)) for row in rows)
        return [found[key] for key in keys]

    def session_span(self, owner: Owner, session_id: str) -> SessionSpan | None:
        edges = self._facets.edges(self._number(owner), facet(FacetKind.SESSION, session_id))
        if edges is None:
            return None
        first, last = (self._items(owner, [key])[0] for key in edges)
        minutes = first.time.relative_time_minutes or 0.0
        return SessionSpan(first.created_at - 60.0 * minutes, last.time.sequence or 0)

    def session_ids(self, owner: Owner, chosen: ItemFilter) -> list[str]:
        return self._facets.values(self._number(owner), FacetKind.SESSION, chosen)

    def page(self, owner: Owner, after: int, limit: int) -> list[tuple[int, CelestialItem]]:
        low, high = self._range(owner)
        rows = self._db.execute(
            f"SELECT {ITEM_COLUMNS} FROM {ITEM_TABLES} WHERE items.seq BETWEEN ? AND ? ORDER BY items.seq LIMIT ?",
            (max(low, after + 1), high, limit),
        )
        return [(row[0], item_from(row, owner)) for row in rows]

    def state_counts(self, owner: Owner) -> dict[State, int]:
        number = self._number(owner)
        rows = self._db.execute("SELECT state, count(*) FROM items WHERE owner = ? GROUP BY state", (number,))
        return {known(State, state): count for state, count in rows}

    # -- vectors ------------------------------------------------------------------------------------

    def embedder_in_force(self) -> str | None:
        return self._noted("embedder")

    def vector_dimension(self) -> int | None:
        return self._vectors.dimension()

    def without_vector(self, after: int, limit: int) -> list[tuple[int, str]]:
        return self._vectors.missing(after, limit)

    def count_without_vector(self, after: int) -> int:
        return self._vectors.count_missing(after)

    # -- orbits -------------------------------------------------------------------------------------

    def zone_counts(self, owner: Owner, zones: Sequence[int]) -> dict[int, int]:
        rows = self._db.execute(
            f"SELECT zone, count(*) FROM items WHERE owner = ? AND zone IN ({numbers(zones)}) AND {IN_ORBIT} "
            "GROUP BY zone",
            (self._number(owner),),
        )
        return dict.fromkeys(zones, 0) | dict(rows.fetchall())

    def orbiting(self, owner: Owner | None = None) -> int:
        count = "SELECT ifnull(sum(orbiting), 0) FROM owners"
        if owner is None:
            return int(self._db.execute(count).fetchone()[0])
        return int(self._db.execute(f"{count} WHERE owner = ?", (self._number(owner),)).fetchone()[0])

    def lowest(self, owner: Owner, zone: int) -> list[Body]:
        number = self._number(owner)
        found: list[Body] = []
        for piece in Piece:
            rows = self._db.execute(
                f"SELECT seq, zone, piece, level FROM items WHERE owner = ? AND zone = ? AND piece = ? "
                f"AND {IN_ORBIT} ORDER BY level, seq LIMIT 1",
                (number, zone, int(piece)),
            )
            found.extend(Body(*row) for row in rows)
        return found

    def occupants(self, owner: Owner, zones: Sequence[int]) -> list[Body]:
        rows = self._db.execute(
            f"SELECT seq, zone, piece, level FROM items "
            f"WHERE owner = ? AND zone IN ({numbers(zones)}) AND {IN_ORBIT}",
            (self._number(owner),),
        )
        return [Body(*row) for row in rows]

    def waiting(self, owner: Owner, zone: int, piece: int, at_least: float, limit: int) -> list[Body]:
        rows = self._db.execute(
            f"SELECT seq, zone, piece, level FROM items WHERE owner = ? AND zone = ? AND piece = ? "
            f"AND level >= ? AND {IN_ORBIT} ORDER BY level DESC, seq DESC LIMIT ?",
            (self._number(owner), zone, piece, at_least, limit),
        )
        return [Body(*row) for row in rows]

    def due(self, now: float, limit: int) -> list[Due]:
        rows = self._db.execute(
            "SELECT seq, owner, id, state, zone, tier, protection, recall_count, last_recalled_at, "
            "arbitrary_importance, context_score, departed_for, departed_at, purge_at "
            "FROM items WHERE next_moment <= ? ORDER BY next_moment LIMIT ?",
            (now, limit),
        ).fetchall()
        owners = {number: self._owner(number) for number in {row[1] for row in rows}}
        return [
            Due(row[0], owners[row[1]], row[2], known(State, row[3]), row[4], known(Tier, row[5]),
                known(Protection, row[6]), row[7], row[8], row[9], row[10], departure_from(*row[11:]))
            for row in rows
        ]  # fmt: skip

    def law_in_force(self) -> str | None:
        return self._noted("law")

    def unsettled(self, now: float, limit: int) -> list[Owner]:
        rows = self._db.execute(
            "SELECT user_id, agent_id FROM owners WHERE settle_at <= ? ORDER BY settle_at LIMIT ?",
            (now, limit),
        )
        return [Owner(*row) for row in rows]


class SqliteWriter(
    SqliteReader, ShelfWriting, LedgerWriter, LessonsWritten, KeysWritten, PatternsWritten, SelfTablesWritten
):
    """Reads and writes within one immediate transaction."""

    def add(self, item: CelestialItem, course: Course) -> int:
        number = self._number(item.owner) or self._welcome(item.owner)
        low, high = number << OWNER_SHIFT, ((number + 1) << OWNER_SHIFT) - 1
        last = self._db.execute("SELECT max(seq) FROM items WHERE seq BETWEEN ? AND ?", (low, high)).fetchone()[0]
        seq = low + 1 if last is None else int(last) + 1
        self._db.execute(
            "INSERT INTO items (seq, owner, id, state, zone, piece, level, next_moment, tier, protection, "
            "created_at, last_recalled_at, recall_count, mention_count, arbitrary_importance, importance_source, "
            "context_score, expires_at, departed_for, departed_at, purge_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (seq, number, item.id, item.state.value, item.zone, int(course.piece), course.level,
             course.next_moment, item.tier.value, item.protection.value, item.created_at, item.last_recalled_at,
             item.recall_count, item.mention_count, item.arbitrary_importance, item.importance_source,
             item.context_score, item.expires_at, *departure_columns(item.departure)),
        )  # fmt: skip
        self._db.execute(
            "INSERT INTO texts (seq, content, metadata, facets) VALUES (?, ?, ?, ?)",
            (seq, item.content, to_json(item.metadata), facets_json(item)),
        )
        self._index(seq, item)
        self._vectors.put(seq, item.embedding, searchable=item.state.in_orbit)
        self._facets.add(seq, item.created_at, facets_of(item))
        return seq

    def key_of(self, owner: Owner, item_id: str) -> int:
        number = self._number(owner)
        row = self._db.execute("SELECT seq FROM items WHERE owner = ? AND id = ?", (number, item_id)).fetchone()
        if row is None:
            raise NotFoundError(item_id=item_id)
        return int(row[0])

    def id_of(self, key: int) -> str:
        return str(self._db.execute("SELECT id FROM items WHERE seq = ?", (key,)).fetchone()[0])

    def rewrite(self, item: CelestialItem, course: Course) -> None:
        seq = self.key_of(item.owner, item.id)
        old = self.get(item.owner, item.id)
        self._remember(old)
        found_as_before = old is not None and _found_by(old) == _found_by(item)
        if not found_as_before:
            self._unindex(seq)
        self._db.execute(
            "UPDATE items SET state = ?, zone = ?, piece = ?, level = ?, next_moment = ?, tier = ?, "
            "protection = ?, created_at = ?, last_recalled_at = ?, recall_count = ?, mention_count = ?, "
            "arbitrary_importance = ?, importance_source = ?, context_score = ?, expires_at = ?, "
            "departed_for = ?, departed_at = ?, purge_at = ? WHERE seq = ?",
            (item.state.value, item.zone, int(course.piece), course.level, course.next_moment, item.tier.value,
             item.protection.value, item.created_at, item.last_recalled_at, item.recall_count,
             item.mention_count, item.arbitrary_importance, item.importance_source, item.context_score,
             item.expires_at, *departure_columns(item.departure), seq),
        )  # fmt: skip
        self._db.execute(
            "UPDATE texts SET content = ?, metadata = ?, facets = ? WHERE seq = ?",
            (item.content, to_json(item.metadata), facets_json(item), seq),
        )
        if not found_as_before:
            self._index(seq, item)
        self._vectors.put(seq, item.embedding, searchable=item.state.in_orbit)
        self._facets.change(seq, item.created_at, facets_of(old) if old else set(), facets_of(item))

    def reinforce(self, key: int, now: float, context: float, zone: int, course: Course) -> None:
        self._zones_become({key: zone})
        self._db.execute(
            "UPDATE items SET recall_count = recall_count + 1, last_recalled_at = ?, context_score = ?, "
            "zone = ?, piece = ?, level = ?, next_moment = ? WHERE seq = ?",
            (now, context, zone, int(course.piece), course.level, course.next_moment, key),
        )

    def mention(self, key: int) -> None:
        self._db.execute("UPDATE items SET mention_count = mention_count + 1 WHERE seq = ?", (key,))

    def set_courses(self, courses: Iterable[tuple[int, int, Course]]) -> None:
        courses = list(courses)
        self._zones_become({key: zone for key, zone, _ in courses})
        self._db.executemany(
            "UPDATE items SET zone = ?, piece = ?, level = ?, next_moment = ? WHERE seq = ?",
            [(zone, int(way.piece), way.level, way.next_moment, key) for key, zone, way in courses],
        )

    def move(self, moves: Iterable[Move]) -> None:
        zones = {move.key: move.to_zone for move in moves}
        self._zones_become(zones)
        self._db.executemany("UPDATE items SET zone = ? WHERE seq = ?", [(zone, key) for key, zone in zones.items()])

    def _zones_become(self, zones: Mapping[int, int]) -> None:
        """Told to the filters before the rows change."""
        keys = list(zones)
        for start in range(0, len(keys), SQL_VARIABLES):
            part = numbers(keys[start : start + SQL_VARIABLES])
            rows = self._db.execute(f"SELECT seq, zone FROM items WHERE seq IN ({part})").fetchall()
            self._facets.moved((seq, zone, zones[seq]) for seq, zone in rows if zone != zones[seq])

    def settle_again(self, owner: Owner, at: float | None) -> None:
        self._db.execute("UPDATE owners SET settle_at = ? WHERE owner = ?", (at, self._number(owner)))

    def purge(self, owner: Owner, item_id: str) -> None:
        seq = self.key_of(owner, item_id)
        self._untie(owner, item_id)
        self._unindex(seq)
        self._vectors.remove(seq)
        self._facets.remove(seq)
        self._forget_versions(owner, item_id)
        self._forget_in_self(owner, item_id)
        self._db.execute("DELETE FROM texts WHERE seq = ?", (seq,))
        self._db.execute("DELETE FROM items WHERE seq = ?", (seq,))

    def _untie(self, owner: Owner, item_id: str) -> None:
        """Links are kept on both sides: who is linked to it stands in its own links."""
        item = self.get(owner, item_id)
        tied = self.get_many(owner, item.links.tied) if item is not None else []
        self._db.executemany(
            "UPDATE texts SET facets = ? WHERE seq = ?",
            [
                (facets_json(replace(other, links=other.links.without(item_id))), self.key_of(owner, other.id))
                for other in tied
            ],
        )

    def adopt_embedder(self, name: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES ('embedder', ?)", (name,))
        self._vectors.remove_all()

    def set_vectors(self, vectors: Iterable[tuple[int, str, list[float]]]) -> None:
        for seq, text, vector in vectors:
            waiting = self._db.execute(
                f"SELECT 1 FROM items JOIN texts USING (seq) LEFT JOIN vectors USING (seq) "
                f"WHERE seq = ? AND content = ? AND embedding IS NULL AND {IN_ORBIT}",
                (seq, text),
            ).fetchone()
            if waiting:
                self._vectors.put(seq, vector, searchable=True)

    def adopt_law(self, law: str) -> None:
        if self.law_in_force() == law:
            return
        self._db.execute("INSERT OR REPLACE INTO meta VALUES ('law', ?)", (law,))
        self._db.execute(f"UPDATE items SET next_moment = 0 WHERE {IN_ORBIT}")

    def _index(self, seq: int, item: CelestialItem) -> None:
        """Words, sayings and relations of a memory; one that is not in orbit is found by none of them."""
        if item.state.in_orbit:
            self._words.add(self._db, seq, with_tags(item.content, item.tags))
            self._sayings.add(seq, item.content)
            self._graph.add(seq >> OWNER_SHIFT, seq, relations_of(item.resolution.triples))

    def _unindex(self, seq: int) -> None:
        state, content, facets = self._db.execute(
            "SELECT state, content, facets FROM items JOIN texts USING (seq) WHERE seq = ?", (seq,)
        ).fetchone()
        if known(State, state).in_orbit:
            self._words.remove(self._db, seq, told_text(content, facets))
            self._sayings.remove(seq)
            self._graph.remove(seq)


def _found_by(item: CelestialItem) -> tuple[object, ...]:
    """What words and relations are made of: most changes leave it as it is, and cost the index nothing."""
    return item.state.in_orbit, item.content, item.tags, item.resolution.triples
