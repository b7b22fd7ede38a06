"""CelestialStore: the memory as LangGraph's long-term store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone
from threading import RLock
from typing import Any
from weakref import WeakKeyDictionary

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
from celestial_engine.adapters.langgraph.records import Record
from celestial_engine.adapters.shared.shapes import check_engine
from celestial_engine.core.checks import MOST_RESULTS, check_limit, check_text
from celestial_engine.core.record.coordinate import SpaceCoordinate
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.core.record.versions import version_of
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import (
    Expected,
    InvalidInputError,
    NotFoundError,
    Reason,
    SecretError,
    VersionError,
    WrongStateError,
)

_PAGE = 100
_MOST_TTL_MINUTES = 5_256_000.0  # ten years
_TTL_SETTINGS = ("default_ttl", "refresh_on_read")

# Looking whether an item is there and writing it belong together, whichever store of this process does it.
_locks: WeakKeyDictionary[object, RLock] = WeakKeyDictionary()
_Held = tuple[CelestialItem, Record]


class CelestialStore(BaseStore):
    """A LangGraph store in which every item is a memory: `create_agent(..., store=CelestialStore(memory))`.

    What is put is found by key, by namespace and by meaning, and recalled with the owner's other memories, which no
    operation of the store touches. An item is pinned: it goes when it is deleted or its time is over, and then over
    the cliff. `index` names the fields to find items by (all if left out), `ttl` holds `default_ttl` in minutes and
    `refresh_on_read`.
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
        self._lock = _locks.setdefault(self._memory.parts.store, RLock())

    def batch(self, ops: Iterable[Any]) -> list[Any]:
        """All are checked before the first is done; reads see what was there before the batch, the last put wins."""
        given = list(ops)
        for op in given:
            self._check(op)
        now = self._clock()
        results = [None if isinstance(op, PutOp) else self._read(op, now) for op in given]
        puts = {(op.namespace, op.key): op for op in given if isinstance(op, PutOp)}
        for op in puts.values():
            self._put(op, now)
        return results

    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        """The same, in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Lets go of items whose time is over. Reads never show them; this takes them out of every recall too."""
        now, gone = self._clock(), 0
        for item, record in list(self._held(records.LIMITED)):
            if record.expired(now):
                self._forget(item)
                gone += 1
        return gone

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
                held = self._one(op.namespace, op.key, now)
                return None if held is None else _shown(self._looked_at(*held, op.refresh_ttl, now))
            case SearchOp():
                found = self._by_meaning(op, now) if (op.query or "").strip() else self._newest(op, now)
                return [_found(self._looked_at(*held, op.refresh_ttl, now), score) for held, score in found]
            case _:
                return self._namespaces(op)

    def _one(self, namespace: Namespace, key: str, now: float) -> _Held | None:
        where = records.one(namespace, key)
        for item in self._memory.list(1, where=where):
            record = Record.read(item)
            if record is not None and not record.expired(now):
                return item, record
        return None

    def _newest(self, op: SearchOp, now: float) -> list[tuple[_Held, float | None]]:
        wanted = check_filter(op.filter)
        seen: set[tuple[Namespace, str]] = set()
        found: list[tuple[_Held, float | None]] = []
        page = _PAGE if wanted else min(op.offset + op.limit, _PAGE) or 1
        for item, record in self._held(records.below(op.namespace_prefix), page):
            if len(seen) >= op.offset + op.limit:
                break
            if record.place not in seen and not record.expired(now) and accepts(wanted, record.value):
                seen.add(record.place)
                found.append(((item, record), None))
        return found[op.offset : op.offset + op.limit]

    def _by_meaning(self, op: SearchOp, now: float) -> list[tuple[_Held, float | None]]:
        """What answers the question, best first. A filter may leave few of those asked for: then more are asked."""
        wanted, question = check_filter(op.filter), op.query or ""
        where, most = records.below(op.namespace_prefix), op.offset + op.limit
        asked = most
        while True:
            hits = self._memory.search(question, min(asked, MOST_RESULTS), explain=True, where=where).hits
            found: dict[tuple[Namespace, str], tuple[_Held, float | None]] = {}
            for hit in hits:
                record = Record.read(hit.item)
                if record is None or not record.indexed or record.expired(now) or not accepts(wanted, record.value):
                    continue
                found.setdefault(record.place, ((hit.item, record), hit.relevance))
            if len(found) >= most or len(hits) < asked:
                return list(found.values())[op.offset : most]
            asked *= 4

    def _held(self, where: ItemFilter, size: int = _PAGE) -> Iterator[_Held]:
        """The items that a filter asks for, the newest first, a page at a time."""
        cursor: str | None = None
        while True:
            page = self._memory.browse.page(size, cursor, where=where)
            for item in page.items:
                record = Record.read(item)
                if record is not None:
                    yield item, record
            cursor = page.cursor
            if cursor is None:
                return

    def _looked_at(self, item: CelestialItem, record: Record, refresh: bool, now: float) -> Record:
        if not refresh or record.ttl is None:
            return record
        refreshed, version = record.refreshed(now), version_of(item)
        with suppress(NotFoundError, WrongStateError, VersionError):  # who changed it meanwhile set its time anew
            self._memory.update(item.id, metadata=refreshed.metadata(), if_version=version)
        return refreshed

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        self.sweep_ttl()  # or a namespace would outlive the last of its items
        sessions = self._memory.browse.sessions(where=records.below(()))
        found = {namespace for session in sessions if (namespace := records.namespace_of(session)) is not None}
        for condition in op.match_conditions or ():
            found = {one for one in found if namespace_matches(condition.match_type, condition.path, one)}
        if op.max_depth is not None:
            found = {one[: op.max_depth] for one in found}
        return sorted(found)[op.offset : op.offset + op.limit]

    # -- writing --------------------------------------------------------------------------------------

    def _record(self, op: PutOp, now: float) -> Record:
        if not isinstance(op.value, Mapping):
            raise InvalidInputError("value", Reason.WRONG_TYPE, expected=Expected.OBJECT, got=type(op.value).__name__)
        _check_fields(op.index or None)
        ttl = _check_ttl(op.ttl)
        expires_at = None if ttl is None else now + ttl * 60.0
        return Record(op.namespace, op.key, dict(op.value), now, now, op.index is not False, ttl, expires_at)

    def _put(self, op: PutOp, now: float) -> None:
        with self._lock:
            there = self._memory.list(_PAGE, where=records.one(op.namespace, op.key))
            kept = None if op.value is None else self._written(op, there, now)
            for item in there:  # more than one only if two processes put it at the same moment
                if kept is None or item.id != kept.id:
                    self._forget(item)

    def _written(self, op: PutOp, there: Sequence[CelestialItem], now: float) -> CelestialItem:
        """The memory of what is put: the one there is, else a new one."""
        record = self._record(op, now)
        text = records.text_of(record, self._texts(op))
        before = Record.read(there[0]) if there else None
        if before is None or before.expired(now):
            return self._stored(record, text)
        record = replace(record, created_at=before.created_at)
        if (before.ttl is None) is not (record.ttl is None):  # a memory's tags do not change
            return self._stored(record, text)
        changed = None if there[0].content == text else text
        try:
            return self._memory.update(there[0].id, changed, metadata=record.metadata())
        except (NotFoundError, WrongStateError):  # another process deleted it a moment ago
            return self._stored(record, text)

    def _stored(self, record: Record, text: str) -> CelestialItem:
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
        )
        kept = Record.read(item)
        if kept is None or kept.place != record.place:  # the guard took a part of its name: nobody would find it
            self._forget(item)
            raise SecretError(Reason.SECRET_FOUND, kinds=("name",))
        return item

    def _texts(self, op: PutOp) -> list[str] | None:
        fields = self._fields if op.index is None else op.index
        if not fields:
            return None
        return [text for field in fields for text in get_text_at_path(op.value, field)]

    def _forget(self, item: CelestialItem) -> None:
        with suppress(NotFoundError, WrongStateError):  # somebody else was faster
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
    if isinstance(ttl, bool) or not isinstance(ttl, (int, float)) or not 0 < ttl <= _MOST_TTL_MINUTES:
        raise InvalidInputError("ttl", Reason.WRONG_VALUE, expected=Expected.MINUTES, got=ttl)
    return float(ttl)


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, timezone.utc)


def _shown(record: Record) -> Item:
    return Item(
        value=record.value,
        key=record.name,
        namespace=record.namespace,
        created_at=_moment(record.created_at),
        updated_at=_moment(record.updated_at),
    )


def _found(record: Record, score: float | None) -> SearchItem:
    return SearchItem(
        record.namespace, record.name, record.value, _moment(record.created_at), _moment(record.updated_at), score
    )
