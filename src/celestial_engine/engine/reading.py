"""Read-only operations: methods of CelestialMemory, and `memory.browse` for long lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from celestial_engine.core.checks import check_choice, check_id, check_limit, check_text
from celestial_engine.core.orbit.memory_function import Explanation
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.engine.parts import Area, HasParts, Parts
from celestial_engine.errors import AmbiguousIdError, NotFoundError
from celestial_engine.flow.base.placement import get_item
from celestial_engine.flow.departures import retain
from celestial_engine.flow.turn import relate
from celestial_engine.ports import ItemFilter

if TYPE_CHECKING:
    from celestial_engine.core.browse.directory import KnownSubject, SubjectDirectory
    from celestial_engine.core.browse.subjects import GroupBy, MemoryGroup, SubjectGraph, SubjectPage
    from celestial_engine.core.browse.table import MemoryRow, Table, TableFilter, TableSort
    from celestial_engine.core.learning.credit import PendingTurn
    from celestial_engine.core.paging import Page


def get(self: HasParts, item_id: str) -> CelestialItem:
    """Returns one memory by id, in any state, archives included; this does not reinforce it."""
    parts = self.parts
    with parts.store.read() as session:
        item = get_item(session, parts.owner, check_id(item_id))
    return read_archived(parts, parts.scored([item])[0])


def list_newest(
    self: HasParts,
    limit: int = 20,
    *,
    zone: int | None = None,
    tier: Tier | None = None,
    where: ItemFilter | None = None,
) -> list[CelestialItem]:
    """Returns the newest memories, of all or of those that match a filter."""
    parts, chosen = self.parts, self.parts.checked(where)
    if zone is not None:
        chosen = parts.checked(replace(chosen, zone=zone))
    if tier is not None:
        chosen = replace(chosen, tier=tier)
    with parts.store.read() as session:
        items = session.items.newest(parts.owner, chosen, check_limit(limit))
    return parts.scored(items)


def related(self: HasParts, item_id: str, depth: int = 1, limit: int = 20) -> Sequence[relate.Related]:
    """Returns memories related to this one, by links or entities, up to three steps away."""
    parts = self.parts
    return relate.related(parts.store, parts.owner, check_id(item_id), depth, check_limit(limit))


def explain(self: HasParts, item_id: str) -> Explanation:
    """Returns the parts of a memory's score, and when it will drift to which zone."""
    return self.parts.law().function.explain(get(self, item_id), self.parts.now())


def stats(self: HasParts) -> dict[str, Any]:
    """Counts the memories: in orbit by zone, tier and category, and all of them by state."""
    parts = self.parts
    configs = parts.law().function.zones.configs
    with parts.store.read() as session:
        census, categories = session.night.census(parts.owner), session.items.category_counts(parts.owner)
    return {
        "zones": {
            zone.zone_id: {
                "name": zone.name, "count": census.zones.get(zone.zone_id, 0), "capacity": zone.max_slots,
            }
            for zone in configs
        },
        "total": census.in_orbit,
        "cliff": census.states.get(State.CLIFF, 0),
        "tiers": {tier.value: census.tiers.get(tier, 0) for tier in Tier},
        "categories": {category.value: categories.get(category, 0) for category in Category},
        "states": {state.value: count for state, count in census.states.items()},
    }  # fmt: skip


