"""CelestialStore: a LangGraph long-term store backed by the engine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    PutOp,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
    validate_op_namespace,
)

from celestial_engine.adapters.langgraph import records
from celestial_engine.adapters.langgraph.matching import Namespace, accepts, check_filter, namespace_matches
from celestial_engine.adapters.langgraph.records import StoreRecord
from celestial_engine.adapters.shared.shapes import check_engine
from celestial_engine.adapters.shared.side_records import retry_on_conflict
from celestial_engine.core.checks import MOST_RESULTS, check_limit, check_text
from celestial_engine.core.record.coordinate import SpaceCoordinate
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.core.record.versions import version_of
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import (
    Expected,
    InvalidInputError,
    KeyReusedError,
    NotFoundError,
    Reason,
    SecretError,
    VersionError,
    WrongStateError,
)

_PAGE = 100
_MAX_TTL_MINUTES = 5_256_000.0  # ten years
_TTL_SETTINGS = ("default_ttl", "refresh_on_read")
_DEPARTED = tuple(state for state in State if not state.in_orbit)

_Entry = tuple[CelestialItem, StoreRecord]


class CelestialStore(BaseStore):
    """A LangGraph store in which every item is a memory: `create_agent(..., store=CelestialStore(memory))`.

    Items are found by key, by namespace and by meaning, and are recalled with the owner's other memories. No
    operation of the store changes those other memories. Items are pinned: only deletion or expiry forgets them.
    `index` names the searchable fields (default: all). `ttl` holds `default_ttl` in minutes and `refresh_on_read`.
    """

    supports_ttl = True

    def __init__(
        self,
        memory: CelestialMemory,
        *,
        index: Sequence[str] | None = None,
        ttl: TTLConfig | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        unknown = sorted(set(ttl or ()) - set(_TTL_SETTINGS))
        if unknown:
            raise InvalidInputError("ttl", Reason.UNKNOWN_NAMES, names=tuple(unknown), choices=tuple(_TTL_SETTINGS))
        _check_ttl((ttl or {}).get("default_ttl"))
        self.ttl_config = ttl
        self._memory = check_engine(memory).of(user_id, agent_id)
        self._fields = _check_fields(index)
        self._clock = clock

    def batch(self, ops: Iterable[Any]) -> list[Any]:
        """Check all operations, then run them. Reads see the state before the batch; the last put of a key wins."""
        operations = list(ops)
        for op in operations:
            self._check(op)
        now = self._clock()
        results = [None if isinstance(op, PutOp) else self._read(op, now) for op in operations]
        puts = {(op.namespace, op.key): op for op in operations if isinstance(op, PutOp)}
        for op in puts.values():
            self._put(op, now)
        return results

    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        """Run `batch` in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Forget expired items and return their number. Reads hide them anyway; this removes them from recall too."""
        now, count = self._clock(), 0
        for item, record in list(self._entries(records.TTL_FILTER)):
            if record.expired(now):
                self._forget(item)
                count += 1
        return count

    # -- checking -------------------------------------------------------------------------------------

    def _check(self, op: Any) -> None:
        if not isinstance(op, (GetOp, PutOp, SearchOp, ListNamespacesOp)):
            raise InvalidInputError("op", Reason.WRONG_TYPE, expected=Expected.STORE_OPERATION, got=type(op).__name__)
        validate_op_namespace(op)
        match op:
            case GetOp() | PutOp():
                if not op.namespace:
                    raise InvalidInputError("namespace", Reason.EMPTY)
                check_text(op.key, "key")
                if isinstance(op, PutOp) and op.value is not None:
                    self._record(op, self._clock()).metadata()
            case SearchOp():
                check_filter(op.filter)
                check_limit(op.offset)
                check_limit(op.limit)
            case ListNamespacesOp():
                check_limit(op.offset)
                check_limit(op.limit)
                for condition in op.match_conditions or ():
                    if condition.match_type not in ("prefix", "suffix"):
                        raise InvalidInputError(
                            "match_type",
                            Reason.UNKNOWN_CHOICE,
                            got=condition.match_type,
                            choices=("prefix", "suffix"),
                        )

    # -- reading --------------------------------------------------------------------------------------

    def _read(self, op: Any, now: float) -> Any:
        match op:
            case GetOp():
                entry = self._get_entry(op.namespace, op.key, now)
                return None if entry is None else _to_item(self._refresh(*entry, op.refresh_ttl, now))
            case SearchOp():
                matches = self._search_by_meaning(op, now) if (op.query or "").strip() else self._list_newest(op, now)
                return [
                    _to_search_item(self._refresh(*entry, op.refresh_ttl, now), score) for entry, score in matches
                ]
            case _:
                return self._list_namespaces(op)

    def _get_entry(self, namespace: Namespace, key: str, now: float) -> _Entry | None:
        where = records.item_filter(namespace, key)
        for item in self._memory.list(1, where=where):
            record = StoreRecord.read(item)
            if record is not None and not record.expired(now):
                return item, record
        return None

    def _list_newest(self, op: SearchOp, now: float) -> list[tuple[_Entry, float | None]]:
        conditions = check_filter(op.filter)
        seen: set[tuple[Namespace, str]] = set()
        matches: list[tuple[_Entry, float | None]] = []
        page = _PAGE if conditions else min(op.offset + op.limit, _PAGE) or 1
        for item, record in self._entries(records.namespace_filter(op.namespace_prefix), page):
            if len(seen) >= op.offset + op.limit:
                break
            if record.place not in seen and not record.expired(now) and accepts(conditions, record.value):
                seen.add(record.place)
                matches.append(((item, record), None))
        return matches[op.offset : op.offset + op.limit]

    def _search_by_meaning(self, op: SearchOp, now: float) -> list[tuple[_Entry, float | None]]:
        """Search by meaning, best first. If the filter drops too many hits, search again with a larger limit."""
        conditions, question = check_filter(op.filter), op.query or ""
        where, end = records.namespace_filter(op.namespace_prefix), op.offset + op.limit
        limit = end
        while True:
            found = self._memory.search(question, min(limit, MOST_RESULTS), explain=True, where=where, floor=0)
            hits = found.hits  # a store returns the nearest values; whether they answer is up to its caller
            matches: dict[tuple[Namespace, str], tuple[_Entry, float | None]] = {}
            for hit in hits:
                record = StoreRecord.read(hit.item)
                if (
                    record is None
                    or not record.indexed
                    or record.expired(now)
                    or not accepts(conditions, record.value)
                ):
                    continue
                matches.setdefault(record.place, ((hit.item, record), hit.relevance))
            if len(matches) >= end or len(hits) < limit:
                return list(matches.values())[op.offset : end]
            limit *= 4

    def _entries(self, where: ItemFilter, size: int = _PAGE) -> Iterator[_Entry]:
        """Yield the items that match a filter, newest first, page by page."""
        cursor: str | None = None
        while True:
            page = self._memory.browse.page(size, cursor, where=where)
            for item in page.items:
                record = StoreRecord.read(item)
                if record is not None:
                    yield item, record
            cursor = page.cursor
            if cursor is None:
                return

    def _refresh(self, item: CelestialItem, record: StoreRecord, refresh: bool, now: float) -> StoreRecord:
        if not refresh or record.ttl is None:
            return record
        refreshed, version = record.refreshed(now), version_of(item)
        with suppress(NotFoundError, WrongStateError, VersionError):  # a concurrent change has refreshed its expiry
            self._memory.update(item.id, metadata=refreshed.metadata(), if_version=version)
        return refreshed

    def _list_namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        self.sweep_ttl()  # otherwise namespaces of expired items would be listed
        sessions = self._memory.browse.sessions(where=records.namespace_filter(()))
        namespaces = {namespace for session in sessions if (namespace := records.namespace_of(session)) is not None}
        for condition in op.match_conditions or ():
            namespaces = {
                each for each in namespaces if namespace_matches(condition.match_type, condition.path, each)
            }
        if op.max_depth is not None:
            namespaces = {each[: op.max_depth] for each in namespaces}
        return sorted(namespaces)[op.offset : op.offset + op.limit]

    # -- writing --------------------------------------------------------------------------------------

    def _record(self, op: PutOp, now: float) -> StoreRecord:
        if not isinstance(op.value, Mapping):
            raise InvalidInputError("value", Reason.WRONG_TYPE, expected=Expected.OBJECT, got=type(op.value).__name__)
        _check_fields(op.index or None)
        ttl = _check_ttl(op.ttl)
        expires_at = None if ttl is None else now + ttl * 60.0
        return StoreRecord(op.namespace, op.key, dict(op.value), now, now, op.index is not False, ttl, expires_at)

    def _put(self, op: PutOp, now: float) -> None:
        # The store decides between concurrent puts, of threads, processes and hosts alike: only one of them creates
        # the item, the others find it and update it.
        retry_on_conflict(lambda: self._put_once(op, now), KeyReusedError, NotFoundError, WrongStateError)

    def _put_once(self, op: PutOp, now: float) -> None:
        existing = self._memory.list(_PAGE, where=records.item_filter(op.namespace, op.key))
        kept = None if op.value is None else self._update_or_store(op, existing, now)
        for item in existing:
            if kept is None or item.id != kept.id:
                self._forget(item)

    def _update_or_store(self, op: PutOp, existing: Sequence[CelestialItem], now: float) -> CelestialItem:
        """Update the existing memory of the item, or store a new one."""
        record = self._record(op, now)
        text = records.text_of(record, self._texts(op))
        previous = StoreRecord.read(existing[0]) if existing else None
        if previous is None or previous.expired(now):
            return self._store_item(record, text, existing)
        record = replace(record, created_at=previous.created_at)
        if (previous.ttl is None) is not (record.ttl is None):  # a memory's tags, here the TTL tag, cannot be updated
            return self._store_item(record, text, existing)
        new_text = None if existing[0].content == text else text
        return self._memory.update(existing[0].id, new_text, metadata=record.metadata())

    def _creation_key(self, record: StoreRecord, existing: Sequence[CelestialItem]) -> str:
        """A key that all who would create this item now share: it names the memory that the new one follows."""
        departed = replace(records.item_filter(*record.place), states=_DEPARTED)
        before = existing[:1] or self._memory.list(1, where=departed)
        return f"{records.item_filter(*record.place).tags[0]}/{before[0].id if before else ''}"

    def _store_item(self, record: StoreRecord, text: str, existing: Sequence[CelestialItem]) -> CelestialItem:
        session = records.session_of(record.namespace)
        item = self._memory.store(
            text,
            metadata=record.metadata(),
            source=Source.OBSERVATION,
            tier=Tier.M365,
            pinned=True,
            tags=records.tags_of(record),
            session_id=session,
            space=SpaceCoordinate(project=session),
            idempotency_key=self._creation_key(record, existing),
        )
        if not item.state.in_orbit:  # another process put the same, and deleted it since
            raise NotFoundError(item_id=item.id)
        stored = StoreRecord.read(item)
        if stored is None or stored.place != record.place:  # the guard redacted its name: it could not be found again
            self._forget(item)
            raise SecretError(Reason.SECRET_FOUND, kinds=("name",))
        return item

    def _texts(self, op: PutOp) -> list[str] | None:
        fields = self._fields if op.index is None else op.index
        if not fields:
            return None
        return [text for field in fields for text in get_text_at_path(op.value, field)]

    def _forget(self, item: CelestialItem) -> None:
        with suppress(NotFoundError, WrongStateError):  # already forgotten concurrently
            self._memory.forget(item.id)


def _check_fields(fields: object) -> tuple[str, ...]:
    if fields is None:
        return ()
    if isinstance(fields, str) or not isinstance(fields, Iterable):
        raise InvalidInputError("index", Reason.MUST_BE, expected=Expected.FIELD_NAMES)
    return tuple(check_text(field, "index") for field in fields)


def _check_ttl(ttl: object) -> float | None:
    if ttl is None:
        return None
    if isinstance(ttl, bool) or not isinstance(ttl, (int, float)) or not 0 < ttl <= _MAX_TTL_MINUTES:
        raise InvalidInputError("ttl", Reason.WRONG_VALUE, expected=Expected.MINUTES, got=ttl)
    return float(ttl)


def _utc_datetime(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, timezone.utc)


def _to_item(record: StoreRecord) -> Item:
    return Item(
        value=record.value,
        key=record.name,
        namespace=record.namespace,
        created_at=_utc_datetime(record.created_at),
        updated_at=_utc_datetime(record.updated_at),
    )


def _to_search_item(record: StoreRecord, score: float | None) -> SearchItem:
    return SearchItem(
        record.namespace,
        record.name,
        record.value,
        _utc_datetime(record.created_at),
        _utc_datetime(record.updated_at),
        score,
    )
