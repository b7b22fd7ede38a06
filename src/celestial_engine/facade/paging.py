"""Paging: long lists, a page at a time. What is stored meanwhile shifts nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celestial_engine.core.checks import check_id, check_limit
from celestial_engine.core.record.events import Event
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.facade.looking import Looking
from celestial_engine.ports import ItemFilter

if TYPE_CHECKING:
    from celestial_engine.core.paging import Page

_EVENTS = "e"


class Paging(Looking):
    """The next few, from where a cursor says that the last page ended."""

    def list_page(
        self,
        limit: int = 20,
        cursor: str | None = None,
        *,
        where: ItemFilter | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Page[CelestialItem]:
        """The newest memories, of all or of those that a filter asks for."""
        chosen = ItemFilter() if where is None else self._checked(where)
        return self._page(self._owner.but(user_id, agent_id), chosen, limit, cursor)

    def cliff_page(
        self, limit: int = 100, cursor: str | None = None, *, user_id: str | None = None, agent_id: str | None = None
    ) -> Page[CelestialItem]:
        """What was forgotten and can still be restored."""
        from celestial_engine.flow.departures.forget import ON_THE_CLIFF

        return self._page(self._owner.but(user_id, agent_id), ON_THE_CLIFF, limit, cursor)

    def history_page(
        self,
        item_id: str | None = None,
        limit: int = 100,
        cursor: str | None = None,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Page[Event]:
        """What the ledger says, newest first; of one memory, or of all."""
        from celestial_engine.core.paging import Page, cursor_of, number_at

        owner, about, limit = self._owner.but(user_id, agent_id), item_id and check_id(item_id), check_limit(limit)
        until = None if cursor is None else number_at(_EVENTS, cursor)
        with self._store.read() as session:
            events = session.ledger.events(owner, about, limit + 1, until)
        more = events[limit].number if 0 < limit < len(events) else None
        return Page(events[:limit], None if more is None else cursor_of(_EVENTS, more))

    def _page(self, owner: Owner, chosen: ItemFilter, limit: int, cursor: str | None) -> Page[CelestialItem]:
        from celestial_engine.core.paging import Page, cursor_of, position_at

        limit, before = check_limit(limit), None if cursor is None else position_at(cursor)
        with self._store.read() as session:
            items = session.items.newest(owner, chosen, limit + 1, before)
        shown = self._scored(items[:limit])
        if len(items) <= limit or not shown:
            return Page(shown)
        return Page(shown, cursor_of("m", shown[-1].created_at, shown[-1].id))