class BrowseArea(Area):
    """Long lists in pages, and finding a memory by the beginning of its id."""

    def page(
        self, limit: int = 20, cursor: str | None = None, *, where: ItemFilter | None = None
    ) -> Page[CelestialItem]:
        """Returns the newest memories, all or filtered. Memories stored meanwhile do not shift the pages."""
        return page_of(self._parts, self._parts.checked(where), limit, cursor)

    def sessions(self, *, where: ItemFilter | None = None) -> Sequence[str]:
        """Returns the ids of the sessions that memories belong to, sorted."""
        chosen = self._parts.checked(where)
        with self._parts.store.read() as session:
            return session.items.session_ids(self._parts.owner, chosen)

    def table(
        self,
        chosen: TableFilter,
        sort: TableSort,
        *,
        descending: bool = True,
        first: int = 0,
        limit: int = 50,
        counts: bool = True,
    ) -> tuple[Table, list[CelestialItem]]:
        """Returns one page of a sorted table of all memories, with the memories of the page; `counts` tells how many
        of all rows have each value of a field."""
        from celestial_engine.core.browse.table import table_page

        parts = self._parts
        now, function = parts.now(), parts.law().function
        # Only counts need the key of every name, which takes a quarter of the time.
        rows, keys = parts.recent_rows.named_rows(parts.store, parts.owner) if counts else (self._rows(), None)
        with parts.store.read() as session:
            page = table_page(
                rows, chosen, sort, descending, lambda row: function.score(row, now), first, check_limit(limit),
                counts=counts, keys=keys,
            )  # fmt: skip
            items = session.items.get_many(parts.owner, page.ids)
        return page, [read_archived(parts, item) for item in parts.scored(items)]

    def subjects(self, limit: int | None = None) -> list[KnownSubject]:
        """Returns the people and things that memories tell of, the user first, then the most told of."""
        from celestial_engine.core.browse.subjects import known_subjects

        return known_subjects(self._directory(), None if limit is None else check_limit(limit))

    def subject_count(self) -> int:
        """Returns how many people and things the memories tell of."""
        return len(self._directory())

    def subject(self, name: str, limit: int = 100) -> tuple[SubjectPage, list[CelestialItem]]:
        """Returns what is known about one of them, with the newest memories that tell of it."""
        from celestial_engine.core.browse.subjects import subject_page

        owner, directory = self._parts.owner, self._directory()
        with self._parts.store.read() as session:
            rows_of = partial(session.pictures.memory_rows, owner)
            page = subject_page(directory, check_text(name, "name"), rows_of)
            if page is None:
                raise NotFoundError(item_id=name)
            items = session.items.get_many(owner, page.item_ids[: check_limit(limit)])
        return page, self._parts.scored(items)

    def relations(self, name: str | None = None, hops: int = 1, limit: int = 200) -> SubjectGraph:
        """Returns which people and things are related: around one of them, or among the most mentioned."""
        from celestial_engine.core.browse.subjects import subject_graph

        return subject_graph(self._directory(), name, hops, limit)

    def groups(self, by: GroupBy | str = "person", most: int = 8) -> list[MemoryGroup]:
        """Returns the memories of the most told of people or projects, each in one group only."""
        from celestial_engine.core.browse.subjects import GroupBy, people_groups, project_groups

        chosen, most = check_choice(GroupBy, by, "by"), check_limit(most)
        if chosen is GroupBy.PROJECT:
            return project_groups(self._rows(), most)
        return people_groups(self._directory(), most)

    def turns(self, limit: int = 50, before: str | None = None) -> list[PendingTurn]:
        """Returns the newest turns that were decided about, newest first, with what was done; their texts are not
        kept."""
        limit, before = check_limit(limit), None if before is None else check_id(before)
        with self._parts.store.read() as session:
            return session.lessons.turns(self._parts.owner, limit, before)

    def prepare(self) -> None:
        """Reads what the table and the people are made of, so that the first question about them is answered
        quickly."""
        from celestial_engine.engine.browsing.recent_rows import MOST_ROWS

        with self._parts.store.read() as session:
            count = sum(session.night.census(self._parts.owner).states.values())
        if 0 < count <= MOST_ROWS:  # more are not kept
            self._rows()
            self._directory()

    def _directory(self) -> SubjectDirectory:
        return self._parts.recent_rows.directory(self._parts.store, self._parts.owner)

    def _rows(self) -> list[MemoryRow]:
        return self._parts.recent_rows.rows(self._parts.store, self._parts.owner)

    def find_id(self, prefix: str) -> str:
        """Returns the id that starts with these characters, if there is exactly one."""
        owner, prefix = self._parts.owner, check_id(prefix)
        with self._parts.store.read() as session:
            if session.items.get(owner, prefix) is not None:
                return prefix
            ids = session.items.ids_starting(owner, prefix, 100) if prefix else []
        if not ids:
            raise NotFoundError(item_id=prefix)
        if len(ids) > 1:
            raise AmbiguousIdError(count=len(ids), prefix=prefix)
        return ids[0]


def page_of(parts: Parts, chosen: ItemFilter, limit: int, cursor: str | None) -> Page[CelestialItem]:
    from celestial_engine.core.paging import Page, cursor_of, position_at

    limit, before = check_limit(limit), None if cursor is None else position_at(cursor)
    with parts.store.read() as session:
        items = session.items.newest(parts.owner, chosen, limit + 1, before)
    page = parts.scored(items[:limit])
    if len(items) <= limit or not page:
        return Page(page)
    return Page(page, cursor_of("m", page[-1].created_at, page[-1].id))


def in_archive(parts: Parts, item_id: str) -> bool:
    with parts.store.read() as session:
        return session.archives.file_of(parts.owner, check_id(item_id)) is not None


def read_archived(parts: Parts, row: CelestialItem) -> CelestialItem:
    """Returns an archived memory with its text; without it if the archive cannot be read."""
    if row.state is not State.ARCHIVED:
        return row
    contents = retain.contents_of(parts.store, row.owner, row.id)
    for memory in contents.memories if contents is not None else ():
        if memory.item.id == row.id:
            return replace(memory.item, state=State.ARCHIVED, zone=row.zone, total_score=row.total_score)
    return row
