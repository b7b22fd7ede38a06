"""The dashboard's queries."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from celestial_engine.core.browse.directory import ALIVE, RelationColumns
from celestial_engine.core.browse.table import MemoryRow
from celestial_engine.core.orbit.picture import (
    DAY,
    LABEL,
    LEAVES,
    RETURNS,
    MoodPoint,
    OrbitPoint,
    PastEvent,
    weighted_emotions,
)
from celestial_engine.core.record.labels import Lifetime
from celestial_engine.core.record.lifetimes import Source, Tier, TierReason, is_lasting
from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.dialect import in_list
from celestial_engine.storage.sqlite.items.chains import ReferenceTable
from celestial_engine.storage.sqlite.items.transaction import SQL_VARIABLES, Transaction
from celestial_engine.storage.sqlite.packed_recall import packed_references, unpacked
from celestial_engine.storage.sqlite.rows import enum_value, label_names
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT

_SPOT = (
    "id, zone, state, tier, protection, recall_count, last_recalled_at, arbitrary_importance, context_score, "
    f"created_at, departed_at, substr(content, 1, {LABEL}), facets"
)
_ROW = (
    "id, content, zone, state, tier, protection, recall_count, last_recalled_at, arbitrary_importance, "
    "context_score, created_at, expires_at, purge_at, subject, attribute, value, lifetime, facets"
)
_KINDS = ", ".join(f"'{kind}'" for kind in sorted(LEAVES | RETURNS))
_EMOTION = '"emotion":'
_TRIPLES = '"triples":'
_NESTED = '"bqi_snapshot":'  # a host's own object, which may hold any key
_DEFAULT_SOURCE = Source.USER.value  # facets hold only what differs from the default
_LIFETIMES = tuple(Lifetime)
_NOTHING: dict[str, Any] = {}
_decoder = json.JSONDecoder()
_weighted = lru_cache(maxsize=4096)(weighted_emotions)  # most of ten thousand memories share an emotion with another


class SqlitePictures:
    """Reads columns, not whole memories, within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def orbit_points(self, owner: Owner, limit: int, *, everywhere: bool = False) -> list[OrbitPoint]:
        among = "state != 'purged'" if everywhere else IN_ORBIT
        rows = self._tx.db.execute(
            f"SELECT {_SPOT} FROM {self._tx.dialect.texts} WHERE owner = ? AND {among} "
            "ORDER BY zone, last_recalled_at DESC LIMIT ?",
            (self._tx.number(owner), limit),
        )
        return [OrbitPoint._make((*row[:-1], _felt(row[-1]))) for row in rows]

    def past_events(self, owner: Owner, until: float, limit: int) -> list[PastEvent]:
        number = self._tx.number(owner)
        rows = self._tx.db.execute(
            "SELECT item_id, at, type, CASE type WHEN 'recalled' THEN detail ELSE '' END, "
            "CASE WHEN item_id IS NULL THEN host END FROM ledger WHERE owner = ? "
            f"AND (item_id IS NOT NULL OR type = 'recalled') AND type IN ({_KINDS}) AND at <= ? "
            "ORDER BY number DESC LIMIT ?",
            (number, until, limit),
        ).fetchall()
        events = [event for row in reversed(_unpacked(self._tx, number, rows)) for event in _past_events(*row)]
        return events[-limit:]

    def daily_event_counts(self, owner: Owner, first: float, end: float) -> dict[tuple[float, str], int]:
        rows = self._tx.db.execute(
            f"SELECT {self._tx.dialect.whole.format('(moment - ?) / ?')}, type, count(*) FROM ("
            "SELECT type, CASE WHEN type = 'stored' THEN coalesce(items.created_at, at) ELSE at END AS moment "
            "FROM ledger LEFT JOIN items ON items.owner = ledger.owner AND items.id = ledger.item_id "
            "WHERE ledger.owner = ? AND at >= ?) AS moments "
            "WHERE moment >= ? AND moment < ? GROUP BY 1, 2",
            (first, DAY, self._tx.number(owner), first, first, end),
        )
        return {(first + day * DAY, kind): count for day, kind, count in rows}

    def tiers(self, owner: Owner, item_ids: Sequence[str]) -> dict[str, str]:
        number, tiers, ids = self._tx.number(owner), dict[str, str](), list(dict.fromkeys(item_ids))
        for start in range(0, len(ids), SQL_VARIABLES):
            part = ids[start : start + SQL_VARIABLES]
            marks = ", ".join("?" * len(part))
            rows = self._tx.db.execute(
                f"SELECT id, tier FROM items WHERE owner = ? AND id IN ({marks})", (number, *part)
            )
            tiers.update(rows.fetchall())
        return tiers

    def moods(self, owner: Owner, first: float, limit: int) -> list[MoodPoint]:
        rows = self._tx.db.execute(
            f"SELECT created_at, facets FROM {self._tx.dialect.texts} WHERE owner = ? AND created_at >= ? "
            "ORDER BY created_at DESC LIMIT ?",
            (self._tx.number(owner), first, limit),
        )
        return [_mood(created, facets) for created, facets in rows]

    def memory_rows(self, owner: Owner, item_ids: Sequence[str] | None = None) -> list[MemoryRow]:
        select = f"SELECT {_ROW} FROM {self._tx.dialect.texts} WHERE owner = ? AND state != 'purged'"
        number, rows = self._tx.number(owner), list[MemoryRow]()
        if item_ids is None:
            return [_memory_row(row) for row in self._tx.db.execute(select, (number,))]
        for start in range(0, len(item_ids), SQL_VARIABLES):
            marks, values = in_list(item_ids[start : start + SQL_VARIABLES])
            rows += map(_memory_row, self._tx.db.execute(f"{select} AND id IN ({marks})", (number, *values)))
        return rows

    def graph_keys(self, owner: Owner) -> set[str]:
        names = self._tx.db.execute("SELECT name FROM entities WHERE owner = ?", (self._tx.number(owner),))
        return {name for (name,) in names}

    def relation_columns(self, owner: Owner) -> RelationColumns:
        marks = ", ".join("?" * len(ALIVE))
        rows = self._tx.db.execute(
            f"SELECT id, created_at, subject, attribute, facets FROM {self._tx.dialect.texts} "
            f"WHERE owner = ? AND state IN ({marks}) ORDER BY created_at, id",
            (self._tx.number(owner), *ALIVE),
        )
        columns = RelationColumns(known_keys=self.graph_keys(owner))
        for item_id, created_at, subject, attribute, facets in rows:
            columns.add(item_id, created_at, *label_names(subject, attribute), _triples(facets))
        return columns


