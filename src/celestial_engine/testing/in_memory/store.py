"""Dictionaries behind the store port, for tests and throw-away sessions.

It keeps nothing. It exists so that the port is proved by two stores that share no code.
"""

from __future__ import annotations

import contextlib
import copy
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from celestial_engine.core.keeping.backup import BackupReport
from celestial_engine.core.orbit.memory_function import Course
from celestial_engine.core.orbit.zones import Body, Move
from celestial_engine.core.paging import PagePosition
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.ranking import Candidate
from celestial_engine.errors import ClosedError, NotFoundError
from celestial_engine.ports import Due, ItemFilter, Progress, SessionSpan
from celestial_engine.storage.archive import ArchiveShelf
from celestial_engine.testing.in_memory.grants import DictGrants
from celestial_engine.testing.in_memory.idempotency_keys import DictKeys
from celestial_engine.testing.in_memory.imagination import DictPatterns
from celestial_engine.testing.in_memory.jobs import DictJobs
from celestial_engine.testing.in_memory.learning import DictLessons
from celestial_engine.testing.in_memory.ledger import DictLedger
from celestial_engine.testing.in_memory.lives import DictLives
from celestial_engine.testing.in_memory.nights import DictNights
from celestial_engine.testing.in_memory.pictures import DictPictures
from celestial_engine.testing.in_memory.retention_view import DictShelves, no_backup
from celestial_engine.testing.in_memory.rows import Data, Row
from celestial_engine.testing.in_memory.search import DictSearch
from celestial_engine.testing.in_memory.self_state import DictSelf
from celestial_engine.testing.in_memory.spending import DictSpending


