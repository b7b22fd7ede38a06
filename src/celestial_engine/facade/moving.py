"""Moving: memories out to another place and in from one, whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from celestial_engine.core.checks import check_limit, check_text
from celestial_engine.core.forgetting import Protection, State
from celestial_engine.core.guard import Guard, trust_in
from celestial_engine.core.item import CelestialItem, Trust
from celestial_engine.core.lifetimes import Tier, expiry
from celestial_engine.core.owner import Owner
from celestial_engine.core.proposals import Channel
from celestial_engine.errors import InvalidInputError, NotTheUserError, WrongStateError
from celestial_engine.facade.keeping import Keeping
from celestial_engine.facade.proposing import Proposing, channel_named
from celestial_engine.flow import approve, bring_in

if TYPE_CHECKING:
    from celestial_engine.core.paging import Page

_EXPORT = "x"
_BATCH = 500


@dataclass(frozen=True)
class Imported:
    """How many records came in; those whose id is here already are passed over."""

    added: int
    known: int


class Moving(Keeping, Proposing):
    """What leaves as records and comes back as the same memories."""

    def export_page(
        self, limit: int = 100, cursor: str | None = None, *, user_id: str | None = None, agent_id: str | None = None
    ) -> Page[dict[str, Any]]:
        """Every memory as a JSON object, oldest first, those on the cliff and in archives too."""
        from celestial_engine.core.paging import Page, cursor_of, number_at

        owner, limit = self._owner.but(user_id, agent_id), check_limit(limit)
        after = -1 if cursor is None else number_at(_EXPORT, cursor)
        with self._store.read() as session:
            rows = session.page(owner, after, limit + 1)
        items = self._scored(item for _, item in rows[:limit])
        told = [(self._unpacked(item) if item.state is State.ARCHIVED else item).to_dict() for item in items]
        more = 0 < limit < len(rows)
        return Page(told, cursor_of(_EXPORT, rows[limit - 1][0]) if more else None)

    def import_memories(
        self,
        records: Iterable[object],
        *,
        by: str | None = None,
        channel: Channel | str = Channel.HOST,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Imported:
        """The records of an export as memories of this owner, with their ids, times and lives.

        What was a core memory is one again on the word of the user whom `by` names; else it is only proposed.
        Batch by batch: a record that cannot be read ends it, and what came before it stays.
        """
        if by is not None and not channel_named(channel).is_the_users:
            raise NotTheUserError(proposal="import", channel=channel_named(channel).value)
        owner, added, known, rest = self._owner.but(user_id, agent_id), 0, 0, iter(records)
        while batch := [self._arriving(record) for record in islice(rest, _BATCH)]:
            items = [replace(item, owner=owner) for item in batch]
            core = [item.id for item in items if _was_core(item)]
            if by is None:
                items = [_ordinary(item, self._now()) for item in items]
            for item, vector in zip(items, self._embedding.passages([item.content for item in items]), strict=True):
                item.embedding = vector  # by this memory's own model
            new = bring_in.bring_in(self._store, self._zones.sky, items, self._now())
            added, known = added + new, known + len(items) - new
            if core and new:
                self._core_arrived(owner, core, by, channel)
        return Imported(added, known)

    def _core_arrived(self, owner: Owner, item_ids: Sequence[str], by: str | None, channel: Channel | str) -> None:
        if by is not None:
            approve.imported(self._store, owner, item_ids, approve.Word(by, channel_named(channel)), self._now())
            return
        for item_id in item_ids:
            if self.get(item_id, user_id=owner.user_id, agent_id=owner.agent_id).tier is Tier.M365:
                who = {"user_id": owner.user_id, "agent_id": owner.agent_id}
                with suppress(InvalidInputError, WrongStateError):  # a full inbox, low trust, or on the cliff
                    self.propose_core(item_id, by="import", channel=Channel.AGENT, **who)

    def _arriving(self, record: object) -> CelestialItem:
        item = CelestialItem.from_dict(record)
        check_text(item.content)
        item = Guard(self._guard_policy).item(item)
        told = (item.content, item.resolution.gist or "", *(" ".join(triple) for triple in item.resolution.triples))
        if any(trust_in(text) is Trust.LOW for text in told):
            item.trust = Trust.LOW
        if item.state is State.ARCHIVED:  # its archive lies elsewhere; the text came with the record
            item.state = State.ACTIVE
        return item


def _was_core(item: CelestialItem) -> bool:
    return item.tier is Tier.M0 or item.protection is Protection.CORE


def _ordinary(item: CelestialItem, now: float) -> CelestialItem:
    """What nobody has approved here is no core memory here, and no part of an island."""
    item = replace(item, links=replace(item.links, island=None))
    if not _was_core(item):
        return item
    return replace(item, tier=Tier.M365, protection=Protection.NONE, expires_at=expiry(Tier.M365, now))