def _memory_row(row: tuple[Any, ...]) -> MemoryRow:
    facets: dict[str, Any] = json.loads(row[-1])
    emotion, validity = facets.get("emotion", _NOTHING), facets.get("validity", _NOTHING)
    return MemoryRow._make((
        *row[:13],
        *label_names(row[13], row[14]),
        row[15],
        facets.get("source", _DEFAULT_SOURCE),
        facets.get("time", _NOTHING).get("session_id"),
        facets.get("space", _NOTHING).get("project"),
        tuple(facets.get("tags", ())),
        tuple(emotion.get("tags", ())),
        tuple(map(tuple, facets.get("resolution", _NOTHING).get("triples", ()))),
        validity.get("until"),
        _lasts(row[4], row[16], facets.get("tier_reason"), validity.get("until") is not None),
        None if row[16] is None else _LIFETIMES[row[16]].value,
    ))  # fmt: skip


@lru_cache(maxsize=256)  # a handful of combinations
def _lasts(tier: str, lifetime: int | None, reason: str | None, superseded: bool) -> bool:
    return is_lasting(
        enum_value(Tier, tier),
        None if lifetime is None else _LIFETIMES[lifetime],
        None if reason is None else enum_value(TierReason, reason),
        superseded=superseded,
    )


def _triples(facets: str) -> Sequence[Sequence[str]]:
    """Reads the relations without parsing all facets, as `_emotion` does."""
    at = facets.find(_TRIPLES)
    if at < 0:
        return ()
    if _NESTED in facets:
        whole: Sequence[Sequence[str]] = json.loads(facets).get("resolution", {}).get("triples", ())
        return whole
    triples: Sequence[Sequence[str]] = _decoder.raw_decode(facets, at + len(_TRIPLES))[0]
    return triples


def _felt(facets: str) -> tuple[tuple[str, float], ...]:
    emotion = _emotion(facets)
    return _weighted(tuple(emotion.get("tags", ())), emotion.get("intensity", 0.0)) if emotion else ()


def _mood(created_at: float, facets: str) -> MoodPoint:
    return MoodPoint(created_at, _felt(facets), _emotion(facets).get("sentiment_score", 0.0))


def _emotion(facets: str) -> dict[str, Any]:
    """Reads the emotion without parsing all facets, which would take most of the time."""
    at = facets.find(_EMOTION)
    if at < 0:
        return {}
    if _NESTED in facets:
        whole: dict[str, Any] = json.loads(facets).get("emotion", {})
        return whole
    emotion: dict[str, Any] = _decoder.raw_decode(facets, at + len(_EMOTION))[0]
    return emotion


def _unpacked(tx: Transaction, owner: int, rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Returns the rows with the packed texts of entries about several memories unpacked."""
    refs = {ref for *_, host in rows if isinstance(host, bytes) for ref in packed_references(host)}
    if not refs:
        return rows
    names = ReferenceTable(tx).names(owner, refs)
    return [(*row[:3], *unpacked(row[4], names)) if isinstance(row[4], bytes) else row for row in rows]


def _past_events(item_id: str | None, at: float, kind: str, detail: str, host: str | None) -> list[PastEvent]:
    if item_id is not None:
        context = float(json.loads(detail).get("context", 0.0)) if detail else 0.0
        return [PastEvent(item_id, at, kind, context)]
    contexts, refs = json.loads(detail).get("context", ()), json.loads(host or "{}").get("memory_refs", ())
    # Memories that were displaced follow those that were recalled.
    return [PastEvent(ref, at, kind, float(context)) for ref, context in zip(refs, contexts, strict=False)]