class DictSession(
    DictSearch,
    DictNights,
    DictLives,
    DictKeys,
    DictPatterns,
    DictPictures,
    DictShelves,
    DictLedger,
    DictLessons,
    DictSelf,
):
    """Reads and writes; `DictStore.write` puts the old data back if the block fails."""

    def __init__(self, data: Data) -> None:
        self._data = data
        self._shelves = data.shelves
        self._ledger = data.ledger
        self._lessons = data.lessons
        self._self = data.selfhood
        self._before = {}

    # -- items --------------------------------------------------------------------------------------

    def standings(
        self, owner: Owner, item_ids: Sequence[str], reach: int = 0, where: ItemFilter | None = None
    ) -> list[Candidate]:
        wanted = set(item_ids)
        places = [place for place, row in enumerate(self._of(owner)) if row.item.id in wanted]
        near = {place + step for place in places for step in range(-reach, reach + 1)}
        return [
            _standing(row, place)
            for place, row in enumerate(self._of(owner))
            if place in near and row.item.state.in_orbit and (where is None or where.accepts(row.item))
        ]

    def ids_starting(self, owner: Owner, prefix: str, limit: int) -> list[str]:
        ids = sorted(item_id for who, item_id in self._data.keys if who == owner and item_id.startswith(prefix))
        return ids[:limit]

    def newest(
        self, owner: Owner, chosen: ItemFilter, limit: int | None, before: PagePosition | None = None
    ) -> list[CelestialItem]:
        rows = [row for row in self._of(owner) if chosen.accepts(row.item)]
        if before is not None:
            bound = (before.created_at, self._data.keys.get((owner, before.item_id), 0))
            rows = [row for row in rows if (row.item.created_at, row.key) < bound]
        rows.sort(key=lambda row: (row.item.created_at, row.key), reverse=True)
        return [copy.deepcopy(row.item) for row in rows[:limit]]

    def session_span(self, owner: Owner, session_id: str) -> SessionSpan | None:
        theirs = ItemFilter(states=tuple(State), session_id=session_id)
        rows = [row.item for row in self._of(owner) if theirs.accepts(row.item)]
        if not rows:
            return None
        minutes = rows[0].time.relative_time_minutes or 0.0
        return SessionSpan(rows[0].created_at - 60.0 * minutes, rows[-1].time.sequence or 0)

    def session_ids(self, owner: Owner, chosen: ItemFilter) -> list[str]:
        return sorted({row.item.time.session_id for row in self._of(owner)
                       if row.item.time.session_id is not None and chosen.accepts(row.item)})  # fmt: skip

    def page(self, owner: Owner, after: int, limit: int) -> list[tuple[int, CelestialItem]]:
        rows = [row for row in self._of(owner) if row.key > after]
        return [(row.key, copy.deepcopy(row.item)) for row in rows[:limit]]

    def state_counts(self, owner: Owner) -> dict[State, int]:
        return dict(Counter(row.item.state for row in self._of(owner)))

    # -- vectors ------------------------------------------------------------------------------------

    def embedder_in_force(self) -> str | None:
        return self._data.embedder

    def vector_dimension(self) -> int | None:
        vectors = (row.item.embedding for row in self._data.rows.values())
        return next((len(vector) for vector in vectors if vector is not None), None)

    def without_vector(self, after: int, limit: int) -> list[tuple[int, str]]:
        rows = [row for row in self._data.rows.values() if row.item.state.in_orbit and row.item.embedding is None]
        return [(row.key, row.item.content) for row in rows if row.key > after][:limit]

    def count_without_vector(self, after: int) -> int:
        return len(self.without_vector(after, len(self._data.rows)))

    # -- orbits -------------------------------------------------------------------------------------

    def zone_counts(self, owner: Owner, zones: Sequence[int]) -> dict[int, int]:
        counts = Counter(row.item.zone for row in self._orbiting(owner))
        return {zone: counts[zone] for zone in zones}

    def orbiting(self, owner: Owner | None = None) -> int:
        if owner is not None:
            return len(self._orbiting(owner))
        return sum(row.item.state.in_orbit for row in self._data.rows.values())

    def lowest(self, owner: Owner, zone: int) -> list[Body]:
        found: dict[int, Body] = {}
        for body in self.occupants(owner, [zone]):
            kept = found.get(body.piece)
            if kept is None or (body.level, body.key) < (kept.level, kept.key):
                found[body.piece] = body
        return list(found.values())

    def occupants(self, owner: Owner, zones: Sequence[int]) -> list[Body]:
        return [_body(row) for row in self._orbiting(owner) if row.item.zone in zones]

    def waiting(self, owner: Owner, zone: int, piece: int, at_least: float, limit: int) -> list[Body]:
        bodies = [b for b in self.occupants(owner, [zone]) if b.piece == piece and b.level >= at_least]
        return sorted(bodies, key=lambda body: (body.level, body.key), reverse=True)[:limit]

    def due(self, now: float, limit: int) -> list[Due]:
        rows = [
            row
            for row in self._data.rows.values()
            if row.course.next_moment is not None and row.course.next_moment <= now
        ]
        rows.sort(key=lambda row: row.course.next_moment or 0.0)
        return [_due(row) for row in rows[:limit]]

    def law_in_force(self) -> str | None:
        return self._data.law

    def unsettled(self, now: float, limit: int) -> list[Owner]:
        return [owner for owner, at in self._data.settle_at.items() if at <= now][:limit]

    # -- writing ------------------------------------------------------------------------------------

    def add(self, item: CelestialItem, course: Course) -> int:
        self._data.last_key += 1
        key = self._data.last_key
        self._data.rows[key] = Row(key, copy.deepcopy(item), course)
        self._data.keys[(item.owner, item.id)] = key
        return key

    def key_of(self, owner: Owner, item_id: str) -> int:
        try:
            return self._data.keys[(owner, item_id)]
        except KeyError:
            raise NotFoundError(item_id=item_id) from None

    def id_of(self, key: int) -> str:
        return self._data.rows[key].item.id

    def rewrite(self, item: CelestialItem, course: Course) -> None:
        key = self.key_of(item.owner, item.id)
        self._remember(self._data.rows[key].item)
        self._data.rows[key] = Row(key, copy.deepcopy(item), course)
        if item.state is not State.ARCHIVED:
            self._shelves.take_out(key)

    def reinforce(self, key: int, now: float, context: float, zone: int, course: Course) -> None:
        item = self._data.rows[key].item
        count = item.recall_count + 1
        recalled = replace(item, recall_count=count, last_recalled_at=now, context_score=context, zone=zone)
        self._data.rows[key] = Row(key, recalled, course)

    def mention(self, key: int) -> None:
        row = self._data.rows[key]
        self._data.rows[key] = replace(row, item=replace(row.item, mention_count=row.item.mention_count + 1))

    def set_courses(self, courses: Iterable[tuple[int, int, Course]]) -> None:
        for key, zone, course in courses:
            row = self._data.rows[key]
            self._data.rows[key] = Row(key, replace(row.item, zone=zone), course)

    def move(self, moves: Iterable[Move]) -> None:
        for move in moves:
            row = self._data.rows[move.key]
            self._data.rows[move.key] = replace(row, item=replace(row.item, zone=move.to_zone))

    def settle_again(self, owner: Owner, at: float | None) -> None:
        if at is None:
            self._data.settle_at.pop(owner, None)
        else:
            self._data.settle_at[owner] = at

    def purge(self, owner: Owner, item_id: str) -> None:
        self._shelves.take_out(self.key_of(owner, item_id))
        for other_id in self._data.rows[self.key_of(owner, item_id)].item.links.tied:
            key = self._data.keys.get((owner, other_id))
            if key is not None:
                row = self._data.rows[key]
                untied = replace(row.item, links=row.item.links.without(item_id))
                self._data.rows[key] = replace(row, item=untied)
        del self._data.rows[self.key_of(owner, item_id)]
        del self._data.keys[(owner, item_id)]
        self._forget_versions(owner, item_id)
        self._lessons.forget(owner, item_id)
        self._self.forget(owner, item_id)
        self._forget_keys(owner, item_id)
        self._forget_imagination(owner, item_id)

    def adopt_embedder(self, name: str) -> None:
        self._data.embedder = name
        for key, row in list(self._data.rows.items()):
            self._data.rows[key] = replace(row, item=replace(row.item, embedding=None))

    def set_vectors(self, vectors: Iterable[tuple[int, str, list[float]]]) -> None:
        for key, text, vector in vectors:
            row = self._data.rows.get(key)
            if row is not None and (row.item.content, row.item.embedding) == (text, None) and row.item.state.in_orbit:
                self._data.rows[key] = replace(row, item=replace(row.item, embedding=vector))

    def adopt_law(self, law: str) -> None:
        if self._data.law == law:
            return
        self._data.law = law
        for key, row in list(self._data.rows.items()):
            if row.item.state.in_orbit:
                self._data.rows[key] = replace(row, course=row.course._replace(next_moment=0.0))


class DictStore:
    """The store port on dictionaries."""

    path = "(dictionaries)"
    mirror = None

    def __init__(self) -> None:
        self._data = Data({}, {}, {})
        self._lock = threading.RLock()
        self._closed = False
        self.jobs = DictJobs()
        self.grants = DictGrants()
        self.spending = DictSpending()
        self.archives = ArchiveShelf()

    @contextlib.contextmanager
    def read(self) -> Iterator[DictSession]:
        with self._lock:
            self._refuse_if_closed()
            yield DictSession(self._data)

    @contextlib.contextmanager
    def write(self, *, durable: bool = True) -> Iterator[DictSession]:
        with self._lock:
            self._refuse_if_closed()
            before = self._data.snapshot()
            try:
                yield DictSession(self._data)
            except BaseException:
                self._data = before
                raise

    def check(self) -> list[str]:
        return []

    def repair(self) -> None:
        """Nothing here is derived."""

    def sweep(self) -> bool:
        """Nothing is kept anywhere."""
        return True

    def reindex_words(self, progress: Progress | None = None) -> int:
        """There is no index here: words are made when they are asked for."""
        return sum(row.item.state.in_orbit for row in self._data.rows.values())

    def back_up(self, target: str, *, replace: bool = False, progress: Progress | None = None) -> BackupReport:
        return no_backup(self.path)

    def close(self) -> None:
        self._closed = True

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise ClosedError(path=self.path)


def _body(row: Row) -> Body:
    return Body(row.key, row.item.zone, int(row.course.piece), row.course.level)


def _standing(row: Row, position: int) -> Candidate:
    item = row.item
    return Candidate(
        item.id, position, item.recall_count, item.last_recalled_at, item.arbitrary_importance, item.context_score,
        item.created_at, item.content, item.time.session_id, item.category,
        1 + (item.resolution.gist is not None) + bool(item.resolution.triples), item.links.count,
        item.validity.superseded_by,
    )  # fmt: skip


def _due(row: Row) -> Due:
    item = row.item
    return Due(
        row.key, item.owner, item.id, item.state, item.zone, item.tier, item.protection, item.recall_count,
        item.last_recalled_at, item.arbitrary_importance, item.context_score, item.departure,
    )  # fmt: skip
